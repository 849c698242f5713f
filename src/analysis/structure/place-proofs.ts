import type { Petri } from '../space/petri.ts';
import { capacities } from './capacities.ts';
import type { Semiflows } from './elimination.ts';
import { decreasingWeights, placeSemiflows, tokensOf } from './place-flows.ts';
import type { SparseVector } from './sparse-vector.ts';

/**
 * Why a place never holds more tokens than so many.
 *
 * - `weights`: y · m never grows, so that m(p) ≤ y · m₀ / y(p). `constant`: it never changes, y is a semiflow. `from`: who found it
 * - `capacity`: every transition that adds to the place looks whether there is room
 * - `never`: no transition that adds to it can ever fire: each needs more tokens of a place than that ever holds. It keeps
 *   those that it has
 */
export type PlaceProof = { readonly bound: number } & (
  | {
      readonly by: 'weights';
      readonly weights: SparseVector;
      readonly constant: boolean;
      readonly from: 'elimination' | 'linear program';
    }
  | { readonly by: 'capacity' }
  | { readonly by: 'never' }
);

export interface PlaceProofs {
  /** By place; undefined: nothing is proved. */
  readonly proofs: readonly (PlaceProof | undefined)[];
  readonly semiflows: Semiflows;
  /** Transitions that can never fire, by these bounds. */
  readonly dead: readonly number[];
}

/**
 * Bounds of places that are proved without a state space: capacities, semiflows, where these do not do weights of which no
 * transition brings more than it takes, and what follows for places that transitions need more of.
 *
 * @param effort of each of the searches for weights
 */
export function placeProofs(petri: Petri, effort?: number): PlaceProofs {
  const best = new BestProofs(petri);
  for (const [place, bound] of capacities(petri)) best.offer(place, { bound, by: 'capacity' });
  const semiflows = placeSemiflows(petri, effort);
  for (const weights of semiflows.flows) best.offerWeights(weights, true, 'elimination');
  const grows = new Set(petri.transitions.flatMap((t) => t.change.flatMap(([p, n]) => (n > 0 ? [p] : []))));
  petri.places.forEach((_, p) => {
    if (!grows.has(p)) best.offerWeights(new Map([[p, 1]]), false, 'elimination');
  });
  if (best.proofs.includes(undefined))
    for (const weights of decreasingWeights(petri, effort)) best.offerWeights(weights, false, 'elimination');
  return { proofs: best.proofs, semiflows, dead: best.never() };
}

/** The least bound of each place, and its proof. */
export class BestProofs {
  readonly proofs: (PlaceProof | undefined)[];
  readonly #petri: Petri;

  constructor(petri: Petri, proofs: readonly (PlaceProof | undefined)[] = petri.places.map(() => undefined)) {
    this.#petri = petri;
    this.proofs = [...proofs];
  }

  offer(place: number, proof: PlaceProof): void {
    if (proof.bound < (this.proofs[place]?.bound ?? Number.POSITIVE_INFINITY)) this.proofs[place] = proof;
  }

  offerWeights(weights: SparseVector, constant: boolean, from: 'elimination' | 'linear program'): void {
    const total = tokensOf(weights, this.#petri);
    if (!Number.isSafeInteger(total)) return;
    for (const [p, weight] of weights)
      this.offer(p, { bound: Math.floor(total / weight), by: 'weights', weights, constant, from });
  }

  /**
   * The transitions that can never fire, since they need more tokens of a place than it ever holds; a place to which no
   * other adds is bounded by what it holds at first, and so on. O(size of the net).
   */
  never(): number[] {
    const { places, transitions } = this.#petri;
    const adding = places.map(() => 0);
    const needing = places.map((): number[] => []);
    transitions.forEach(({ needs, change }, t) => {
      for (const [p, n] of change) if (n > 0) adding[p]!++;
      for (const [p] of needs) needing[p]!.push(t);
    });
    const dead = new Set<number>();
    const left = places.map((_, p) => p);
    for (let p = left.pop(); p !== undefined; p = left.pop()) {
      const { initial } = places[p]!;
      if (adding[p] === 0) this.offer(p, { bound: initial, by: 'never' });
      const bound = this.proofs[p]?.bound;
      if (bound === undefined) continue;
      for (const t of needing[p]!) {
        if (dead.has(t) || transitions[t]!.needs.every(([q, n]) => q !== p || n <= bound)) continue;
        dead.add(t);
        for (const [q, n] of transitions[t]!.change) if (n > 0 && --adding[q]! === 0) left.push(q);
      }
    }
    return [...dead].sort((a, b) => a - b);
  }
}
