import type { FoundPath, Ground } from './proof.ts';
import { type Formula, isStateFormula } from './property.ts';

/**
 * A separately decided part of a formula. The formula combines its units with `not`, `and`, `or` and `implies` only.
 *
 * - `now`: a formula evaluated in the initial marking
 * - `reach`: `EF goal`, or `AG !goal`; decided as soon as a state of the goal is found (`found` is then its value)
 * - `home`: `AG EF goal`: every bottom component must contain a state of the goal
 * - `paths`: any other formula, decided by fixpoints
 */
export type Unit =
  | { readonly kind: 'now'; readonly formula: Formula }
  | { readonly kind: 'reach'; readonly formula: Formula; readonly goal: Formula; readonly found: boolean }
  | { readonly kind: 'home'; readonly formula: Formula; readonly goal: Formula }
  | { readonly kind: 'paths'; readonly formula: Formula };

/**
 * The value of a unit. `state` is the evidence: a state of the goal, or for `home` a state that cannot reach it. A result
 * from a helper carries its `ground` and its `path` instead.
 */
export interface Known {
  readonly value: boolean;
  readonly state?: number;
  readonly ground?: Ground;
  readonly path?: FoundPath;
}

/** The units of a formula. O(size of the formula). */
export function unitsOf(formula: Formula): Map<Formula, Unit> {
  const units = new Map<Formula, Unit>();
  const split = (f: Formula): void => {
    if (isStateFormula(f)) units.set(f, { kind: 'now', formula: f });
    else if (f.op === 'not') split(f.of);
    else if (f.op === 'and' || f.op === 'or') f.of.forEach(split);
    else if (f.op === 'implies') [f.a, f.b].forEach(split);
    else units.set(f, unitOf(f));
  };
  split(formula);
  return units;
}

function unitOf(formula: Formula): Unit {
  const { op } = formula;
  if (op === 'EF' || op === 'AG') {
    let { of } = formula;
    while (of.op === op) of = of.of;
    if (isStateFormula(of))
      return { kind: 'reach', formula, goal: op === 'EF' ? of : { op: 'not', of }, found: op === 'EF' };
    if (op === 'AG' && of.op === 'EF' && isStateFormula(of.of)) return { kind: 'home', formula, goal: of.of };
  }
  if (op === 'EU' && formula.a.op === 'true' && isStateFormula(formula.b))
    return { kind: 'reach', formula, goal: formula.b, found: true };
  return { kind: 'paths', formula };
}

/** The value of a formula from those of its units, in Kleene's three-valued logic; undefined if unknown units matter. */
export function booleanOf(f: Formula, known: ReadonlyMap<Formula, Known>): boolean | undefined {
  const unit = known.get(f);
  if (unit !== undefined) return unit.value;
  switch (f.op) {
    case 'not': {
      const value = booleanOf(f.of, known);
      return value === undefined ? undefined : !value;
    }
    case 'and':
      return conjunction(f.of.map((part) => booleanOf(part, known)));
    case 'or': {
      const value = conjunction(f.of.map((part) => inverse(booleanOf(part, known))));
      return inverse(value);
    }
    case 'implies':
      return inverse(conjunction([booleanOf(f.a, known), inverse(booleanOf(f.b, known))]));
    default:
      return undefined;
  }
}

const inverse = (value: boolean | undefined): boolean | undefined => (value === undefined ? undefined : !value);

function conjunction(values: readonly (boolean | undefined)[]): boolean | undefined {
  if (values.includes(false)) return false;
  return values.includes(undefined) ? undefined : true;
}
