import type { TransitionObserver } from '../engine/observers.ts';
import { type Evaluate, evaluator, surroundingsOf } from '../net/evaluate.ts';
import type { Net, Transition } from '../net/net.ts';
import { ParallelismMeter } from './parallelism.ts';

/** The numbers of a net's processes: `low` is the smallest; `count` is 0 if the net declares none. */
export function processRange(net: Net): { readonly low: number; readonly count: number } {
  const colour = net.colours.find((c) => c.name === net.processes?.colour);
  if (colour?.kind !== 'range') return { low: 0, count: 0 };
  return { low: colour.low, count: colour.high - colour.low + 1 };
}

/** Names of the places whose tokens compute while they are served: operation places with a service. */
export function servedPlaces({ places }: Net): ReadonlySet<string> {
  return new Set(places.filter((p) => p.service !== undefined && p.kind === 'operation').map((p) => p.name));
}

/** What a transition does to the activity of its process. */
export function partIn({ kind, delay, timing, inputs, outputs }: Transition, served: ReadonlySet<string>) {
  /** True if its firings take time. */
  const lasts = delay !== undefined && timing !== 'race';
  return {
    lasts,
    /** True if its process is active during a firing. */
    isActive: lasts && (kind === 'compute' || outputs.some(({ place }) => served.has(place))),
    /** Number of tokens that a firing takes from served places. */
    takes: inputs.reduce((sum, arc) => sum + (arc.kind === 'take' && served.has(arc.place) ? arc.count : 0), 0),
  };
}

/** What a firing of a transition tells, from the values of its variables. */
interface Terms {
  process: Evaluate;
  /** Numbers of tokens that it puts into served places. */
  puts: readonly Evaluate[];
}

/**
 * Measures how long each process computes (P8): while a firing of one of its transitions of kind `compute` is in progress, or one that
 * puts tokens into served places, and while a token that such a transition has put is in its place. Initial tokens are not counted.
 */
export class ComputingMeter {
  seconds: Float64Array = new Float64Array(0);
  parallelism: ParallelismMeter = new ParallelismMeter();
  readonly #net: Net;
  readonly #count: number;
  #active = new Int32Array(0);
  #since = new Float64Array(0);
  readonly #low: number;
  /** By the name of each observed transition. */
  readonly #terms = new Map<string, Terms>();

  constructor(net: Net) {
    const { low, count } = processRange(net);
    this.#net = net;
    this.#low = low;
    this.#count = count;
    this.begin();
  }

  /** Resets the meter for another run of the net. */
  begin(): void {
    this.seconds = new Float64Array(this.#count);
    this.parallelism = new ParallelismMeter();
    this.#active = new Int32Array(this.#count);
    this.#since = new Float64Array(this.#count);
  }

  observers(): Record<string, TransitionObserver> {
    const out: Record<string, TransitionObserver> = Object.create(null);
    if (this.#net.processes === undefined) return out;
    const served = servedPlaces(this.#net);
    for (const t of this.#net.transitions) {
      if (t.process === undefined) continue;
      const { lasts, isActive, takes } = partIn(t, served);
      const puts = t.outputs.filter(({ place }) => served.has(place));
      if (!isActive && takes === 0 && puts.length === 0) continue;
      const own = isActive ? 1 : 0;
      const terms: Terms = { process: () => Number.NaN, puts: [] };
      this.#terms.set(t.name, terms);
      const change = (time: number, values: readonly number[], by: number, isPut: boolean): void => {
        const put = isPut ? terms.puts.reduce((sum, count) => sum + count(values), 0) : 0;
        if (by + put !== 0) this.#change(time, terms.process(values), by + put);
      };
      out[t.name] = lasts
        ? {
            start: (time, ...values) => change(time, values, own - takes, false),
            end: (time, ...values) => change(time, values, -own, true),
          }
        : { start: (time, ...values) => change(time, values, -takes, true) };
    }
    return out;
  }

  bind(variables: (transition: string) => readonly string[]): void {
    const around = surroundingsOf(this.#net);
    const served = servedPlaces(this.#net);
    for (const { name, process, outputs } of this.#net.transitions) {
      const terms = this.#terms.get(name);
      if (terms === undefined || process === undefined) continue;
      const slotOf = new Map(variables(name).map((variable, slot) => [variable, slot]));
      terms.process = evaluator(process, slotOf, around);
      const puts = outputs.filter(({ place }) => served.has(place));
      terms.puts = puts.map(({ count }) => evaluator(count, slotOf, around));
    }
  }

  finish(time: number): void {
    this.#active.forEach((n, p) => {
      if (n > 0) this.seconds[p]! += time - this.#since[p]!;
    });
    this.parallelism.change(time, 0);
  }

  #change(time: number, process: number, by: number): void {
    const p = process - this.#low;
    if (!(p >= 0 && p < this.#count)) return;
    const before = this.#active[p]!;
    if (before > 0) this.seconds[p]! += time - this.#since[p]!;
    this.#since[p] = time;
    // Tokens of the initial marking are in no process before a firing takes them.
    const after = Math.max(0, before + by);
    this.#active[p] = after;
    if (before === 0 || after === 0) this.parallelism.change(time, Math.sign(after) - Math.sign(before));
  }
}
