import type { Aim, Rule } from './draft.ts';
import { type Draft, type DraftTransition, limits, sequence } from './draft.ts';

/** The producers and consumers of a place, if no transition is both. */
interface Between {
  readonly before: readonly (readonly [number, DraftTransition])[];
  readonly after: readonly (readonly [number, DraftTransition])[];
  /** Tokens that each of `after` consumes; each of `before` produces a multiple of it. */
  readonly weight: number;
}

/**
 * Fuses the producers of a place with its consumers. The place is initially empty, and its consumers need nothing else, so a
 * token can be consumed at once. (Berthelot 1987: post-agglomeration; Haddad & Pradat-Peyre 2006.)
 *
 * Preserves deadlocks: the place is empty in a dead marking, and consuming earlier disables nothing. Preserves reachability of
 * conditions on places that the consumers do not change. Does not preserve paths.
 */
export const postFusion: Rule = {
  name: 'post-fusion',
  keeps: ['deadlock', 'reachability'],
  apply: (draft, aim) => everyPlace(draft, (p) => fusePost(draft, aim, p)),
};

/**
 * The mirror case: the producers do nothing but fill the place, and consume only tokens that no other transition tests. A
 * producer can therefore be delayed until its token is consumed. (Berthelot 1987: pre-agglomeration.)
 */
export const preFusion: Rule = {
  name: 'pre-fusion',
  keeps: ['deadlock', 'reachability'],
  apply: (draft, aim) => everyPlace(draft, (p) => fusePre(draft, aim, p)),
};

function everyPlace(draft: Draft, apply: (place: number) => boolean): number {
  let applied = 0;
  for (const p of [...draft.places]) if (apply(p)) applied++;
  return applied;
}

function between(draft: Draft, { visible }: Aim, p: number): Between | undefined {
  if (visible.has(p) || draft.initial(p) !== 0 || draft.isSpecial(p)) return undefined;
  const arcs = draft.touching(p);
  const before = arcs.filter(([, t]) => (t.change.get(p) ?? 0) > 0);
  const after = arcs.filter(([, t]) => t.needs.has(p));
  if (before.length === 0 || after.length === 0 || before.length + after.length !== arcs.length) return undefined;
  if (before.length * after.length > before.length + after.length) return undefined;
  const weight = after[0]![1].needs.get(p)!;
  if (after.some(([, t]) => t.needs.get(p) !== weight || t.change.get(p) !== -weight)) return undefined;
  if (before.some(([, t]) => t.needs.has(p) || t.change.get(p)! % weight !== 0)) return undefined;
  // Several tokens could go to different consumers: the fusion would need all combinations.
  if (after.length > 1 && before.some(([, t]) => t.change.get(p) !== weight)) return undefined;
  return { before, after, weight };
}

function fusePost(draft: Draft, aim: Aim, p: number): boolean {
  const found = between(draft, aim, p);
  if (found === undefined) return false;
  for (const [, t] of found.after) {
    if (t.needs.size !== 1 || t.limits.length > 0 || t.resets.length > 0) return false;
    for (const q of t.change.keys()) {
      if (q === p) continue;
      if (draft.isSpecial(q) || (aim.keep !== 'deadlock' && aim.visible.has(q))) return false;
    }
  }
  return fuse(draft, p, found);
}

function fusePre(draft: Draft, aim: Aim, p: number): boolean {
  const found = between(draft, aim, p);
  if (found === undefined) return false;
  for (const [number, t] of found.before) {
    if (t.change.get(p) !== found.weight || t.limits.length > 0 || t.resets.length > 0) return false;
    if (t.needs.size === 0 || t.change.size !== t.needs.size + 1) return false;
    for (const [q, n] of t.needs) {
      if (t.change.get(q) !== -n || aim.visible.has(q)) return false;
      if (draft.touching(q).some(([k, u]) => (k !== number && u.needs.has(q)) || u.resets.includes(q) || limits(u, q)))
        return false;
    }
  }
  const steps = found.before.map(([, t]) => t.steps);
  if (!fuse(draft, p, found)) return false;
  draft.pending.push(...steps);
  return true;
}

function fuse(draft: Draft, p: number, { before, after, weight }: Between): boolean {
  const fused: DraftTransition[] = [];
  for (const [, first] of before)
    for (const [, second] of after) {
      let all: DraftTransition | undefined = first;
      for (let k = first.change.get(p)! / weight; k > 0 && all !== undefined; k--) all = sequence(all, second);
      if (all === undefined) return false;
      fused.push(all);
    }
  for (const [number] of [...before, ...after]) draft.remove(number);
  for (const t of fused) draft.add(t);
  draft.removePlace(p);
  return true;
}
