import { cycleOf as cycleIn } from '../../../analysis/cycle.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';

/**
 * A cycle of ranks that wait for each other, beginning with the smallest; undefined without a cycle. A rank waits for all
 * ranks it names. Ranks that wait for any rank are left out, because a message from outside the cycle could free them.
 * O(ranks + waits).
 */
export function cycleOf(deadlock: readonly BlockedRank[]): number[] | undefined {
  return cycleIn(new Map(deadlock.map((b) => [b.rank, b.waitsFor ?? []])));
}
