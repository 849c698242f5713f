import { fail, shown } from '../../../base/problem.ts';
import { Site } from '../../site.ts';

/** A variable of a model. Its values are integers from `low` to `high`, names, or booleans. */
export interface Variable<V = unknown> {
  /** Made by the function of the same name. */
  readonly kind: 'counter' | 'range' | 'rank' | 'one-of' | 'flag';
  /** Undefined bounds are derived from the loops that use the variable, or from the number of ranks (`rank`). */
  readonly low?: number;
  /** Maximum value. */
  readonly high?: number;
  /** The values of a `one-of` variable, encoded by position. */
  readonly names?: readonly string[];
  /** Value at the start; default: the first possible value. */
  readonly initial?: V;
  /** Never set; carries only the type of the values. */
  readonly value?: V;
}

/** Variables of a model by name. */
export type Variables = Readonly<Record<string, Variable>>;
/** Type of a variable's values. */
export type ValueOf<T> = T extends Variable<infer V> ? V : never;
/** Names of the variables whose values have type `T`. */
export type NamesOf<V extends Variables, T> = {
  [K in keyof V]: [ValueOf<V[K]>] extends [T] ? K : never;
}[keyof V] &
  string;

/**
 * A loop counter from 0. Its bound is derived from the loops; give `max` if other statements assign it.
 *
 * @throws InputError MODEL002 if `max` is not an integer from 0
 */
export function counter(max?: number): Variable<number> {
  if (max === undefined) return { kind: 'counter' };
  return { ...rangeOf(0, max, counter), kind: 'counter' };
}

/**
 * An integer from `low` to `high`, initially `low`.
 *
 * @throws InputError MODEL002 if the bounds are not integers in ascending order
 */
export function range(low: number, high: number): Variable<number> {
  return rangeOf(low, high, range);
}

/** @param above the function that the model calls; its call site is the place in messages */
function rangeOf(low: number, high: number, above: (...args: never[]) => unknown): Variable<number> {
  if (!(Number.isSafeInteger(low) && Number.isSafeInteger(high) && low <= high))
    fail(
      'MODEL002',
      `range: expected two integers, the lower one first, got ${shown(low)} and ${shown(high)}`,
      new Site(above).place,
    );
  return { kind: 'range', low, high };
}

/** A rank, initially 0. */
export function rankVar(): Variable<number> {
  return { kind: 'rank' };
}

/**
 * One of the names, initially the first one.
 *
 * @throws InputError MODEL002 for an empty list or duplicate names
 */
export function oneOf<const N extends readonly [string, ...string[]]>(...names: N): Variable<N[number]> {
  if (names.length === 0 || new Set(names).size < names.length || names.some((n) => typeof n !== 'string'))
    fail(
      'MODEL002',
      `oneOf: expected different names, got ${names.map(shown).join(', ') || 'none'}`,
      new Site(oneOf).place,
    );
  return { kind: 'one-of', low: 0, high: names.length - 1, names };
}

/** A boolean, initially false. */
export function flag(): Variable<boolean> {
  return { kind: 'flag', low: 0, high: 1 };
}

/** True if two variables have the same values, with the same numbers in tokens. */
export function sameVariable(a: Variable, b: Variable): boolean {
  const names = (v: Variable): string => JSON.stringify(v.names ?? []);
  return a.kind === b.kind && a.low === b.low && a.high === b.high && names(a) === names(b);
}

/** The value that a token's number represents. */
export function valueIn(variable: Variable, number: number): unknown {
  if (variable.kind === 'flag') return number !== 0;
  return variable.names === undefined ? number : variable.names[number];
}

/** The number that represents a value in tokens; undefined for a value that the variable cannot have. */
export function numberOf(variable: Variable, value: unknown): number | undefined {
  if (variable.kind === 'flag') return typeof value === 'boolean' ? Number(value) : undefined;
  if (variable.names !== undefined) {
    const at = variable.names.indexOf(value as string);
    return at < 0 ? undefined : at;
  }
  if (!Number.isSafeInteger(value)) return undefined;
  const { low = 0, high = Number.POSITIVE_INFINITY } = variable;
  return (value as number) >= low && (value as number) <= high ? (value as number) : undefined;
}

export function valuesText(variable: Variable): string {
  if (variable.names !== undefined) return `one of ${variable.names.map((n) => JSON.stringify(n)).join(', ')}`;
  if (variable.kind === 'flag') return 'true or false';
  const { low = 0, high } = variable;
  return high === undefined ? `an integer >= ${low}` : `an integer from ${low} to ${high}`;
}
