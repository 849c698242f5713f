import type { Weighted } from '../petri/petri.ts';
import type { Relation } from '../properties/property.ts';
import type { PetriMoves, Tokens } from './petri-moves.ts';

/**
 * A condition on one marking of a place/transition net, in negation normal form: the translation of a formula without path
 * operators.
 *
 * - `sum`: compares a weighted sum of tokens with a number; every place occurs once, no factor is 0
 * - `dead`: no transition is enabled; `alive`: some transition is enabled
 */
export type Condition =
  | { readonly op: 'true' | 'false' | 'dead' | 'alive' }
  | { readonly op: 'sum'; readonly sum: readonly Weighted[]; readonly relation: Relation; readonly than: number }
  | { readonly op: 'and' | 'or'; readonly of: readonly Condition[] };

/** The negation of each relation. */
export const OPPOSITE: Readonly<Record<Relation, Relation>> = {
  '<': '>=',
  '<=': '>',
  '=': '!=',
  '!=': '=',
  '>=': '<',
  '>': '<=',
};

export const TRUE: Condition = { op: 'true' };
export const FALSE: Condition = { op: 'false' };

/** Conjunction or disjunction; removes constants and flattens nested operators of the same kind. */
export function joined(op: 'and' | 'or', parts: readonly Condition[]): Condition {
  const [neutral, settling] = op === 'and' ? (['true', 'false'] as const) : (['false', 'true'] as const);
  if (parts.some((p) => p.op === settling)) return { op: settling };
  const left = parts.filter((p) => p.op !== neutral).flatMap((p) => (p.op === op && 'of' in p ? p.of : [p]));
  return left.length === 0 ? { op: neutral } : left.length === 1 ? left[0]! : { op, of: left };
}

/** A comparison; a constant if the sum is empty. */
export function compared(sum: readonly Weighted[], relation: Relation, than: number): Condition {
  const terms = sum.filter(([, n]) => n !== 0);
  if (terms.length === 0) return relates(0, relation, than) ? TRUE : FALSE;
  return { op: 'sum', sum: terms, relation, than };
}

export function relates(a: number, relation: Relation, b: number): boolean {
  switch (relation) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '=':
      return a === b;
    case '!=':
      return a !== b;
    case '>=':
      return a >= b;
    case '>':
      return a > b;
  }
}

export function sumOf(sum: readonly Weighted[], marking: Tokens): number {
  let total = 0;
  for (const [p, n] of sum) total += n * marking[p]!;
  return total;
}

/** True if a condition holds in a marking. O(size of the condition); `dead` and `alive` add O(net). */
export function holdsIn(c: Condition, marking: Tokens, moves: PetriMoves): boolean {
  switch (c.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'dead':
    case 'alive':
      return isDead(marking, moves) === (c.op === 'dead');
    case 'sum':
      return relates(sumOf(c.sum, marking), c.relation, c.than);
    case 'and':
      return c.of.every((part) => holdsIn(part, marking, moves));
    case 'or':
      return c.of.some((part) => holdsIn(part, marking, moves));
  }
}

function isDead(marking: Tokens, moves: PetriMoves): boolean {
  for (let t = 0; t < moves.transitions; t++) if (moves.enabled(t, marking)) return false;
  return true;
}

/** Places that occur in sums of the condition. */
export function placesOf(condition: Condition): Set<number> {
  const places = new Set<number>();
  const left = [condition];
  for (let c = left.pop(); c !== undefined; c = left.pop()) {
    if (c.op === 'sum') for (const [p] of c.sum) places.add(p);
    else if (c.op === 'and' || c.op === 'or') left.push(...c.of);
  }
  return places;
}

/** True if the condition contains `dead` or `alive`. */
export function asksDead(condition: Condition): boolean {
  const left = [condition];
  for (let c = left.pop(); c !== undefined; c = left.pop()) {
    if (c.op === 'dead' || c.op === 'alive') return true;
    if (c.op === 'and' || c.op === 'or') left.push(...c.of);
  }
  return false;
}
