import type { Place } from '../../net/net.ts';

/** Equal tokens beside one another, in the order of leaving. */
export interface Run {
  readonly values: readonly number[];
  readonly count: number;
}

/** The tokens of a place: those that arcs see, in order; those in service, in the order in which they came. */
export interface Held {
  readonly seen: readonly Run[];
  readonly served: readonly Run[];
}

export const sameValues = (a: readonly number[], b: readonly number[]): boolean => a.every((v, k) => v === b[k]);

/** Adds tokens at the end; in a bag to those that are equal. */
export function added(runs: readonly Run[], run: Run, order: Place['order']): readonly Run[] {
  const at = order === 'bag' ? runs.findIndex((r) => sameValues(r.values, run.values)) : runs.length - 1;
  if (at < 0 || !sameValues(runs[at]!.values, run.values)) return [...runs, run];
  return runs.map((r, k) => (k === at ? { values: r.values, count: r.count + run.count } : r));
}

/** Takes so many tokens from a run. */
export function taken(runs: readonly Run[], at: number, count: number): readonly Run[] {
  const left = runs[at]!.count - count;
  return runs.flatMap((r, k) => (k !== at ? [r] : left === 0 ? [] : [{ values: r.values, count: left }]));
}

/** How many tokens of each colour there are, by the text of the colour. */
export function totals({ seen, served }: Held): Map<string, Run> {
  const counts = new Map<string, Run>();
  for (const run of [...seen, ...served]) {
    const key = run.values.join();
    counts.set(key, { values: run.values, count: (counts.get(key)?.count ?? 0) + run.count });
  }
  return counts;
}

export function countOf({ seen, served }: Held): number {
  return [...seen, ...served].reduce((sum, r) => sum + r.count, 0);
}
