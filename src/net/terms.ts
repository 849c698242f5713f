import type { Binary, Expression } from './expression.ts';

declare const VALUE: unique symbol;

/** An expression whose value is a `V`: a number, a truth value, or one of the texts of an enumeration. */
export type Term<V> = Expression & { readonly [VALUE]?: V };
export type NumberTerm = Term<number> | number;
export type TruthTerm = Term<boolean> | boolean;

/** A number or truth value as an expression; expressions are returned as they are. */
export function constant(value: Expression | number | boolean): Expression {
  return typeof value === 'object' ? value : { op: 'const', value: Number(value) };
}

const binary =
  <A, R>(op: Binary) =>
  (a: Term<A> | A, b: Term<A> | A): Term<R> => ({
    op,
    a: constant(a as Expression | number | boolean),
    b: constant(b as Expression | number | boolean),
  });

type NumberOperator = (a: NumberTerm, b: NumberTerm) => Term<number>;
type Comparison = (a: NumberTerm, b: NumberTerm) => Term<boolean>;
type TruthOperator = (a: TruthTerm, b: TruthTerm) => Term<boolean>;

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

/** Equality of two values of the same kind. */
export function eq<V>(a: Term<V> | (V & (number | boolean)), b: Term<V> | (V & (number | boolean))): Term<boolean> {
  return { op: 'eq', a: constant(a), b: constant(b) };
}

/** Inequality of two values of the same kind. */
export function ne<V>(a: Term<V> | (V & (number | boolean)), b: Term<V> | (V & (number | boolean))): Term<boolean> {
  return { op: 'ne', a: constant(a), b: constant(b) };
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

/** `a` where the test holds, else `b`. */
export function when<V>(
  test: TruthTerm,
  a: Term<V> | (V & (number | boolean)),
  b: Term<V> | (V & (number | boolean)),
): Term<V> {
  return { op: 'if', test: constant(test), a: constant(a), b: constant(b) };
}
