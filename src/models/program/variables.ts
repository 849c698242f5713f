import { fail, shown } from '../../base/problem.ts';
import { Site } from './site.ts';

/** Values that a variable can have: whole numbers from `low` to `high`, or names, or truth values. */
export interface Variable<V = unknown> {
  readonly kind: 'counter' | 'range' | 'rank' | 'one-of' | 'flag';
  /** Undefined: found from the loops that count with it, or (`rank`) from the number of ranks. */
  readonly low?: number;
  readonly high?: number;
  readonly names?: readonly string[];
  readonly initial?: V;
  /** Only for the type of its values. */
  readonly value?: V;
}

export type Variables = Readonly<Record<string, Variable>>;
export type ValueOf<T> = T extends Variable<infer V> ? V : never;
/** The names of the variables whose values are of a type. */
export type NamesOf<V extends Variables, T> = {
  [K in keyof V]: [ValueOf<V[K]>] extends [T] ? K : never;
}[keyof V] &
  string;

/**
 * A number that a loop counts, from 0 on. Loops say how far; give `most` where something else assigns it.
 *
 * @throws InputError MODEL002 where `most` is no whole number
 */
export function counter(most?: number): Variable<number> {
  if (most === undefined) return { kind: 'counter' };
  return { ...rangeOf(0, most, counter), kind: 'counter' };
}

/**
 * A whole number from `low` to `high`, at first `low`.
 *
 * @throws InputError MODEL002
 */
export function range(low: number, high: number): Variable<number> {
  return rangeOf(low, high, range);
}

/** @param above the function that the model calls, for the place in messages */
function rangeOf(low: number, high: number, above: (...args: never[]) => unknown): Variable<number> {
  if (!(Number.isSafeInteger(low) && Number.isSafeInteger(high) && low <= high))
    fail(
      'MODEL002',
      `a range from ${shown(low)} to ${shown(high)}: whole numbers, the lower one first, are expected`,
      new Site(above).place,
    );
  return { kind: 'range', low, high };
}

/** A rank, at first 0. */
export function rankVar(): Variable<number> {
  return { kind: 'rank' };
}

/**
 * One of the names, at first the first one.
 *
 * @throws InputError MODEL002 where there is none, or one is given twice
 */
export function oneOf<const N extends readonly [string, ...string[]]>(...names: N): Variable<N[number]> {
  if (names.length === 0 || new Set(names).size < names.length || names.some((n) => typeof n !== 'string'))
    fail(
      'MODEL002',
      `one of ${names.map(shown).join(', ') || 'nothing'}: different names are expected`,
      new Site(oneOf as never).place,
    );
  return { kind: 'one-of', low: 0, high: names.length - 1, names };
}

/** True or false, at first false. */
export function flag(): Variable<boolean> {
  return { kind: 'flag', low: 0, high: 1 };
}

/** The value that a number in a token stands for. */
export function valueIn(variable: Variable, number: number): unknown {
  if (variable.kind === 'flag') return number !== 0;
  return variable.names === undefined ? number : variable.names[number];
}

/** The number by which a value stands in a token, or undefined where it is none of the variable's values. */
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

/** The values of a variable in words. */
export function valuesText(variable: Variable): string {
  if (variable.names !== undefined) return variable.names.map((n) => JSON.stringify(n)).join(', ');
  if (variable.kind === 'flag') return 'true, false';
  const { low = 0, high } = variable;
  return high === undefined ? `whole numbers from ${low} on` : `whole numbers from ${low} to ${high}`;
}
