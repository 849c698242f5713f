import type { ExploreOptions } from '../../../analysis/space/state-space.ts';
import type { SchedulerName } from '../../../models/threads/net/thread-net.ts';
import type { PoolKind } from '../../../models/threads/net/worker-stacks.ts';

/** Options and limits of the verification of a thread program. */
export interface VerifyThreadsOptions extends Pick<ExploreOptions, 'memory' | 'seconds' | 'cancelled' | 'progress'> {
  /** Workers of the pool. Default: `workers` of the model's `verifyWith`, else 2. */
  readonly workers?: number;
  /** Default: threads of the operating system, and also the pool `stealing` if the program has no more than a few strands. */
  readonly scheduler?: SchedulerName;
  /** Kind of the pool. Default: `migrating` and `stack`, one after the other; with a kind, only pools are verified. */
  readonly pool?: PoolKind;
  /** Parameter values. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Maximum number of states of one instance, default 10⁶. */
  readonly maxStates?: number;
  /** False: explores all orders of all steps. Default true. */
  readonly reduce?: boolean;
}
