import type { Petri, PetriTransition } from '../petri.ts';

/** Transitions that all need a token in one place: where it is empty none of them is looked at. */
export interface Group {
  readonly place: number | undefined;
  readonly transitions: readonly number[];
}

/** Fewer transitions are tested one by one. */
const WORTH = 12;
const EFFORT = 2_000_000;

/** How often each place is marked along a random walk, a fixed one: to find places that are seldom marked. O(effort). */
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

/** Whether the step is possible, priorities apart. */
export function canHappen({ needs, limits }: PetriTransition, counts: ArrayLike<number>): boolean {
  for (const [p, n] of needs) if (counts[p]! < n) return false;
  for (const { sum, most } of limits) {
    let total = 0;
    for (const [p, weight] of sum) total += weight * counts[p]!;
    if (total > most) return false;
  }
  return true;
}

/** Does the step. */
export function happen({ change, resets }: PetriTransition, counts: Float64Array): void {
  for (const p of resets) counts[p] = 0;
  for (const [p, n] of change) counts[p]! += n;
}

/** Each transition goes to the place of its needs that is marked least; places in the order in which they are met. */
export function grouped(petri: Petri, list: readonly number[], often: Float64Array): Group[] {
  if (list.length < WORTH) return [{ place: undefined, transitions: list }];
  const groups = new Map<number | undefined, number[]>();
  for (const t of list) {
    let key: number | undefined;
    for (const [p] of petri.transitions[t]!.needs) if (key === undefined || often[p]! < often[key]!) key = p;
    if (groups.has(key)) groups.get(key)!.push(t);
    else groups.set(key, [t]);
  }
  return [...groups].map(([place, transitions]) => ({ place, transitions }));
}
