import type { ThreadProgram } from './program/rows.ts';

/** Figures of a region; times in seconds. */
export interface RegionSeconds {
  /** Executions, and their time, over all pools. */
  executions: number;
  seconds: number;
  /** Time of the carriers by state. */
  readonly states: Float64Array;
}

/**
 * Time of the regions of a thread program, and of its carriers in each of them. Time in nested regions belongs to the inner
 * one. O(1) per change of state, O(states) per change of region.
 */
export class ThreadRegions {
  /** By number of the region; the last one is the time outside all regions. */
  readonly regions: readonly RegionSeconds[];
  readonly #states: number;
  /** By pool and state: number of carriers, and the time up to which they are accounted for. */
  readonly #count: Int32Array;
  readonly #since: Float64Array;
  readonly #open: number[][];
  readonly #entered: Float64Array;

  /** @param initial state of each carrier */
  constructor(
    { regions, pools }: ThreadProgram,
    states: number,
    initial: Uint8Array,
    poolOf: (carrier: number) => number,
  ) {
    this.regions = Array.from({ length: regions.length + 1 }, () => ({
      executions: 0,
      seconds: 0,
      states: new Float64Array(states),
    }));
    this.#states = states;
    this.#count = new Int32Array(states * pools);
    this.#since = new Float64Array(states * pools);
    this.#open = Array.from({ length: pools }, () => []);
    this.#entered = new Float64Array(pools);
    initial.forEach((state, carrier) => {
      this.#count[states * poolOf(carrier) + state]!++;
    });
  }

  /** A carrier of a pool changes its state. */
  moves(pool: number, before: number, after: number, time: number): void {
    const { states } = this.regions[this.#current(pool)]!;
    const at = this.#states * pool;
    this.#account(at, before, states, time);
    this.#account(at, after, states, time);
    this.#count[at + before]!--;
    this.#count[at + after]!++;
  }

  /** The main strand of a pool enters a region, or leaves it. */
  change(pool: number, region: number, enters: boolean, time: number): void {
    this.#flush(pool, time);
    const open = this.#open[pool]!;
    if (enters) {
      open.push(region);
      this.regions[region]!.executions++;
    } else open.pop();
  }

  finish(time: number): void {
    for (let pool = 0; pool < this.#open.length; pool++) this.#flush(pool, time);
  }

  #current(pool: number): number {
    return this.#open[pool]!.at(-1) ?? this.regions.length - 1;
  }

  #flush(pool: number, time: number): void {
    const region = this.regions[this.#current(pool)]!;
    region.seconds += time - this.#entered[pool]!;
    this.#entered[pool] = time;
    for (let state = 0; state < this.#states; state++) this.#account(this.#states * pool, state, region.states, time);
  }

  #account(at: number, state: number, states: Float64Array, time: number): void {
    const k = at + state;
    states[state]! += this.#count[k]! * (time - this.#since[k]!);
    this.#since[k] = time;
  }
}
