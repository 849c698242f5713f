import { DEFAULT_COSTS, type ThreadCosts } from '../../models/threads/costs.ts';
import type { ThreadMachine } from '../../models/threads/net/ports.ts';
import type { SchedulerName, ThreadNetOptions } from '../../models/threads/net/thread-net.ts';

/** Where a thread program runs. */
export interface ThreadTarget {
  /** Workers of the pool. Default 8. */
  readonly workers?: number;
  /** Default `stealing`. */
  readonly scheduler?: SchedulerName;
  /** Options of the pool. */
  readonly pool?: Omit<ThreadNetOptions, 'scheduler'>;
  /** Costs of thread operations in seconds that differ from the defaults. */
  readonly costs?: Partial<ThreadCosts>;
  /** Speed of a core in flop/s. Default 1e9. */
  readonly speed?: number;
}

export const DEFAULT_WORKERS = 8;

/** The machine of a target: one core for each worker. */
export function threadMachine({ workers = DEFAULT_WORKERS, costs = {}, speed = 1e9 }: ThreadTarget): ThreadMachine {
  return { speed, cores: workers, costs: { ...DEFAULT_COSTS, ...costs } };
}
