import type { Petri } from '../petri/petri.ts';
import type { Semiflows, SparseVector } from './elimination.ts';
import { decreasingWeights, placeSemiflows, tokensOf } from './place-flows.ts';

/**
 * Proof of an upper bound on the tokens of a place.
 *
 * - `weights`: y · m never increases, so m(p) ≤ y · m₀ / y(p). `constant`: y · m is invariant (y is a semiflow). `from`: the
 *   method that found y
 * - `capacity`: every transition that adds to the place tests for room
 * - `never`: no transition that adds to the place can ever fire, because each needs more tokens of some place than that
 *   place can hold; the initial tokens are the bound
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

/** The result of {@link placeProofs}. */
export interface PlaceProofs {
  /** By place of the unfolded net; undefined if nothing is proved. */
  readonly proofs: readonly (PlaceProof | undefined)[];
  readonly semiflows: Semiflows;
  /** Transitions that can never fire because of these bounds. */
  readonly dead: readonly number[];
}

/**
 * Bounds of places proved without a state space: by capacities, by semiflows, by non-increasing weights if semiflows leave a
 * place unbounded, and by transitions that these bounds make dead.
 *
 * @param effort limit of each search for weights
 * @param stop polled during the searches; once it returns true, the proofs found so far are returned
 */
export function placeProofs(petri: Petri, effort?: number, stop: () => boolean = () => false): PlaceProofs {
  const best = new BestProofs(petri);
  for (const [place, bound] of capacities(petri)) best.offer(place, { bound, by: 'capacity' });
  const semiflows = placeSemiflows(petri, effort, stop);
  for (const weights of semiflows.flows) best.offerWeights(weights, true, 'elimination');
  const grows = new Set(petri.transitions.flatMap((t) => t.change.flatMap(([p, n]) => (n > 0 ? [p] : []))));
  petri.places.forEach((_, p) => {
    if (!grows.has(p)) best.offerWeights(new Map([[p, 1]]), false, 'elimination');
  });
  if (best.proofs.includes(undefined) && !stop())
    for (const weights of decreasingWeights(petri, effort, stop)) best.offerWeights(weights, false, 'elimination');
  return { proofs: best.proofs, semiflows, dead: best.never() };
}

/** The smallest bound of each place found so far, with its proof. */
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
   * The transitions that can never fire because they need more tokens of a place than its bound. A place to which only dead
   * transitions add is bounded by its initial tokens; this is propagated. O(size of the net).
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

/** Upper bounds of places with a capacity: every transition that adds to such a place tests for room. O(size of the net). */
function capacities({ places, transitions }: Petri): Map<number, number> {
  const max = new Map<number, number>();
  const adds = new Map<number, number>();
  const tested = new Map<number, number>();
  for (const t of transitions) {
    const room = new Map<number, number>();
    for (const { sum, most } of t.limits)
      for (const [p, weight] of sum) room.set(p, Math.min(room.get(p) ?? Infinity, Math.floor(most / weight)));
    for (const [p, n] of t.change) {
      if (n <= 0) continue;
      adds.set(p, (adds.get(p) ?? 0) + 1);
      const own = t.resets.includes(p) ? 0 : room.get(p);
      if (own === undefined) continue;
      tested.set(p, (tested.get(p) ?? 0) + 1);
      max.set(p, Math.max(max.get(p) ?? 0, own + n));
    }
  }
  for (const p of max.keys()) {
    if (adds.get(p) !== tested.get(p)) max.delete(p);
    else max.set(p, Math.max(max.get(p)!, places[p]!.initial));
  }
  return max;
}

/** Work limit of each search for a proof, about a tenth of a second, and more for large nets. */
const EFFORT = 500_000;
const EFFORT_PER_PLACE = 150;
/** Larger nets get only the basic effort: their states are few, so wider fields cost less than proofs. */
const MANY_PLACES = 20_000;

/** By place: the maximum number of tokens, if it can be proved without a state space ({@link placeProofs}); otherwise Infinity. */
export function provedBounds(petri: Petri): number[] {
  const places = petri.places.length;
  const effort = places > MANY_PLACES ? EFFORT : Math.max(EFFORT, EFFORT_PER_PLACE * places);
  return placeProofs(petri, effort).proofs.map((proof) => proof?.bound ?? Number.POSITIVE_INFINITY);
}
