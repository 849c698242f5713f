import type { Place } from '../../net/net.ts';

/** Consecutive equal tokens, in the order in which they leave. */
export interface Run {
  readonly values: readonly number[];
  readonly count: number;
}

/** The tokens of a place: those visible to arcs, in order, and those in service, in order of arrival. */
export interface Held {
  readonly seen: readonly Run[];
  readonly served: readonly Run[];
}

export const sameValues = (a: readonly number[], b: readonly number[]): boolean => a.every((v, k) => v === b[k]);

/** Appends tokens; in a bag they are added to an equal run. */
export function added(runs: readonly Run[], run: Run, order: Place['order']): readonly Run[] {
  const at = order === 'bag' ? runs.findIndex((r) => sameValues(r.values, run.values)) : runs.length - 1;
  if (at < 0 || !sameValues(runs[at]!.values, run.values)) return [...runs, run];
  return runs.map((r, k) => (k === at ? { values: r.values, count: r.count + run.count } : r));
}

/** Removes `count` tokens from run `at`. */
export function taken(runs: readonly Run[], at: number, count: number): readonly Run[] {
  const left = runs[at]!.count - count;
  return runs.flatMap((r, k) => (k !== at ? [r] : left === 0 ? [] : [{ values: r.values, count: left }]));
}

/** The number of tokens of each colour, keyed by the colour's values. */
export function totals({ seen, served }: Held): Map<string, Run> {
  const counts = new Map<string, Run>();
  for (const run of [...seen, ...served]) {
    const key = run.values.join();
    counts.set(key, { values: run.values, count: (counts.get(key)?.count ?? 0) + run.count });
  }
  return counts;
}

/** The number of tokens in a place, tokens in service included. */
export function countOf({ seen, served }: Held): number {
  return [...seen, ...served].reduce((sum, r) => sum + r.count, 0);
}
