import { didYouMean, fail, quote } from '../../../base/problem.ts';
import type { Petri } from '../../petri/petri.ts';
import { assertOneLevel } from '../levels.ts';
import { PetriMoves } from '../petri-moves.ts';
import type { Aim, Rule } from './draft.ts';
import { Draft } from './draft.ts';
import { postFusion, preFusion } from './fusion-rules.ts';
import { constantPlaces, parallelPlaces, untestedPlaces } from './place-rules.ts';
import { deadTransitions, idleTransitions, parallelTransitions } from './transition-rules.ts';

/** All rules, in the order in which they are tried. */
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

/** Result of a structural reduction. */
export interface StructurallyReduced {
  readonly petri: Petri;
  /** By place of the smaller net: the place of the given net. */
  readonly places: readonly number[];
  /** Number of applications by rule name. */
  readonly applied: Readonly<Record<string, number>>;
  /**
   * Translates a path of the smaller net to one of the given net. `dead`: the path ends in a dead marking; the translated path
   * then also ends in a dead marking.
   */
  translate(path: readonly number[], dead: boolean): number[];
}

/**
 * Reduces a net by rules that preserve the aim, until none applies. Each remaining transition represents a sequence of
 * transitions of the given net.
 *
 * @param rules names of the rules to use; default: every rule that preserves the aim
 * @throws InputError RED001 for a net with priorities, RED003 for a rule that is unknown or does not preserve the aim
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
    return fail('RED003', `unknown rule ${quote(name)}.${didYouMean(name, known)}`, { part });
  }
  if (!rule.keeps.includes(keep))
    fail('RED003', `rule ${name} preserves ${rule.keeps.join(' and ')}, but not ${keep}`, { part });
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
    translate(path, dead) {
      const all = path.flatMap((t) => kept[t]!.steps);
      return dead ? settled(petri, all, pending) : all;
    },
  };
}

/** Appends the firings that pre-fusions delayed, last fusion first, so that the path ends in a dead marking. */
function settled(petri: Petri, path: readonly number[], pending: readonly (readonly number[])[]): number[] {
  const moves = new PetriMoves(petri);
  let marking = moves.fireSequence(path);
  if (marking === undefined)
    throw new Error('internal error: a path of the reduced net cannot be fired in the given net');
  const all = [...path];
  for (const steps of [...pending].reverse())
    for (
      let next = moves.fireSequenceFrom(marking, steps);
      next !== undefined;
      next = moves.fireSequenceFrom(marking, steps)
    ) {
      marking = next;
      all.push(...steps);
    }
  return all;
}

function firstDifference(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return a.length - b.length;
}
