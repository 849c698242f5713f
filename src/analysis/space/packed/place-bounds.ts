import { placeProofs } from '../../structure/place-proofs.ts';
import type { Petri } from '../petri.ts';

/** Work limit of each search for a proof, about a tenth of a second. */
const EFFORT = 500_000;

/** By place: the maximum number of tokens, if it can be proved without a state space ({@link placeProofs}); otherwise Infinity. */
export function placeBounds(petri: Petri): number[] {
  return placeProofs(petri, EFFORT).proofs.map((proof) => proof?.bound ?? Number.POSITIVE_INFINITY);
}
