import { ALL, type Draft, type DraftTransition, limits, type Rule } from './draft.ts';

/**
 * Removes places whose tokens never change. Transitions that need more tokens never fire and are removed; limits are reduced by
 * the constant contribution of the place. (Murata 1989, §V: self-loop places.)
 */
export const constantPlaces: Rule = {
  name: 'constant-places',
  keeps: ALL,
  apply: (draft, { visible }) =>
    count(draft, (p) => {
      const arcs = draft.touching(p);
      if (visible.has(p) || arcs.some(([, t]) => t.change.has(p) || t.resets.includes(p))) return false;
      const tokens = draft.initial(p);
      for (const [number, t] of arcs) {
        const left = t.limits.map(({ sum, most }) => ({
          sum: sum.filter(([q]) => q !== p),
          most: most - tokens * sum.reduce((n, [q, factor]) => n + (q === p ? factor : 0), 0),
        }));
        if ((t.needs.get(p) ?? 0) > tokens || left.some((l) => l.most < 0)) draft.remove(number);
        else draft.replace(number, { ...t, limits: left.filter((l) => l.sum.length > 0) });
      }
      draft.removePlace(p);
      return true;
    }),
};

/** Removes places that no transition tests. (Berthelot 1987: a sink.) */
export const untestedPlaces: Rule = {
  name: 'untested-places',
  keeps: ALL,
  apply: (draft, { visible }) =>
    count(draft, (p) => {
      if (visible.has(p) || draft.touching(p).some(([, t]) => t.needs.has(p) || limits(t, p))) return false;
      draft.removePlace(p);
      return true;
    }),
};

/**
 * Removes redundant places: a place is redundant if its changes are proportional to those of another place, it always holds at
 * least the proportional number of tokens, and no transition needs more than the proportional number. (Berthelot 1987; only
 * redundancy with respect to a single other place.)
 */
export const parallelPlaces: Rule = {
  name: 'parallel-places',
  keeps: ALL,
  apply(draft, { visible }) {
    const groups = new Map<string, number[]>();
    for (const p of draft.places) {
      const changes = changesOf(draft, p);
      if (changes.size === 0 || draft.isSpecial(p)) continue;
      const unit = commonDivisor(changes.values());
      const key = [...changes].map(([t, n]) => `${t}:${n / unit}`).join();
      groups.set(key, [...(groups.get(key) ?? []), p]);
    }
    let applied = 0;
    for (const group of groups.values()) {
      const left = new Set(group);
      for (const p of group) {
        if (visible.has(p) || ![...left].some((by) => by !== p && restrictsLess(draft, p, by))) continue;
        draft.removePlace(p);
        left.delete(p);
        applied++;
      }
    }
    return applied;
  },
};

/** True if `p` disables no transition that `by` permits; their changes must be proportional. */
function restrictsLess(draft: Draft, p: number, by: number): boolean {
  const unit = commonDivisor(changesOf(draft, p).values());
  const byUnit = commonDivisor(changesOf(draft, by).values());
  if (draft.initial(p) * byUnit < draft.initial(by) * unit) return false;
  return draft.touching(p).every(([, t]) => (t.needs.get(p) ?? 0) * byUnit <= (t.needs.get(by) ?? 0) * unit);
}

function changesOf(draft: Draft, p: number): Map<number, number> {
  const changes = draft
    .touching(p)
    .flatMap(([number, t]: [number, DraftTransition]): [number, number][] => {
      const n = t.change.get(p);
      return n === undefined ? [] : [[number, n]];
    })
    .sort(([a], [b]) => a - b);
  return new Map(changes);
}

function commonDivisor(numbers: Iterable<number>): number {
  let divisor = 0;
  for (const n of numbers) {
    let [a, b] = [divisor, Math.abs(n)];
    while (b > 0) [a, b] = [b, a % b];
    divisor = a;
  }
  return divisor;
}

function count(draft: Draft, apply: (place: number) => boolean): number {
  let applied = 0;
  for (const p of [...draft.places]) if (apply(p)) applied++;
  return applied;
}
