import { fail, type Place, quote, shown } from '../../base/problem.ts';
import type { Parameters } from '../parameters.ts';
import type { Site } from '../site.ts';

/** True if a program runs on a number of ranks with these parameter values. */
export type RankRule<P = Parameters> = (ranks: number, params: Readonly<P>) => boolean;

/** A model that restricts its number of ranks. */
interface TakesRanks {
  allows(ranks: number): boolean;
}

/** @throws InputError MODEL001 if the rule is not a function */
export function checkRule(rule: unknown, { place }: Site): void {
  if (rule !== undefined && typeof rule !== 'function')
    fail('MODEL001', `ranks: expected a function, as in ranks: (n) => n % 2 === 0, got ${shown(rule)}`, place);
}

/**
 * Evaluates a declared rule.
 *
 * @throws InputError MODEL001 if the rule throws or does not return a boolean
 */
export function ruleAllows(rule: RankRule, name: string, ranks: number, params: Parameters, place: Place): boolean {
  let answer: unknown;
  try {
    answer = rule(ranks, params);
  } catch (e) {
    const { message } = e instanceof Error ? e : new Error(String(e));
    return fail('MODEL001', `ranks of model ${quote(name)}, called with ${ranks}, throws: ${message}`, place);
  }
  if (typeof answer === 'boolean') return answer;
  return fail(
    'MODEL001',
    `ranks of model ${quote(name)}, called with ${ranks}: expected true or false, got ${shown(answer)}`,
    place,
  );
}

/** Maximum number of ranks of a model: that of processes of a net (NET030). */
export const MAX_RANKS: number = 2 ** 18;

/** Maximum number of ranks of a model whose ranks are lumped: they have no tokens each. */
export const MAX_LUMPED_RANKS: number = 2 ** 24;

/** True if a value can be a number of ranks. */
export const isCount = (ranks: number, most: number = MAX_RANKS): boolean =>
  Number.isSafeInteger(ranks) && ranks >= 1 && ranks <= most;

/** Upper end of the search for an allowed number: includes one for any rule of multiples, squares, cubes or powers. */
const reach = (ranks: number): number => Math.min(MAX_RANKS, 16 * ranks + 4096);

/** The largest allowed number up to `max`; undefined if no number is allowed. */
export function largestAllowed(model: TakesRanks, max: number): number | undefined {
  for (let n = Math.min(max, MAX_RANKS); n >= 1; n--) if (model.allows(n)) return n;
  return undefined;
}

/** The smallest allowed number from `min`; undefined if none is within the search range. */
export function smallestAllowed(model: TakesRanks, min: number): number | undefined {
  const end = reach(min);
  for (let n = Math.max(1, min); n <= end; n++) if (model.allows(n)) return n;
  return undefined;
}

/** Suggests the nearest allowed numbers: `; the nearest allowed are 4 and 9`. */
export function nearestAllowed(model: TakesRanks, ranks: number): string {
  const near = [largestAllowed(model, ranks - 1), smallestAllowed(model, ranks + 1)].filter((n) => n !== undefined);
  if (near.length === 0) return '';
  return `; ${near.length === 1 ? `the nearest allowed is ${near[0]}` : `the nearest allowed are ${near.join(' and ')}`}`;
}
