import { didYouMean, fail, quote } from '../../../base/problem.ts';
import type { Petri } from '../../space/petri.ts';
import { assertOneLevel } from '../levels.ts';
import { PetriMoves } from '../petri-moves.ts';
import { Draft } from './draft.ts';
import { postFusion, preFusion } from './fusion-rules.ts';
import { constantPlaces, parallelPlaces, untestedPlaces } from './place-rules.ts';
import type { Aim, Rule } from './rule.ts';
import { deadTransitions, idleTransitions, parallelTransitions } from './transition-rules.ts';

/** The rules, in the order in which they are tried. */
export const RULES: readonly Rule[] = [
  deadTransitions,
  constantPlaces,
  untestedPlaces,
  parallelTransitions,
  idleTransitions,
  parallelPlaces,
  postFusion,
  preFusion,
];

/** A smaller net. */
export interface StructurallyReduced {
  readonly petri: Petri;
  /** Which place of the given net each of its places is. */
  readonly places: readonly number[];
  /** How often each rule was applied. */
  readonly applied: Readonly<Record<string, number>>;
  /**
   * The way in the given net for one in the smaller net; `dead`: to a dead marking, which is then dead in the given net.
   */
  translate(way: readonly number[], dead: boolean): number[];
}

/**
 * Makes a net smaller by rules that keep what is aimed at, until none applies. Each transition that is left stands for a
 * sequence of the given net.
 *
 * @param rules by name, those to be used; default: all that keep what is aimed at
 * @throws InputError RED001 for a net with priorities, RED003 for a rule that does not keep it, or that there is not
 */
export function structurallyReduced(petri: Petri, aim: Aim, rules?: readonly string[]): StructurallyReduced {
  assertOneLevel(petri);
  const used = rules === undefined ? RULES.filter((r) => r.keeps.includes(aim.keep)) : rules.map((r) => ruleOf(r, aim));
  const draft = new Draft(petri);
  const applied = new Map(used.map((r) => [r.name, 0]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const rule of used) {
      const times = rule.apply(draft, aim);
      applied.set(rule.name, applied.get(rule.name)! + times);
      changed ||= times > 0;
    }
  }
  return { ...built(draft), applied: Object.fromEntries(applied) };
}

function ruleOf(name: string, { keep }: Aim): Rule {
  const rule = RULES.find((r) => r.name === name);
  const part = 'reduction';
  if (rule === undefined) {
    const known = RULES.map((r) => r.name);
    return fail('RED003', `there is no rule ${quote(name)}.${didYouMean(name, known)}`, { part });
  }
  if (!rule.keeps.includes(keep))
    fail('RED003', `rule ${name} keeps ${rule.keeps.join(' and ')}, but not ${keep}`, { part });
  return rule;
}

function built(draft: Draft): Omit<StructurallyReduced, 'applied'> {
  const { petri, pending } = draft;
  const places = [...draft.places].sort((a, b) => a - b);
  const number = new Map(places.map((p, k) => [p, k]));
  const kept = [...draft.transitions.values()].sort((a, b) => firstDifference(a.steps, b.steps));
  const weighted = (map: Iterable<readonly [number, number]>): (readonly [number, number])[] =>
    [...map].map(([p, n]) => [number.get(p)!, n] as const).sort(([a], [b]) => a - b);
  const transitions = kept.map((t) => ({
    ...petri.transitions[t.steps[0]!]!,
    level: petri.transitions.find((u) => u.level !== undefined)?.level,
    needs: weighted(t.needs),
    change: weighted(t.change),
    limits: t.limits.map(({ sum, most }) => ({ sum: weighted(sum), most })),
    resets: t.resets.map((p) => number.get(p)!).sort((a, b) => a - b),
  }));
  return {
    petri: { ...petri, places: places.map((p) => petri.places[p]!), transitions },
    places,
    translate(way, dead) {
      const all = way.flatMap((t) => kept[t]!.steps);
      return dead ? settled(petri, all, pending) : all;
    },
  };
}

/** A way, and behind it what was put off by pre-fusions, the last one first. */
function settled(petri: Petri, way: readonly number[], pending: readonly (readonly number[])[]): number[] {
  const moves = new PetriMoves(petri);
  let marking = moves.play(way);
  if (marking === undefined) throw new Error('a way of the reduced net is none of the given one');
  const all = [...way];
  for (const steps of [...pending].reverse())
    for (let next = moves.playFrom(marking, steps); next !== undefined; next = moves.playFrom(marking, steps)) {
      marking = next;
      all.push(...steps);
    }
  return all;
}

function firstDifference(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}
