import { cycleOf as cycleIn } from '../analysis/cycle.ts';
import type { BlockedRank } from './prediction.ts';

/**
 * Ranks that wait for each other in a circle, the smallest first; undefined where there is none. A rank waits for all
 * ranks it names; one that waits for any is left out, for a message from outside the circle could free it. O(ranks + waits).
 */
export function cycleOf(deadlock: readonly BlockedRank[]): number[] | undefined {
  return cycleIn(new Map(deadlock.map((b) => [b.rank, b.waitsFor ?? []])));
}
