import type { Petri } from '../space/petri.ts';

/** Upper bounds of places with a capacity: every transition that adds to such a place tests for room. O(size of the net). */
export function capacities({ places, transitions }: Petri): Map<number, number> {
  const max = new Map<number, number>();
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
      max.set(p, Math.max(max.get(p) ?? 0, own + n));
    }
  }
  for (const p of max.keys()) {
    if (adds.get(p) !== tested.get(p)) max.delete(p);
    else max.set(p, Math.max(max.get(p)!, places[p]!.initial));
  }
  return max;
}
