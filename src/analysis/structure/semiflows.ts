import { Elimination, type Semiflows } from './elimination.ts';
import type { SparseVector } from './sparse-vector.ts';

/** Work that a search does before it gives up, in entries looked at. */
export const SEMIFLOW_EFFORT = 5_000_000;

/**
 * The minimal semiflows of a matrix: vectors y ≥ 0, y ≠ 0 of whole numbers without a common divisor with y · C = 0, of which
 * none has a support that contains another's. With the incidence matrix (rows: places) these are the place semiflows: y · m
 * is the same in every reachable marking; with its columns for rows the transition semiflows, the counts of firings that
 * lead back. Fourier–Motzkin elimination, the algorithm of Farkas with minimal supports (Colom & Silva, _Advances in Petri
 * Nets 1990_), the cheapest column first; of two rows a sum is made only where they are neighbours, that is where no other
 * row lies inside their supports (Motzkin et al. 1953, the double description method).
 *
 * There can be exponentially many. A search that was given up is followed by a second one, in which every row is combined
 * with a few others only: it finds some semiflows, with `complete` false. Exact: what would exceed 2⁵³ is left out.
 *
 * @param effort entries that each of the two looks at before it gives up
 * @param prices by index: a second search looks for semiflows y of a low price · y
 */
export function semiflows(
  rows: readonly SparseVector[],
  effort: number = SEMIFLOW_EFFORT,
  prices: readonly number[] = [],
): Semiflows {
  const all = new Elimination(rows, effort).run();
  if (all.complete) return all;
  return { flows: smallest([...all.flows, ...someSemiflows(rows, effort, prices)]), complete: false };
}

/** A few semiflows only, of low prices: every row is combined with one or two others. O(columns × rows), roughly. */
export function someSemiflows(
  rows: readonly SparseVector[],
  effort: number = SEMIFLOW_EFFORT,
  prices: readonly number[] = [],
): SparseVector[] {
  return smallest(new Elimination(rows, effort, 1, prices).run().flows);
}

/** Without flows whose support contains that of another. */
function smallest(flows: readonly SparseVector[]): SparseVector[] {
  const kept: SparseVector[] = [];
  // By the least index of the support, which lies in every support that contains it.
  const by = new Map<number, SparseVector[]>();
  for (const flow of [...flows].sort((a, b) => a.size - b.size)) {
    const inside = [...flow.keys()].some((k) =>
      by.get(k)?.some((other) => [...other.keys()].every((index) => flow.has(index))),
    );
    if (inside) continue;
    kept.push(flow);
    const least = Math.min(...flow.keys());
    by.set(least, [...(by.get(least) ?? []), flow]);
  }
  return kept;
}

/**
 * The least share of a semiflow that has at least the weights of a sum: `of` × sum ≤ `times` × flow. Undefined where the
 * flow lacks an index of it, or nothing of the sum is positive.
 */
export function shareOf(
  sum: SparseVector,
  flow: SparseVector,
): { readonly times: number; readonly of: number } | undefined {
  let [times, of] = [0, 1];
  for (const [k, weight] of sum) {
    const own = flow.get(k);
    if (own === undefined) {
      if (weight > 0) return undefined;
    } else if (weight * of > times * own) [times, of] = [weight, own];
  }
  return times > 0 ? { times, of } : undefined;
}
