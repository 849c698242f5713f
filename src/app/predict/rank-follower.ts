import { ParallelismMeter } from '../../analysis/parallelism.ts';
import { type RankStateSink, RankStates } from '../../models/rank-states.ts';
import type { FollowedRanks, FollowRanks } from '../options.ts';

/** Follows what the ranks of a trace do, and how many compute at a time. */
export class RankFollower {
  readonly states: RankStates;
  readonly parallelism: ParallelismMeter = new ParallelismMeter();
  readonly #read: (log: Float64Array, length: number) => void;

  constructor({ operations, ranks, sharedCores, detachedBelow }: FollowRanks, sink?: RankStateSink) {
    const active = (time: number, by: 1 | -1): void => this.parallelism.change(time, by);
    this.states = new RankStates(operations, ranks, { sharedCores, detachedBelow, active }, sink);
    this.#read = this.states.log([]).read;
  }

  read(log: Float64Array, length: number): void {
    this.#read(log, length);
  }

  /** What it has found so far, as plain data. */
  state(): FollowedRanks {
    return { states: this.states.state(), parallelism: this.parallelism.state() };
  }

  restore({ states, parallelism }: FollowedRanks): void {
    this.states.restore(states);
    this.parallelism.restore(parallelism);
  }
}
