import type { TransitionObserver } from '../engine/observers.ts';
import { columnsOf } from '../net/colour.ts';
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

/** The effect of a transition on the activity of its process. */
export function partIn({ kind, delay, timing, inputs, outputs }: Transition, served: ReadonlySet<string>) {
  /** True if its firings take time. */
  const lasts = delay !== undefined && timing !== 'race';
  return {
    lasts,
    /** True if its process is active during a firing. */
    isActive: lasts && (kind === 'compute' || outputs.some(({ place }) => served.has(place))),
    /** Number of tokens that a firing takes from served places. */
    takes: inputs.reduce((sum, arc) => sum + (arc.kind === 'take' && served.has(arc.place) ? arc.count : 0), 0),
    /** Arcs that put tokens into served places. */
    puts: outputs.filter(({ place }) => served.has(place)),
  };
}

/** The columns of served places that hold the process of a token: those in which transitions put or take the variable of their process. */
export function processColumns({ transitions }: Net, served: ReadonlySet<string>): ReadonlyMap<string, string> {
  const columns = new Map<string, string>();
  for (const { process, inputs, outputs } of transitions) {
    if (process?.op !== 'var') continue;
    const arcs = [
      ...outputs.map(({ place, values }) => [place, values] as const),
      ...inputs.map(({ place, pattern }) => [place, pattern] as const),
    ];
    for (const [place, terms] of arcs) {
      const column = Object.entries(terms).find(([, term]) => term.op === 'var' && term.name === process.name)?.[0];
      if (column !== undefined && served.has(place) && !columns.has(place)) columns.set(place, column);
    }
  }
  return columns;
}

/** Figures of a firing, from the values of its variables. */
interface Terms {
  process: Evaluate;
  /** Numbers of tokens that it puts into served places. */
  puts: readonly Evaluate[];
}

/**
 * Measures how long each process computes (P8): while a firing of one of its transitions of kind `compute` is in progress, or one that
 * puts tokens into served places, and while one of its tokens is in such a place. Initial tokens count if a column holds their process.
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

  readonly #served: ReadonlySet<string>;
  /** Processes of initial tokens in served places, and the numbers of these tokens. */
  readonly #initial: readonly (readonly [process: number, tokens: number])[];

  constructor(net: Net) {
    const { low, count } = processRange(net);
    this.#net = net;
    this.#low = low;
    this.#count = count;
    this.#served = servedPlaces(net);
    const holders = processColumns(net, this.#served);
    const colours = new Map(net.colours.map((c) => [c.name, c]));
    this.#initial = net.places.flatMap(({ name, fields, initial }) => {
      const holder = holders.get(name);
      if (holder === undefined) return [];
      const k = columnsOf(fields, colours).findIndex((column) => column.name === holder);
      return initial.map(({ values, count: tokens }) => [values[k]!, tokens] as const);
    });
    this.begin();
  }

  /** Resets the meter for another run of the net. */
  begin(): void {
    this.seconds = new Float64Array(this.#count);
    this.parallelism = new ParallelismMeter();
    this.#active = new Int32Array(this.#count);
    this.#since = new Float64Array(this.#count);
    for (const [process, tokens] of this.#initial) this.#change(0, process, tokens);
  }

  observers(): Record<string, TransitionObserver> {
    const out: Record<string, TransitionObserver> = Object.create(null);
    if (this.#net.processes === undefined) return out;
    for (const t of this.#net.transitions) {
      if (t.process === undefined) continue;
      const { lasts, isActive, takes, puts } = partIn(t, this.#served);
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
    for (const t of this.#net.transitions) {
      const { name, process } = t;
      const terms = this.#terms.get(name);
      if (terms === undefined || process === undefined) continue;
      const slotOf = new Map(variables(name).map((variable, slot) => [variable, slot]));
      terms.process = evaluator(process, slotOf, around);
      terms.puts = partIn(t, this.#served).puts.map(({ count }) => evaluator(count, slotOf, around));
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
    // An initial token whose process no column holds has not been counted when a firing takes it.
    const after = Math.max(0, before + by);
    this.#active[p] = after;
    if (before === 0 || after === 0) this.parallelism.change(time, Math.sign(after) - Math.sign(before));
  }
}
