import type { Petri } from '../space/petri.ts';
import { tokensOf } from './place-flows.ts';
import type { PlaceProof } from './place-proofs.ts';
import type { SparseVector } from './sparse-vector.ts';

/** Maximum number of terms shown in a sum. */
const MAX_TERMS = 8;

/** The proof of a place's bound in one line. */
export function proofText(petri: Petri, names: readonly string[], proof: PlaceProof): string {
  if (proof.by === 'capacity') return 'every transition that adds to it checks its capacity';
  if (proof.by === 'never') return 'no transition that adds to it can ever fire';
  const { weights, constant } = proof;
  const tokens = tokensOf(weights, petri);
  if (weights.size === 1 && !constant) return `nothing adds to its ${tokens}`;
  return constant
    ? `${weightsText(weights, names)} = ${tokens} in every marking`
    : `${weightsText(weights, names)} never exceeds ${tokens}`;
}

/** `2·a + b + …`. */
export function weightsText(weights: SparseVector, names: readonly string[]): string {
  let text = '';
  const terms = [...weights].sort(([a], [b]) => a - b);
  for (const [p, weight] of terms.slice(0, MAX_TERMS)) {
    const sign = text === '' ? (weight < 0 ? '−' : '') : weight < 0 ? ' − ' : ' + ';
    text += `${sign}${Math.abs(weight) === 1 ? '' : `${Math.abs(weight)}·`}${names[p]!}`;
  }
  return terms.length > MAX_TERMS ? `${text} + … (${terms.length} places)` : text;
}
