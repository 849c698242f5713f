import type { Formula, Relation } from '../analysis/properties/property.ts';
import { didYouMean, fail, quote, shown } from '../base/problem.ts';
import type { Net } from '../net/net.ts';

/** The formula `tokens(place) relation count`. */
export function tokensOf(place: string, relation: Relation, count: number): Formula {
  return {
    op: 'compare',
    relation,
    left: { terms: [{ factor: 1, place }], constant: 0 },
    right: { terms: [], constant: count },
  };
}

/** The conjunction of formulas; a single one is returned as it is. */
export function allOf(parts: readonly Formula[]): Formula {
  return parts.length === 1 ? parts[0]! : parts.length === 0 ? { op: 'true' } : { op: 'and', of: parts };
}

/**
 * The formula of the markings in which the places hold exactly (`=`) or at least (`>=`) the given numbers of tokens.
 *
 * @throws InputError TEST005 for an unknown place, or a number that is not an integer ≥ 0
 */
export function markingFormula(
  net: Net,
  part: string,
  marking: Readonly<Record<string, number>>,
  relation: '=' | '>=',
): Formula {
  const entries = Object.entries(checkedCounts(net, part, marking));
  for (const [place, count] of entries)
    if (count < 0) fail('TEST005', `tokens of ${quote(place)}: expected an integer >= 0, got ${count}`, { part });
  return allOf(entries.map(([place, count]) => tokensOf(place, relation, count)));
}

/**
 * Checks an object of integers by place.
 *
 * @throws InputError TEST005
 */
export function checkedCounts(net: Net, part: string, counts: unknown): Readonly<Record<string, number>> {
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts))
    fail('TEST005', `expected an object of numbers by place, got ${shown(counts)}`, { part });
  const known = net.places.map((p) => p.name);
  const entries = Object.entries(counts as object);
  if (entries.length === 0) fail('TEST005', 'expected { place: number, … }, got an empty object', { part });
  for (const [place, count] of entries) {
    if (!known.includes(place))
      fail('TEST005', `the net has no place ${quote(place)}.${didYouMean(place, known)}`, { part });
    if (!Number.isSafeInteger(count))
      fail('TEST005', `${quote(place)}: expected an integer, got ${shown(count)}`, { part });
  }
  return counts as Readonly<Record<string, number>>;
}
