import { ParallelismMeter, type ParallelismState } from '../../analysis/parallelism.ts';
import type { LoggedFirings } from '../../base/logged-firings.ts';
import {
  type FollowedOperations,
  type RankStateSink,
  RankStates,
  type RankStatesState,
} from '../../models/rank-states.ts';
import type { MessageLatency } from '../../models/transfer-parts.ts';
import { HostActivity, type HostActivityState, type RankHosts } from './host-activity.ts';

/** Input of a {@link RankFollower}: operations, protocol and machine properties. */
export interface FollowRanks {
  readonly operations: FollowedOperations;
  readonly ranks: number;
  readonly sharedCores: boolean;
  readonly detachedBelow: number;
  readonly eagerBelow: number;
  readonly messages: MessageLatency;
  /** The hosts of the ranks, if their activity is wanted. */
  readonly hosts?: RankHosts | undefined;
}

/** Result of following ranks, as plain data. */
export interface FollowedRanks {
  readonly states: RankStatesState;
  readonly parallelism: ParallelismState;
  readonly hosts?: HostActivityState;
}

/** Follows ranks in another thread: `begin` once, then `read` for each piece of the log, then `end` for the result. */
export interface OffloadedRanks {
  begin(what: FollowRanks): void;
  /** As the log of {@link RankStates}; may block until there is buffer space. */
  read(log: LoggedFirings, length: number): void;
  /** Waits until the whole log has been processed. */
  end(): FollowedRanks;
}

/** Follows the activities of a trace's ranks and the number of ranks that compute at the same time. */
export class RankFollower {
  readonly states: RankStates;
  readonly parallelism: ParallelismMeter = new ParallelismMeter();
  readonly hosts: HostActivity | undefined;
  readonly #read: (log: LoggedFirings, length: number) => void;

  constructor(what: FollowRanks, sink?: RankStateSink) {
    const { operations, ranks, sharedCores, detachedBelow, eagerBelow, messages, hosts } = what;
    const hostActivity = hosts === undefined ? undefined : new HostActivity(hosts);
    this.hosts = hostActivity;
    const active = (time: number, by: 1 | -1, rank: number): void => {
      this.parallelism.change(time, by);
      hostActivity?.change(time, rank, by);
    };
    this.states = new RankStates(operations, ranks, { sharedCores, detachedBelow, eagerBelow, messages, active }, sink);
    this.#read = this.states.log([]).read;
  }

  read(log: LoggedFirings, length: number): void {
    this.#read(log, length);
  }

  /** The results so far, as plain data. */
  state(): FollowedRanks {
    const hosts = this.hosts?.state();
    return {
      states: this.states.state(),
      parallelism: this.parallelism.state(),
      ...(hosts === undefined ? {} : { hosts }),
    };
  }

  restore({ states, parallelism, hosts }: FollowedRanks): void {
    if (hosts !== undefined) this.hosts?.restore(hosts);
    this.states.restore(states);
    this.parallelism.restore(parallelism);
  }
}
