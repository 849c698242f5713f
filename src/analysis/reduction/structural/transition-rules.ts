import type { AtMost } from '../../petri/petri.ts';
import type { Draft, DraftTransition } from './draft.ts';
import { ALL, type Rule } from './draft.ts';

/**
 * Removes transitions that can never fire: they need tokens of a place that no transition can ever mark (all such places
 * together form an empty siphon), or more tokens than a place that never grows holds initially.
 */
export const deadTransitions: Rule = {
  name: 'dead-transitions',
  keeps: ALL,
  apply(draft) {
    const possible = possibleTransitions(draft);
    let applied = 0;
    for (const number of [...draft.transitions.keys()])
      if (!possible.has(number)) {
        draft.remove(number);
        applied++;
      }
    return applied;
  },
};

/** Transitions that could fire if every place that some possible transition fills had enough tokens: a least fixpoint. O(arcs). */
function possibleTransitions(draft: Draft): Set<number> {
  const grows = new Set<number>();
  const possible = new Set<number>();
  const lacks = (t: DraftTransition): number | undefined =>
    [...t.needs].find(([p, n]) => !grows.has(p) && n > draft.initial(p))?.[0];
  const waiting = new Map<number, number[]>();
  const left = [...draft.transitions.keys()];
  for (let number = left.pop(); number !== undefined; number = left.pop()) {
    const t = draft.transitions.get(number)!;
    const place = lacks(t);
    if (place !== undefined) {
      waiting.set(place, [...(waiting.get(place) ?? []), number]);
      continue;
    }
    possible.add(number);
    for (const [p, n] of t.change)
      if (n > 0 && !grows.has(p)) {
        grows.add(p);
        left.push(...(waiting.get(p) ?? []));
        waiting.delete(p);
      }
  }
  return possible;
}

/**
 * For two transitions with the same effect, removes one that is enabled only if the other is. (Murata 1989, §V: parallel
 * transitions.)
 */
export const parallelTransitions: Rule = {
  name: 'parallel-transitions',
  keeps: ALL,
  apply(draft) {
    const groups = new Map<string, number[]>();
    for (const [number, t] of draft.transitions) {
      const key = `${[...t.change].sort(([a], [b]) => a - b).join(';')}|${[...t.resets].sort((a, b) => a - b).join()}`;
      groups.set(key, [...(groups.get(key) ?? []), number]);
    }
    let applied = 0;
    for (const group of groups.values()) {
      const left = new Set(group);
      for (const number of group) {
        const t = draft.transitions.get(number)!;
        if (![...left].some((by) => by !== number && enabledWith(t, draft.transitions.get(by)!))) continue;
        draft.remove(number);
        left.delete(number);
        applied++;
      }
    }
    return applied;
  },
};

/**
 * Removes transitions that change nothing; to preserve deadlocks, only if another transition is enabled whenever it is. Does not
 * preserve paths, because loops disappear. (Murata 1989, §V: self-loop transitions.)
 */
export const idleTransitions: Rule = {
  name: 'idle-transitions',
  keeps: ['deadlock', 'reachability'],
  apply(draft, { keep }) {
    let applied = 0;
    for (const [number, t] of [...draft.transitions]) {
      if (t.change.size > 0 || t.resets.length > 0) continue;
      if (keep === 'deadlock' && !coveredByOthers(draft, number, t)) continue;
      draft.remove(number);
      applied++;
    }
    return applied;
  },
};

function coveredByOthers(draft: Draft, number: number, t: DraftTransition): boolean {
  const [some] = t.needs.keys();
  const near = some === undefined ? draft.transitions : new Map([...t.needs.keys()].flatMap((p) => draft.touching(p)));
  for (const [other, by] of near) if (other !== number && enabledWith(t, by)) return true;
  return false;
}

/** True if the tests of `by` hold whenever those of `t` hold. */
function enabledWith(t: DraftTransition, by: DraftTransition): boolean {
  return (
    [...by.needs].every(([p, n]) => (t.needs.get(p) ?? 0) >= n) &&
    by.limits.every((limit) => t.limits.some((own) => sameSum(own, limit) && own.most <= limit.most))
  );
}

function sameSum(a: AtMost, b: AtMost): boolean {
  return a.sum.length === b.sum.length && a.sum.every(([p, n], k) => b.sum[k]![0] === p && b.sum[k]![1] === n);
}
