import { DEFAULT_COSTS, type ThreadCosts } from '../../base/thread-costs.ts';

export { DEFAULT_COSTS, type ThreadCosts } from '../../base/thread-costs.ts';

/** No operation takes time: for the exploration of all orders. */
export const NO_COSTS: ThreadCosts = Object.fromEntries(
  Object.keys(DEFAULT_COSTS).map((name) => [name, 0]),
) as unknown as ThreadCosts;

/** Bytes of a cache line. */
export const CACHE_LINE = 64;
