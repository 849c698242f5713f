import type { SchedulerName } from './net/thread-net.ts';
import type { PoolKind } from './net/worker-stacks.ts';
import type { RecordedThreads } from './program/statements.ts';

/** Threads inside the ranks of a message-passing program: each rank has a separate pool. */
export interface ThreadRegion {
  readonly recorded: RecordedThreads;
  readonly workers: number;
  readonly scheduler: SchedulerName;
  /** Kind of the pool. Default `migrating`. */
  readonly pool?: PoolKind;
}
