import type { Binary, Expression } from './expression.ts';
import {
  coloured,
  colourOf,
  constant,
  isTerm,
  type NumberTerm,
  needsEnumeration,
  type Term,
  type TruthTerm,
  termOf,
  unsettled,
  type Value,
} from './term.ts';

export { constant, type NumberTerm, type Term, type TruthTerm } from './term.ts';

type NumberOperator = (a: NumberTerm, b: NumberTerm) => Term<number>;
type Comparison = (a: NumberTerm, b: NumberTerm) => Term<boolean>;
type TruthOperator = (a: TruthTerm, b: TruthTerm) => Term<boolean>;

const binary =
  <A extends number | boolean, R>(op: Binary) =>
  (a: Term<A> | A, b: Term<A> | A): Term<R> => ({ op, a: constant(a), b: constant(b) });

export const add: NumberOperator = binary<number, number>('add');
export const sub: NumberOperator = binary<number, number>('sub');
export const mul: NumberOperator = binary<number, number>('mul');
/** Real division. */
export const div: NumberOperator = binary<number, number>('div');
/** The remainder, with the sign of the dividend. */
export const mod: NumberOperator = binary<number, number>('mod');
export const min: NumberOperator = binary<number, number>('min');
export const max: NumberOperator = binary<number, number>('max');
export const lt: Comparison = binary<number, boolean>('lt');
export const le: Comparison = binary<number, boolean>('le');
export const gt: Comparison = binary<number, boolean>('gt');
export const ge: Comparison = binary<number, boolean>('ge');

/** Equality of two values of the same kind; a value of an enumeration may be given as its text. */
export function eq<V extends Value>(a: Term<V> | NoInfer<V>, b: Term<V> | NoInfer<V>): Term<boolean> {
  const [x, y] = alike(a, b);
  return { op: 'eq', a: x, b: y };
}

/** Inequality of two values of the same kind; a value of an enumeration may be given as its text. */
export function ne<V extends Value>(a: Term<V> | NoInfer<V>, b: Term<V> | NoInfer<V>): Term<boolean> {
  const [x, y] = alike(a, b);
  return { op: 'ne', a: x, b: y };
}

/** All of the given conditions. */
export function and(first: TruthTerm, ...rest: TruthTerm[]): Term<boolean> {
  return rest.reduce<Term<boolean>>((a, b) => ({ op: 'and', a, b: constant(b) }), constant(first));
}

export const or: TruthOperator = binary<boolean, boolean>('or');

export function not(a: TruthTerm): Term<boolean> {
  return { op: 'not', a: constant(a) };
}

export function floor(a: NumberTerm): Term<number> {
  return { op: 'floor', a: constant(a) };
}

/** `a` where the test holds, else `b`; two texts take the enumeration of the place where they are used. */
export function when<V extends Value>(test: TruthTerm, a: Term<V> | V, b: Term<V> | V): Term<V> {
  const t = constant(test);
  if (needsEnumeration(a) && needsEnumeration(b))
    return unsettled((set) => coloured({ op: 'if', test: t, a: termOf(a, set), b: termOf(b, set) }, set));
  const [x, y] = alike(a, b);
  return { op: 'if', test: t, a: x, b: y };
}

/** Both as expressions: the enumeration of one is that of the other. */
function alike(a: unknown, b: unknown): [Expression, Expression] {
  const set = [a, b].map((x) => (isTerm(x) ? colourOf(x) : undefined)).find((c) => c?.kind === 'enum');
  return [termOf(a, needsEnumeration(a) ? set : undefined), termOf(b, needsEnumeration(b) ? set : undefined)];
}
