import { fail } from '../../base/problem.ts';
import type { Sum, Term } from './property.ts';

/** Largest factor: with it a sum over places of up to 2³¹ tokens stays exact. */
const MAX_FACTOR = 1e6;

/** Which (place, colour) a term counts: equal ones have equal keys. */
export function termKey({ place, colour }: Term): string {
  return colour === undefined ? JSON.stringify(place) : JSON.stringify([place, ...colour]);
}

/**
 * A sum with every (place, colour) once and no factor of 0, in the order of first occurrence.
 *
 * @throws InputError PROP006 a number that is not whole, or too large
 */
export function normalised(terms: readonly Term[], constant: number): Sum {
  const merged = new Map<string, Term>();
  for (const term of terms) {
    const key = termKey(term);
    const before = merged.get(key);
    merged.set(key, before === undefined ? term : { ...before, factor: before.factor + term.factor });
  }
  const kept = [...merged.values()].filter((t) => t.factor !== 0);
  for (const { factor } of kept) whole(factor, MAX_FACTOR);
  whole(constant, Number.MAX_SAFE_INTEGER);
  return { terms: kept, constant: constant + 0 };
}

/** The sum of sums. */
export function total(sums: readonly Sum[]): Sum {
  return normalised(
    sums.flatMap((s) => s.terms),
    sums.reduce((constant, s) => constant + s.constant, 0),
  );
}

export function scaled(by: number, a: Sum): Sum {
  whole(by, Number.MAX_SAFE_INTEGER);
  return normalised(
    a.terms.map((t) => ({ ...t, factor: by * t.factor })),
    by * a.constant,
  );
}

function whole(value: number, most: number): void {
  if (!Number.isInteger(value) || Math.abs(value) > most)
    fail('PROP006', `${value}: a whole number of at most ${most} is expected`, { part: 'property' });
}
