import type { Petri, PetriTransition } from '../../petri/petri.ts';

/** Transitions that all need a token in one place; if it is empty, none of them is tested. */
export interface Group {
  readonly place: number | undefined;
  readonly transitions: readonly number[];
}

/** Minimum number of transitions for grouping. */
const MIN_GROUPED = 12;
/** Work limit of the random walk. */
const EFFORT = 2_000_000;

/** Counts how often each place is marked along a deterministic random walk, to find rarely marked places. O(EFFORT). */
export function markedOften(petri: Petri): Float64Array {
  const { places, transitions } = petri;
  const counts = Float64Array.from(places, (p) => p.initial);
  const often = new Float64Array(places.length);
  const size = transitions.reduce((sum, t) => sum + 1 + t.needs.length, 0) + places.length;
  let random = 1;
  for (let k = Math.min(500, Math.ceil(EFFORT / Math.max(1, size))); k > 0; k--) {
    for (let p = 0; p < counts.length; p++) if (counts[p]! > 0) often[p]!++;
    const enabled = transitions.filter((t) => canHappen(t, counts));
    if (enabled.length === 0) {
      for (const [p, { initial }] of places.entries()) counts[p] = initial;
      continue;
    }
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    happen(enabled[Math.floor((random / 2 ** 32) * enabled.length)]!, counts);
  }
  return often;
}

/** True if the step is enabled, ignoring priorities. */
export function canHappen({ needs, limits }: PetriTransition, counts: ArrayLike<number>): boolean {
  for (const [p, n] of needs) if (counts[p]! < n) return false;
  for (const { sum, most } of limits) {
    let total = 0;
    for (const [p, weight] of sum) total += weight * counts[p]!;
    if (total > most) return false;
  }
  return true;
}

/** Applies the step to `counts`. */
export function happen({ change, resets }: PetriTransition, counts: Float64Array): void {
  for (const p of resets) counts[p] = 0;
  for (const [p, n] of change) counts[p]! += n;
}

/** Assigns each transition to the least often marked place that it needs; groups are in order of first occurrence. */
export function grouped(petri: Petri, list: readonly number[], often: Float64Array): Group[] {
  if (list.length < MIN_GROUPED) return [{ place: undefined, transitions: list }];
  const groups = new Map<number | undefined, number[]>();
  for (const t of list) {
    let key: number | undefined;
    for (const [p] of petri.transitions[t]!.needs) if (key === undefined || often[p]! < often[key]!) key = p;
    if (groups.has(key)) groups.get(key)!.push(t);
    else groups.set(key, [t]);
  }
  return [...groups].map(([place, transitions]) => ({ place, transitions }));
}
