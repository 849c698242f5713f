import { fail } from '../../base/problem.ts';
import type { Sum, Term } from './property.ts';

/** Maximum absolute factor: sums over places with up to 2³¹ tokens remain exact. */
const MAX_FACTOR = 1e6;

/** Key of the (place, colour) that a term counts; equal ones have equal keys. */
export function termKey({ place, colour }: Term): string {
  return colour === undefined ? JSON.stringify(place) : JSON.stringify([place, ...colour]);
}

/**
 * A sum in normal form: every (place, colour) occurs once and no factor is 0; terms in the order of first occurrence.
 *
 * @throws InputError PROP006 for a number that is not an integer or too large
 */
export function normalised(terms: readonly Term[], constant: number): Sum {
  const merged = new Map<string, Term>();
  for (const term of terms) {
    const key = termKey(term);
    const before = merged.get(key);
    merged.set(key, before === undefined ? term : { ...before, factor: before.factor + term.factor });
  }
  const kept = [...merged.values()].filter((t) => t.factor !== 0);
  for (const { factor } of kept) assertInteger(factor, MAX_FACTOR);
  assertInteger(constant, Number.MAX_SAFE_INTEGER);
  return { terms: kept, constant: constant + 0 };
}

/** The sum of sums. */
export function total(sums: readonly Sum[]): Sum {
  return normalised(
    sums.flatMap((s) => s.terms),
    sums.reduce((constant, s) => constant + s.constant, 0),
  );
}

/**
 * The sum multiplied by an integer.
 *
 * @throws InputError PROP006
 */
export function scaled(by: number, a: Sum): Sum {
  assertInteger(by, Number.MAX_SAFE_INTEGER);
  return normalised(
    a.terms.map((t) => ({ ...t, factor: by * t.factor })),
    by * a.constant,
  );
}

function assertInteger(value: number, max: number): void {
  if (!Number.isInteger(value) || Math.abs(value) > max)
    fail('PROP006', `expected an integer of at most ${max}, got ${value}`, { part: 'property' });
}
