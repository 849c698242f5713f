import { type SparseVector, semiflows } from '../../structure/semiflows.ts';
import type { Petri } from '../petri.ts';

/**
 * For each place the most tokens that a marking can hold, as far as it is proved without a state space; Infinity where
 * nothing is. Proofs: nothing adds to the place; a capacity; a place semiflow y (y · m is constant, so m(p) ≤ y · m₀ / y(p)).
 */
export function placeBounds(petri: Petri): number[] {
  const { places, transitions } = petri;
  const grows = new Set<number>();
  const hasReset = new Set<number>();
  for (const t of transitions) {
    for (const [p, n] of t.change) if (n > 0) grows.add(p);
    for (const p of t.resets) hasReset.add(p);
  }
  const bounds = places.map(({ initial }, p) => (grows.has(p) ? Number.POSITIVE_INFINITY : initial));
  for (const [p, most] of capacities(petri)) bounds[p] = Math.min(bounds[p]!, most);
  const { flows } = semiflows(incidenceRows(petri, hasReset));
  for (const flow of flows) {
    let total = 0;
    for (const [p, weight] of flow) total += weight * places[p]!.initial;
    for (const [p, weight] of flow) bounds[p] = Math.min(bounds[p]!, Math.floor(total / weight));
  }
  return bounds;
}

/** What each place gains, by transition. Places that are reset conserve nothing: their rows have a column of their own. */
function incidenceRows({ places, transitions }: Petri, hasReset: ReadonlySet<number>): SparseVector[] {
  const rows = places.map(() => new Map<number, number>());
  const columns = new Map<string, number>();
  for (const t of transitions) {
    if (t.change.length === 0) continue;
    const key = t.change.join(';');
    if (columns.has(key)) continue;
    const column = columns.size;
    columns.set(key, column);
    for (const [p, n] of t.change) rows[p]!.set(column, n);
  }
  let next = columns.size;
  for (const p of hasReset) rows[p]!.set(next++, -1);
  return rows;
}

/** Places that have room for so many tokens at most: every transition that adds to one tests that. */
function capacities({ places, transitions }: Petri): Map<number, number> {
  const most = new Map<number, number>();
  const adds = new Map<number, number>();
  const tested = new Map<number, number>();
  for (const t of transitions) {
    const room = new Map<number, number>();
    for (const { sum, most } of t.limits)
      for (const [p, weight] of sum) room.set(p, Math.min(room.get(p) ?? Infinity, Math.floor(most / weight)));
    for (const [p, n] of t.change) {
      if (n <= 0) continue;
      adds.set(p, (adds.get(p) ?? 0) + 1);
      const own = t.resets.includes(p) ? 0 : room.get(p);
      if (own === undefined) continue;
      tested.set(p, (tested.get(p) ?? 0) + 1);
      most.set(p, Math.max(most.get(p) ?? 0, own + n));
    }
  }
  for (const p of most.keys()) {
    if (adds.get(p) !== tested.get(p)) most.delete(p);
    else most.set(p, Math.max(most.get(p)!, places[p]!.initial));
  }
  return most;
}
