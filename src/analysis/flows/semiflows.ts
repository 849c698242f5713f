import type { SparseVector } from './elimination.ts';
import { Elimination, type Semiflows } from './elimination.ts';

/** Work limit of a search in matrix entries visited: at least this number, and more for large matrices. */
const MIN_EFFORT = 5_000_000;
const EFFORT_PER_ROW = 300;

const effortFor = (rows: readonly SparseVector[]): number => Math.max(MIN_EFFORT, EFFORT_PER_ROW * rows.length);

/**
 * The minimal semiflows of a matrix C: integer vectors y ≥ 0, y ≠ 0 with y · C = 0, greatest common divisor 1 and minimal
 * support. For the incidence matrix (rows are places) these are the place semiflows: y · m is invariant. For its transpose
 * they are the transition semiflows: firing counts that reproduce a marking. Fourier–Motzkin elimination, that is Farkas'
 * algorithm with minimal supports (Colom & Silva, _Advances in Petri Nets 1990_), cheapest column first. Two rows are combined
 * only if they are adjacent, that is if no other row's support lies inside the union of theirs (Motzkin et al. 1953, double
 * description method).
 *
 * The number of semiflows can be exponential. If the search exceeds its limit, a second search combines every row with only a
 * few others; it finds some semiflows, and `complete` is false. Arithmetic is exact: vectors with entries above 2⁵³ are omitted.
 *
 * @param effort limit of each of the two searches, in entries visited
 * @param prices by index; the second search prefers semiflows y with a small price · y
 * @param stop polled during the searches; once it returns true, the result contains the semiflows found so far
 */
export function semiflows(
  rows: readonly SparseVector[],
  effort: number = effortFor(rows),
  prices: readonly number[] = [],
  stop: () => boolean = () => false,
): Semiflows {
  // Setting up the matrix of a large net takes as long as other parts of its analysis.
  if (stop()) return { flows: [], complete: false };
  const all = new Elimination(rows, effort, Number.POSITIVE_INFINITY, [], stop).run();
  if (all.complete) return all;
  const some = stop() ? [] : someSemiflows(rows, effort, prices, stop);
  return { flows: smallest([...all.flows, ...some], stop), complete: false };
}

/** A few semiflows with low prices: every row is combined with one or two others. Roughly O(columns × rows). */
export function someSemiflows(
  rows: readonly SparseVector[],
  effort: number = effortFor(rows),
  prices: readonly number[] = [],
  stop: () => boolean = () => false,
): SparseVector[] {
  if (stop()) return [];
  return smallest(new Elimination(rows, effort, 1, prices, stop).run().flows, stop);
}

/** Comparisons of indices that {@link smallest} may still make after a stop: some tens of milliseconds. */
const LAST_EFFORT = 1_000_000;

/**
 * Drops flows whose support contains the support of another; after a stop and some more comparisons, the rest of the flows.
 * The comparisons allow the flows of a stopped search to be reported. Fast if most flows have an index that few others have.
 */
export function smallest(flows: readonly SparseVector[], stop: () => boolean = () => false): SparseVector[] {
  let left = LAST_EFFORT;
  const frequency = new Map<number, number>();
  for (const flow of flows) for (const k of flow.keys()) frequency.set(k, (frequency.get(k) ?? 0) + 1);
  const kept: SparseVector[] = [];
  // By the rarest index of the support, which every containing support also has.
  const by = new Map<number, SparseVector[]>();
  const isInside = (inner: SparseVector, outer: SparseVector): boolean => {
    for (const k of inner.keys()) {
      left--;
      if (!outer.has(k)) return false;
    }
    return true;
  };
  const containsOne = (flow: SparseVector): boolean => {
    for (const k of flow.keys()) if (by.get(k)?.some((other) => isInside(other, flow)) === true) return true;
    return false;
  };
  for (const flow of [...flows].sort((a, b) => a.size - b.size)) {
    if (left < 0 && stop()) break;
    if (containsOne(flow)) continue;
    kept.push(flow);
    let rarest = -1;
    for (const k of flow.keys()) if (rarest < 0 || frequency.get(k)! < frequency.get(rarest)!) rarest = k;
    const others = by.get(rarest);
    if (others === undefined) by.set(rarest, [flow]);
    else others.push(flow);
  }
  return kept;
}

/**
 * The smallest multiple of a semiflow that is at least a sum in every index: `of` × sum ≤ `times` × flow. Undefined if the
 * flow is 0 at an index where the sum is positive, or if the sum has no positive weight.
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
