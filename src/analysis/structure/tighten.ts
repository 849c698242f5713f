import type { Petri } from '../space/petri.ts';
import type { LinearSolver } from './linear-program.ts';
import { BestProofs, type PlaceProof } from './place-proofs.ts';
import { boundOfSum } from './state-equation.ts';

/** Entries of all programs that are solved for one net at most. */
const MOST_ENTRIES = 4_000_000;

/**
 * Better bounds by the state equation: for every place that is not known to hold so many tokens initially, the least bound that
 * weights can prove.
 */
export function tighten(
  petri: Petri,
  { proofs }: { readonly proofs: readonly (PlaceProof | undefined)[] },
  solver: LinearSolver,
): { readonly proofs: readonly (PlaceProof | undefined)[]; readonly dead: readonly number[] } {
  const best = new BestProofs(petri, proofs);
  const size = petri.transitions.reduce((sum, t) => sum + t.change.length, petri.places.length);
  let left = MOST_ENTRIES;
  // What is not bounded first.
  const order = petri.places
    .map((_, p) => p)
    .sort((a, b) => Number(best.proofs[b] === undefined) - Number(best.proofs[a] === undefined) || a - b);
  for (const p of order) {
    const { initial } = petri.places[p]!;
    const bound = best.proofs[p]?.bound ?? Number.POSITIVE_INFINITY;
    // A bound of 1 is worth an attempt only where it might be 0: that is rare.
    if (bound <= Math.max(1, initial)) continue;
    left -= size;
    if (left < 0) break;
    const found = boundOfSum(petri, new Map([[p, 1]]), solver);
    if (found !== undefined) best.offerWeights(found.weights, false, 'linear program');
  }
  return { proofs: best.proofs, dead: best.never() };
}
