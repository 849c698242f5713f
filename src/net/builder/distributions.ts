import { assertIs } from '../../base/options.ts';
import type { Distribution } from '../distribution.ts';
import { constant, type NumberTerm } from '../term.ts';

/** Exponential, mean 1 / rate. Rates are per second. */
export function exponential(rate: NumberTerm): Distribution {
  return { dist: 'exponential', rate: constant(rate) };
}

/** Sum of `shape` exponential phases, each with `rate`: mean shape / rate. */
export function erlang(shape: NumberTerm, rate: NumberTerm): Distribution {
  return { dist: 'erlang', shape: constant(shape), rate: constant(rate) };
}

/** One of the exponential branches, chosen in proportion to its probability. */
export function hyperExponential(
  branches: readonly { readonly probability: NumberTerm; readonly rate: NumberTerm }[],
): Distribution {
  assertIs('hyperExponential', 'branches', branches, 'a list of objects', 'APP061');
  return {
    dist: 'hyper-exponential',
    branches: branches.map((b) => ({ probability: constant(b.probability), rate: constant(b.rate) })),
  };
}

/**
 * Exponential phases in series; `onward` is the probability of entering the next one (default 0: the phase is the
 * last).
 */
export function cox(phases: readonly { readonly rate: NumberTerm; readonly onward?: NumberTerm }[]): Distribution {
  assertIs('cox', 'phases', phases, 'a list of objects', 'APP061');
  return {
    dist: 'cox',
    phases: phases.map((p) => ({ rate: constant(p.rate), onward: constant(p.onward ?? 0) })),
  };
}

/** Uniform between `low` and `high`. */
export function uniform(low: NumberTerm, high: NumberTerm): Distribution {
  return { dist: 'uniform', low: constant(low), high: constant(high) };
}

/** Triangular between `low` and `high` with its peak at `mode`. */
export function triangular(low: NumberTerm, mode: NumberTerm, high: NumberTerm): Distribution {
  return { dist: 'triangular', low: constant(low), mode: constant(mode), high: constant(high) };
}

/** Normal with standard `deviation`, redrawn while negative. */
export function normal(mean: NumberTerm, deviation: NumberTerm): Distribution {
  return { dist: 'normal', mean: constant(mean), deviation: constant(deviation) };
}

/** Lognormal: the logarithm is normal with `mean` and standard `deviation`. */
export function lognormal(mean: NumberTerm, deviation: NumberTerm): Distribution {
  return { dist: 'lognormal', mean: constant(mean), deviation: constant(deviation) };
}

/** Weibull: F(x) = 1 − exp(−(x / scale)^shape); `scale` in seconds. */
export function weibull(shape: NumberTerm, scale: NumberTerm): Distribution {
  return { dist: 'weibull', shape: constant(shape), scale: constant(scale) };
}

/** Gamma with mean shape × scale. */
export function gamma(shape: NumberTerm, scale: NumberTerm): Distribution {
  return { dist: 'gamma', shape: constant(shape), scale: constant(scale) };
}

/** One of the values, in proportion to its weight. Values in seconds. */
export function discrete(values: readonly { readonly value: number; readonly weight: number }[]): Distribution {
  assertIs('discrete', 'values', values, 'a list of objects', 'APP061');
  return { dist: 'discrete', values: values.map(({ value, weight }) => ({ value, weight })) };
}

/** Piecewise linear distribution through measured samples in seconds, given in any order. */
export function empirical(samples: readonly number[]): Distribution {
  assertIs('empirical', 'samples', samples, 'a list of numbers', 'APP061');
  return { dist: 'empirical', samples: [...samples].sort((a, b) => a - b) };
}
