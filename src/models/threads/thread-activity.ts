import { COMPUTING_ROWS, MOVING_ROWS } from './firing-meanings.ts';
import type { ThreadNet } from './net/thread-net.ts';

/** A transition by which a thread begins or ends to compute, or to move bytes. */
export interface ActivityEntry {
  readonly transition: string;
  readonly part: 'start' | 'end';
  /** A logged variable: the carrier. */
  readonly variables: readonly ['w'];
  readonly tell: (carrier: number, time: number) => void;
}

/**
 * The threads of a region that are active, and the work that they do: by pool the number of computing threads, at most that
 * of the pool's cores. O(1) per firing.
 */
export class ThreadActivity {
  /** Core-seconds of computing by pool. */
  readonly work: Float64Array;
  readonly entries: readonly ActivityEntry[];
  readonly #computing: Int32Array;
  readonly #since: Float64Array;
  readonly #cores: number;
  readonly #active: (time: number, by: number, pool: number) => void;

  /**
   * @param prefix of the names of the region's transitions
   * @param poolOf the pool of each carrier
   * @param active receives changes of the number of threads of a pool that compute, load or store; threads beyond the number of
   * cores of their process do not count
   */
  constructor(
    { program: { pools, workers }, shared }: Pick<ThreadNet, 'program' | 'shared'>,
    prefix: string,
    poolOf: Int32Array,
    active: (time: number, by: number, pool: number) => void,
  ) {
    this.work = new Float64Array(pools);
    this.#computing = new Int32Array(pools);
    this.#since = new Float64Array(pools);
    this.#cores = workers;
    this.#active = active;
    const { begins, ends } = COMPUTING_ROWS;
    const entry = (transition: string, part: 'start' | 'end', tell: ActivityEntry['tell']): ActivityEntry => ({
      transition: `${prefix}${transition}`,
      part,
      variables: ['w'],
      tell,
    });
    this.entries = [
      entry(shared ? begins : ends, 'start', (w, time) => this.#computes(poolOf[w]!, 1, time)),
      entry(ends, 'end', (w, time) => this.#computes(poolOf[w]!, -1, time)),
      entry(MOVING_ROWS.begins, 'start', (w, time) => active(time, 1, poolOf[w]!)),
      entry(MOVING_ROWS.ends, 'start', (w, time) => active(time, -1, poolOf[w]!)),
    ];
  }

  /** Accounts the work up to the end of the run. */
  finish(time: number): void {
    for (let pool = 0; pool < this.work.length; pool++) this.#advance(pool, time);
  }

  #computes(pool: number, by: number, time: number): void {
    this.#advance(pool, time);
    const before = this.#computing[pool]!;
    this.#computing[pool] = before + by;
    if (Math.max(before, before + by) <= this.#cores) this.#active(time, by, pool);
  }

  #advance(pool: number, time: number): void {
    this.work[pool]! += Math.min(this.#computing[pool]!, this.#cores) * (time - this.#since[pool]!);
    this.#since[pool] = time;
  }
}
