import { condition } from './conditions.ts';
import type { Binary, Expression } from './expression.ts';
import {
  type BooleanTerm,
  coloured,
  colourOf,
  constant,
  isTerm,
  type NumberTerm,
  needsEnumeration,
  type Term,
  termOf,
  unsettled,
  type Value,
  withoutOperators,
} from './term.ts';

export { type BooleanTerm, constant, type NumberTerm, type Term, type TruthTerm } from './term.ts';

type NumberOperator = (a: NumberTerm, b: NumberTerm) => Term<number>;
type Comparison = (a: NumberTerm, b: NumberTerm) => Term<boolean>;

const binary =
  (op: Binary): NumberOperator =>
  (a, b) =>
    withoutOperators({ op, a: constant(a), b: constant(b) });

const comparison =
  (op: Binary): Comparison =>
  (a, b) =>
    condition({ op, a: constant(a), b: constant(b) });

/** The sum `a + b`. */
export const add: NumberOperator = binary('add');
/** The difference `a − b`. */
export const sub: NumberOperator = binary('sub');
/** The product `a · b`. */
export const mul: NumberOperator = binary('mul');
/** The quotient `a / b`: real division. */
export const div: NumberOperator = binary('div');
/** The remainder of `a / b`, with the sign of the dividend. */
export const mod: NumberOperator = binary('mod');
/** The smaller of `a` and `b`. */
export const min: NumberOperator = binary('min');
/** The larger of `a` and `b`. */
export const max: NumberOperator = binary('max');
/** The condition `a < b`. */
export const lt: Comparison = comparison('lt');
/** The condition `a ≤ b`. */
export const le: Comparison = comparison('le');
/** The condition `a > b`. */
export const gt: Comparison = comparison('gt');
/** The condition `a ≥ b`. */
export const ge: Comparison = comparison('ge');

/** Equality of two values of the same kind; an enumeration value may be given as a string. */
export function eq<V extends Value>(a: Term<V> | NoInfer<V>, b: Term<V> | NoInfer<V>): Term<boolean> {
  const [x, y] = alike(a, b);
  return condition({ op: 'eq', a: x, b: y });
}

/** Inequality of two values of the same kind; an enumeration value may be given as a string. */
export function ne<V extends Value>(a: Term<V> | NoInfer<V>, b: Term<V> | NoInfer<V>): Term<boolean> {
  const [x, y] = alike(a, b);
  return condition({ op: 'ne', a: x, b: y });
}

/** Conjunction of the given conditions. */
export function and(first: BooleanTerm, ...rest: BooleanTerm[]): Term<boolean> {
  return rest.reduce<Term<boolean>>((a, b) => condition({ op: 'and', a, b: constant(b) }), constant(first));
}

/** Disjunction of two conditions. */
export function or(a: BooleanTerm, b: BooleanTerm): Term<boolean> {
  return condition({ op: 'or', a: constant(a), b: constant(b) });
}

/** Negation of a condition. */
export function not(a: BooleanTerm): Term<boolean> {
  return condition({ op: 'not', a: constant(a) });
}

/** The largest integer ≤ `a`. */
export function floor(a: NumberTerm): Term<number> {
  return withoutOperators({ op: 'floor', a: constant(a) });
}

/** `a` if the test holds, else `b`; two strings take the enumeration of the place where they are used. */
export function when<V extends Value>(test: BooleanTerm, a: Term<V> | V, b: Term<V> | V): Term<V> {
  const t = constant(test);
  if (needsEnumeration(a) && needsEnumeration(b))
    return unsettled((set) => coloured({ op: 'if', test: t, a: termOf(a, set), b: termOf(b, set) }, set));
  const [x, y] = alike(a, b);
  return withoutOperators({ op: 'if', test: t, a: x, b: y });
}

/** Both as expressions; if one has an enumeration, the other uses the same. */
function alike(a: unknown, b: unknown): [Expression, Expression] {
  const set = [a, b].map((x) => (isTerm(x) ? colourOf(x) : undefined)).find((c) => c?.kind === 'enum');
  return [termOf(a, needsEnumeration(a) ? set : undefined), termOf(b, needsEnumeration(b) ? set : undefined)];
}
