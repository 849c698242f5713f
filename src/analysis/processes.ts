import type { TransitionObserver } from '../engine/observers.ts';
import type { Net } from '../net/net.ts';
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

/**
 * Measures how long each process computes (P8): while a firing of one of its transitions of kind `compute` is in
 * progress, or, for immediate transitions, while its token is in the service of an operation place.
 */
export class ComputingMeter {
  seconds: Float64Array = new Float64Array(0);
  parallelism: ParallelismMeter = new ParallelismMeter();
  readonly #net: Net;
  readonly #count: number;
  #active = new Int32Array(0);
  #since = new Float64Array(0);
  readonly #low: number;
  /** For each observed transition: the index of its process among its variables. */
  readonly #at = new Map<string, number>();

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
      if (t.process?.op !== 'var') continue;
      const begin = (time: number, ...b: number[]): void => this.#change(time, b[this.#at.get(t.name)!]!, 1);
      const end = (time: number, ...b: number[]): void => this.#change(time, b[this.#at.get(t.name)!]!, -1);
      if (t.kind === 'compute' && t.delay !== undefined) out[t.name] = { start: begin, end };
      else if (t.outputs.some((a) => served.has(a.place))) out[t.name] = { start: begin };
      else if (t.inputs.some((a) => a.kind === 'take' && served.has(a.place))) out[t.name] = { start: end };
    }
    return out;
  }

  bind(variables: (transition: string) => readonly string[]): void {
    for (const t of this.#net.transitions)
      if (t.process?.op === 'var') this.#at.set(t.name, variables(t.name).indexOf(t.process.name));
  }

  finish(time: number): void {
    this.#active.forEach((n, p) => {
      if (n > 0) this.seconds[p]! += time - this.#since[p]!;
    });
    this.parallelism.change(time, 0);
  }

  #change(time: number, process: number, by: number): void {
    const p = process - this.#low;
    const before = this.#active[p]!;
    if (before > 0) this.seconds[p]! += time - this.#since[p]!;
    this.#since[p] = time;
    this.#active[p] = before + by;
    if (before === 0 || before + by === 0) this.parallelism.change(time, by);
  }
}
