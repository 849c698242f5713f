import type { Formula, Relation, Sum } from '../properties/property.ts';
import type { RewardExpression } from '../reward.ts';

/**
 * `linear program`: invariants and operational laws. `balanced jobs`: with the bounds of a closed product-form network. `trivial`: a
 * single row, or nothing is known, as 0 for the lower end.
 */
export type BoundSource = 'linear program' | 'balanced jobs' | 'trivial';

/** Proved ends of a mean; infinite where none was found. */
export interface Ends {
  readonly lower: number;
  readonly upper: number;
  readonly lowerBy: BoundSource;
  readonly upperBy: BoundSource;
}

/** A proved interval of the long-run mean of a reward. */
export interface RewardBounds {
  /** Null if none was found. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly lowerBy: BoundSource;
  readonly upperBy: BoundSource;
  /** Why nothing is known. */
  readonly because?: string;
}

/** Proved ranges of sums over a net, from linear programs. */
export interface Facts {
  /** Variables of the mean tokens of a place; undefined if it is unknown. */
  readonly tokens: (place: string) => readonly number[];
  /** Variables of the firings per second of a transition. */
  readonly firings: (transition: string) => readonly number[];
  /** The largest number of tokens in every marking, by variable; Infinity if none is known. */
  readonly most: (variable: number) => number;
  /** Ends of a weighted sum of variables. */
  readonly ends: (sum: ReadonlyMap<number, number>) => Ends;
}

type Share = readonly [lower: number, upper: number];
const UNKNOWN: Share = [0, 1];
/** Relative room for the roundings of a few operations. */
const ROUNDED = 2 ** -48;

/**
 * Bounds of the mean of a reward. Those of sums and firings come from linear programs; those of the probability of a formula follow from the
 * mean of each compared sum and its range in all markings (README of this folder). O(terms) programs.
 */
export function rewardBounds(reward: RewardExpression, facts: Facts): RewardBounds {
  if (reward.kind === 'function') return none('it is a function: bounds are known for rewards in text form');
  if (reward.kind === 'formula') {
    const [lower, upper] = probability(reward.formula, facts);
    const by = 'linear program' as const;
    if (lower > 0 || upper < 1)
      return { lower, upper, lowerBy: lower > 0 ? by : 'trivial', upperBy: upper < 1 ? by : 'trivial' };
    const because = 'the means and bounds of places prove nothing about the formula';
    return { lower, upper, lowerBy: 'trivial', upperBy: 'trivial', because };
  }
  const linear = reward.kind === 'sum' ? linearOf(reward.sum, facts) : firingsOf(reward.transitions, facts);
  if (linear === undefined) return none('it counts tokens of one colour: bounds are known for all colours of a place');
  const { lower, upper, lowerBy, upperBy } = facts.ends(linear.sum);
  const { constant } = linear;
  const room = (x: number): number => (constant === 0 ? 0 : ROUNDED * (Math.abs(x) + Math.abs(constant)));
  const low = lower + constant - room(lower);
  const high = upper + constant + room(upper);
  if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY) return none('its places have no bounds');
  return { lower: Number.isFinite(low) ? low : null, upper: Number.isFinite(high) ? high : null, lowerBy, upperBy };
}

const none = (because: string): RewardBounds => ({
  lower: null,
  upper: null,
  lowerBy: 'trivial',
  upperBy: 'trivial',
  because,
});

interface Linear {
  readonly sum: ReadonlyMap<number, number>;
  readonly constant: number;
}

/** A sum over variables; undefined if it counts tokens of one colour. */
function linearOf(
  { terms, constant }: Sum,
  facts: Facts,
  sign: 1 | -1 = 1,
  sum = new Map<number, number>(),
): Linear | undefined {
  for (const { factor, place, colour } of terms) {
    if (colour !== undefined && colour.length > 0) return undefined;
    for (const v of facts.tokens(place)) sum.set(v, (sum.get(v) ?? 0) + sign * factor);
  }
  for (const [v, factor] of sum) if (factor === 0) sum.delete(v);
  return { sum, constant: sign * constant };
}

function firingsOf(transitions: readonly string[], facts: Facts): Linear {
  const variables = [...new Set(transitions)].flatMap((t) => facts.firings(t));
  return { sum: new Map(variables.map((v) => [v, 1])), constant: 0 };
}

/** An interval of the share of time in which a formula holds; parts are combined by Fréchet's inequalities. */
function probability(f: Formula, facts: Facts): Share {
  const all = (parts: readonly Formula[]): Share[] => parts.map((part) => probability(part, facts));
  switch (f.op) {
    case 'true':
      return [1, 1];
    case 'false':
      return [0, 0];
    case 'not':
      return complement(probability(f.of, facts));
    case 'and':
      return both(all(f.of));
    case 'or':
      return complement(both(all(f.of).map(complement)));
    case 'implies':
      return complement(both([probability(f.a, facts), complement(probability(f.b, facts))]));
    case 'compare':
      return comparison(f.relation, f.left, f.right, facts);
    default:
      return UNKNOWN;
  }
}

const complement = ([lower, upper]: Share): Share => [down(1 - upper), up(1 - lower)];

function both(parts: readonly Share[]): Share {
  const missing = parts.reduce((sum, [lower]) => sum + (1 - lower), 0);
  return [down(1 - missing), parts.reduce((least, [, upper]) => Math.min(least, upper), 1)];
}

/** The share of time in which a comparison holds, from those in which the difference of both sums is at least 0, and at least 1. */
function comparison(relation: Relation, left: Sum, right: Sum, facts: Facts): Share {
  const first = linearOf(left, facts);
  const linear = first && linearOf(right, facts, -1, new Map(first.sum));
  if (first === undefined || linear === undefined) return UNKNOWN;
  const { sum } = linear;
  const constant = first.constant + linear.constant;
  let [least, most] = [constant, constant];
  for (const [v, factor] of sum)
    if (factor > 0) most += factor * facts.most(v);
    else least += factor * facts.most(v);
  const { lower, upper } = facts.ends(sum);
  const atLeast = (k: number): Share => {
    if (least >= k) return [1, 1];
    if (most < k) return [0, 0];
    // The chords of [D >= k] over the range of D: from (least, 0) to (k, 1), and from (k - 1, 0) to (most, 1).
    const above = (upper + constant - least) / (k - least);
    const below = (lower + constant - (k - 1)) / (most - (k - 1));
    const room = (Math.abs(constant) + Math.abs(k) + 1) * ROUNDED;
    return [
      most < Number.POSITIVE_INFINITY ? down(below - room) : 0,
      least > Number.NEGATIVE_INFINITY ? up(above + room) : 1,
    ];
  };
  const [zero, one] = [atLeast(0), atLeast(1)];
  // P(D = 0) = P(D >= 0) - P(D >= 1).
  const equal: Share = [down(zero[0] - one[1]), up(zero[1] - one[0])];
  switch (relation) {
    case '>=':
      return zero;
    case '>':
      return one;
    case '<':
      return complement(zero);
    case '<=':
      return complement(one);
    case '=':
      return equal;
    case '!=':
      return complement(equal);
  }
}

/** Ends of shares, with room for rounding; 0 and 1 are exact. */
const down = (x: number): number => (x >= 1 ? 1 : Math.max(0, x - ROUNDED * Math.abs(x)));
const up = (x: number): number => (x <= 0 ? 0 : Math.min(1, x + ROUNDED * Math.abs(x)));
