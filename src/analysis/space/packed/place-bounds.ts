import { placeProofs } from '../../structure/place-proofs.ts';
import type { Petri } from '../petri.ts';

/** What each search for a proof may cost: a tenth of a second. */
const EFFORT = 500_000;

/**
 * For each place the most tokens that a marking can hold, as far as it is proved without a state space; Infinity where
 * nothing is ({@link placeProofs}).
 */
export function placeBounds(petri: Petri): number[] {
  return placeProofs(petri, EFFORT).proofs.map((proof) => proof?.bound ?? Number.POSITIVE_INFINITY);
}
