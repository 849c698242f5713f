import type { Expression } from '../expression.ts';
import type { Form, ParametersOf } from './form.ts';

/**
 * The next number of a stream: a multiple of 2⁻⁵³ in [0, 1). Logarithms are taken of 1 − u, which is never 0.
 *
 * Math.log, exp, pow, sin and cos may differ in the last bit between major versions of V8, so a seed gives the same samples only
 * within one major version of Node.
 */
export type Draw = () => number;

/** Evaluates a parameter. It is called once for each, in the order of `parametersOf`. */
export type Value = (e: Expression) => number;

/** F(x) = P(X ≤ x). */
export type Cdf = (x: number) => number;

/** Mean in seconds, variance in seconds². */
export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** Moments, distribution function and sampling of a distribution. */
export interface Functions<F extends Form> {
  /** Mean and variance; NaN if a parameter is out of range, Infinity for a moment that overflows or diverges. */
  moments(d: ParametersOf<F>, value: Value): Moments;
  /** The distribution function; NaN for every x if a parameter is out of range. */
  cdf(d: ParametersOf<F>, value: Value): Cdf;
  /** A finite number of seconds ≥ 0; NaN if a parameter is out of range or the sample exceeds the range of a double. */
  sample(d: ParametersOf<F>, value: Value, draw: Draw): number;
  /** Draws, given the values of the parameters in order; data is sorted in advance. Default: by `sample`. */
  drawer?(d: ParametersOf<F>, draw: Draw): (...parameters: number[]) => number;
  /** Problems of parameters together, each of which is in its range; `value` is undefined unless it is constant. */
  faults?(d: ParametersOf<F>, value: (e: Expression) => number | undefined): readonly string[];
}

/** A distribution. Each has its own file. */
export interface Law<F extends Form> extends Functions<F> {
  readonly form: F;
}

export const law = <const F extends Form>(form: F, functions: Functions<F>): Law<F> => ({ form, ...functions });

export const UNDEFINED: Moments = { mean: Number.NaN, variance: Number.NaN };
/** Exponential distribution with rate 1. */
export const UNIT: Moments = { mean: 1, variance: 1 };
export const UNBOUNDED: number = Number.POSITIVE_INFINITY;
/** Rejection-sampling limit: never reached unless the stream is stuck. */
export const MAX_TRIES = 1000;

/** A rate, a shape or a scale: positive and finite. */
export const isPositive = (x: number): boolean => x > 0 && x < Number.POSITIVE_INFINITY;
/** Seconds or a weight: finite and ≥ 0. */
export const isNotNegative = (x: number): boolean => x >= 0 && x < Number.POSITIVE_INFINITY;
export const isProbability = (x: number): boolean => x >= 0 && x <= 1;

/** At least one weight is positive, and the sum is finite. */
export function areWeights(values: readonly number[]): boolean {
  let total = 0;
  for (const w of values) {
    if (!isNotNegative(w)) return false;
    total += w;
  }
  return isPositive(total);
}

/** Shape and scale of weibull and gamma. */
export const areShapeAndScale = (shape: number, scale: number): boolean => isPositive(shape) && isPositive(scale);

/** The sample if it is a valid time (−0 becomes 0), else NaN. */
export function seconds(x: number): number {
  return x >= 0 && x < Number.POSITIVE_INFINITY ? x + 0 : Number.NaN;
}

/** Exponential with mean 1: one draw. */
export function standardExponential(draw: Draw): number {
  return -Math.log(1 - draw());
}

/**
 * Mean 0, standard deviation 1: Box & Muller (1958). The second number of the pair is discarded, so that there is no state besides
 * the stream.
 */
export function standardNormal(draw: Draw): number {
  const radius = Math.sqrt(2 * standardExponential(draw));
  return radius * Math.cos(2 * Math.PI * draw());
}

export function shifted(by: number, m: Moments): Moments {
  return { mean: by + m.mean, variance: m.variance };
}

export function scaled(by: number, { mean, variance }: Moments): Moments {
  return finite({ mean: by * mean, variance: by * (by * variance) });
}

/** If the mean overflows, so does the variance. */
export function finite(m: Moments): Moments {
  return m.mean < Number.POSITIVE_INFINITY ? m : { mean: Number.POSITIVE_INFINITY, variance: Number.POSITIVE_INFINITY };
}

export function evenly(low: number, high: number): Moments {
  return shifted(low, scaled(high - low, { mean: 1 / 2, variance: 1 / 12 }));
}

/** Variance within the parts plus variance between them: nothing cancels. */
export function mixture(all: readonly { readonly weight: number; readonly part: Moments }[]): Moments {
  const parts = all.filter((p) => p.weight > 0);
  const total = parts.reduce((sum, p) => sum + p.weight, 0);
  const average = (f: (m: Moments) => number): number =>
    parts.reduce((sum, p) => sum + (p.weight / total) * f(p.part), 0);
  const mean = average((m) => m.mean);
  return finite({ mean, variance: average((m) => m.variance + (m.mean - mean) ** 2) });
}

/** 0 below `low`, 1 from `high` on, and `inside` between. */
export function between(inRange: boolean, low: number, high: number, inside: Cdf): Cdf {
  return (x) => {
    if (!inRange || Number.isNaN(x)) return Number.NaN;
    if (x >= high) return 1;
    return x < low ? 0 : inside(x);
  };
}

/** Distribution of a constant. */
export function always(inRange: boolean, value: number): Cdf {
  return between(inRange, value, value, () => 1);
}

/** The number of ascending values ≤ `x`. */
export function countUpTo(ascending: readonly number[], x: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The faults of constants that must not decrease. */
export function ascending(
  all: Readonly<Record<string, Expression>>,
  value: (e: Expression) => number | undefined,
): readonly string[] {
  const found: string[] = [];
  let [of, min] = ['', 0];
  for (const [name, e] of Object.entries(all)) {
    const own = value(e);
    if (own === undefined || Number.isNaN(own)) continue;
    if (of !== '' && own < min) found.push(`${name} is ${own}: expected a number >= ${of} (${min})`);
    [of, min] = [name, own];
  }
  return found;
}

/** The faults of weights that are divided by their sum. */
export function weightFaults(what: string, weights: readonly (number | undefined)[]): readonly string[] {
  const found: string[] = [];
  if (weights.length > 0 && weights.every((v) => v === 0))
    found.push(`${what}: all are 0, expected at least one positive number`);
  const sum = weights.reduce<number>((total, v) => total + (v ?? 0), 0);
  if (sum === Number.POSITIVE_INFINITY && weights.every((v) => v !== Number.POSITIVE_INFINITY))
    found.push(`${what}: their sum exceeds the range of a double`);
  return found;
}
