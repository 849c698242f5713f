import type { Petri } from '../space/petri.ts';
import type { LinearSolver } from './linear-program.ts';
import { BestProofs, type PlaceProof } from './place-proofs.ts';
import { boundOfSum } from './state-equation.ts';

/** Limit of the matrix entries in all linear programs of one net. */
const MAX_ENTRIES = 4_000_000;

type Proofs = readonly (PlaceProof | undefined)[];

/**
 * The places whose bound may improve: no bound, or a bound above 1 and above the initial tokens. Places without a bound come
 * first. A bound of 1 could only improve to 0 and is skipped.
 */
export function openPlaces({ places }: Petri, proofs: Proofs): number[] {
  const open = places.flatMap(({ initial }, p) =>
    (proofs[p]?.bound ?? Number.POSITIVE_INFINITY) > Math.max(1, initial) ? [p] : [],
  );
  return [...open.filter((p) => proofs[p] === undefined), ...open.filter((p) => proofs[p] !== undefined)];
}

/** Improves bounds by the state equation: for every open place the smallest bound that weights can prove. */
export function tighten(
  petri: Petri,
  proofs: Proofs,
  solver: LinearSolver,
): { readonly proofs: Proofs; readonly dead: readonly number[] } {
  const best = new BestProofs(petri, proofs);
  const size = petri.transitions.reduce((sum, t) => sum + t.change.length, petri.places.length);
  let left = MAX_ENTRIES;
  for (const p of openPlaces(petri, proofs)) {
    left -= size;
    if (left < 0) break;
    const found = boundOfSum(petri, new Map([[p, 1]]), solver);
    if (found !== undefined) best.offerWeights(found.weights, false, 'linear program');
  }
  return { proofs: best.proofs, dead: best.never() };
}
