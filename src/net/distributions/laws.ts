import type { Expression } from '../expression.ts';
import { cox } from './cox.ts';
import { discrete } from './discrete.ts';
import { empirical } from './empirical.ts';
import { erlang } from './erlang.ts';
import { exponential } from './exponential.ts';
import type { Form, ParametersOf } from './form.ts';
import { gamma } from './gamma.ts';
import { hyperExponential } from './hyper-exponential.ts';
import type { Cdf, Draw, Functions, Moments, Value } from './law.ts';
import { lognormal } from './lognormal.ts';
import { normal } from './normal.ts';
import { triangular } from './triangular.ts';
import { uniform } from './uniform.ts';
import { weibull } from './weibull.ts';

/** All distributions, by their names in nets. */
export const LAWS = {
  exponential,
  erlang,
  'hyper-exponential': hyperExponential,
  cox,
  uniform,
  triangular,
  normal,
  lognormal,
  weibull,
  gamma,
  discrete,
  empirical,
} as const;

type Flat<T> = { readonly [K in keyof T]: T[K] };

/**
 * Distribution of a delay or service time in seconds; rates are per second. Parameters are expressions over the binding
 * or over a token's columns.
 *
 * - `exponential`: mean 1 / rate
 * - `erlang`: sum of `shape` exponential phases, each with `rate`; `shape` is an integer ≥ 1
 * - `hyper-exponential`: one exponential branch, chosen in proportion to `probability`
 * - `cox`: exponential phases in series; each continues to the next with probability `onward` (0 for the last)
 * - `uniform` between `low` and `high`; `triangular` with its peak at `mode`
 * - `normal` with `mean` and standard `deviation`, redrawn while negative
 * - `lognormal`: the logarithm is normal with `mean` and standard `deviation`
 * - `weibull` and `gamma` with `shape` and `scale`
 * - `discrete`: one of the values, in proportion to its weight
 * - `empirical`: piecewise linear through the sorted samples (Law, _Simulation Modeling and Analysis_, §6.2.4): F is (k
 *   − 1) / (n − 1) at the k-th of n samples
 */
export type Distribution = {
  readonly [K in keyof typeof LAWS]: Flat<{ readonly dist: K } & ParametersOf<(typeof LAWS)[K]['form']>>;
}[keyof typeof LAWS];

/** A distribution as code sees it that follows its form. */
interface AnyLaw extends Functions<Form> {
  readonly form: Form;
}

const lawOf = (d: Distribution): AnyLaw => LAWS[d.dist] as unknown as AnyLaw;

/** The form of a distribution. */
export const formOf = ({ dist }: Pick<Distribution, 'dist'>): Form => LAWS[dist].form;

/** The faults of parameters together ({@link Functions.faults}). */
export const faultsOf = (d: Distribution, value: (e: Expression) => number | undefined): readonly string[] =>
  lawOf(d).faults?.(d as never, value) ?? [];

/** Mean and variance in closed form, relative error below 10⁻¹⁰. O(parameters); O(n log n) for `empirical`. */
export function momentsOf(d: Distribution, value: Value): Moments {
  return lawOf(d).moments(d as never, value);
}

/**
 * The distribution function, absolute error below 10⁻¹². One evaluation is O(parameters); O(log n) for `discrete` and
 * `empirical`; O(phases³ · log) for `cox`; up to O(√shape) for `erlang` and `gamma` with shape below 10⁶.
 */
export function cdf(d: Distribution, value: Value): Cdf {
  return lawOf(d).cdf(d as never, value);
}

/** A draw from a distribution, in seconds. */
export function sample(d: Distribution, value: Value, draw: Draw): number {
  return lawOf(d).sample(d as never, value, draw);
}

/** A function that draws from a distribution, given the values of its parameters in order. */
export function drawer(d: Distribution, draw: Draw): (...parameters: number[]) => number {
  const law = lawOf(d);
  if (law.drawer !== undefined) return law.drawer(d as never, draw);
  return (...parameters) => {
    let next = 0;
    return law.sample(d as never, () => parameters[next++]!, draw);
  };
}
