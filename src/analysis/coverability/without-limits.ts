import type { Petri, PetriPlace, PetriTransition, Weighted } from '../petri/petri.ts';

/** An equivalent net without limits (inhibitors, capacities). */
export interface Unlimited {
  readonly petri: Petri;
  /** Number of places of the given net, which come first; the others are complementary places (free capacity). */
  readonly given: number;
}

/**
 * Replaces limits by complementary places if possible. If every transition that increases a sum of places also limits it, the
 * sum never exceeds some K, and a new place holds K minus the sum. The test "sum ≤ m" becomes a need of K − m tokens there.
 * Undefined if a limited sum may grow untested or is changed by a reset. O(limits × transitions).
 */
export function withoutLimits(petri: Petri): Unlimited | undefined {
  const sums = new Map<string, readonly Weighted[]>();
  for (const t of petri.transitions) for (const { sum } of t.limits) if (sum.length > 0) sums.set(keyOf(sum), sum);
  if (petri.transitions.every((t) => t.limits.length === 0)) return { petri, given: petri.places.length };
  const places: PetriPlace[] = [...petri.places];
  const added = new Map<string, { readonly place: number; readonly most: number; readonly sum: readonly Weighted[] }>();
  for (const [key, sum] of sums) {
    const max = largest(petri, key, sum);
    if (max === undefined) return undefined;
    const initial = max - sum.reduce((n, [p, factor]) => n + factor * petri.places[p]!.initial, 0);
    added.set(key, { place: places.length, most: max, sum });
    places.push({ ...petri.places[sum[0]![0]]!, initial });
  }
  // A limit over an empty sum is a constant: always or never satisfied.
  const possible = petri.transitions.filter((t) => t.limits.every(({ sum, most }) => sum.length > 0 || most >= 0));
  if (possible.length < petri.transitions.length) return undefined;
  const transitions = petri.transitions.map((t): PetriTransition => {
    const needs = new Map<number, number>(t.needs);
    const change = [...t.change];
    for (const { sum, most } of t.limits) {
      if (sum.length === 0) continue;
      const { place, most: all } = added.get(keyOf(sum))!;
      if (all > most) needs.set(place, Math.max(needs.get(place) ?? 0, all - most));
    }
    for (const { place, sum } of added.values()) {
      const by = -growth(t, sum);
      if (by !== 0) change.push([place, by]);
    }
    return { ...t, needs: [...needs], change, limits: [] };
  });
  return { petri: { ...petri, places, transitions }, given: petri.places.length };
}

const keyOf = (sum: readonly Weighted[]): string => sum.join(';');

function growth(t: PetriTransition, sum: readonly Weighted[]): number {
  const factors = new Map(sum);
  return t.change.reduce((n, [p, by]) => n + by * (factors.get(p) ?? 0), 0);
}

/** The maximum that a sum can ever reach; undefined if some transition increases it without testing it. */
function largest(petri: Petri, key: string, sum: readonly Weighted[]): number | undefined {
  let max = sum.reduce((n, [p, factor]) => n + factor * petri.places[p]!.initial, 0);
  const places = new Set(sum.map(([p]) => p));
  for (const t of petri.transitions) {
    if (t.resets.some((p) => places.has(p))) return undefined;
    const own = t.limits.filter((l) => keyOf(l.sum) === key).map((l) => l.most);
    // A limit of a transition that does not increase the sum may exceed every reachable value; K must be at least that limit.
    max = Math.max(max, ...own);
    const by = growth(t, sum);
    if (by <= 0) continue;
    if (own.length === 0) return undefined;
    max = Math.max(max, Math.min(...own) + by);
  }
  return max;
}
