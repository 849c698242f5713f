import { assertNever } from '../../base/problem.ts';
import { logGamma, normalDensity, normalTail } from '../../base/random/special-functions.ts';
import type { Distribution } from '../distribution.ts';
import type { Expression } from '../expression.ts';
import * as range from './distribution-range.ts';

/** Mean in seconds, variance in seconds². */
export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

const UNDEFINED: Moments = { mean: Number.NaN, variance: Number.NaN };
/** Exponential distribution with rate 1. */
const UNIT: Moments = { mean: 1, variance: 1 };

/**
 * Mean and variance in closed form, relative error below 10⁻¹⁰. NaN if a parameter is out of range; Infinity if it
 * overflows or diverges. O(parameters); O(n log n) for `empirical`.
 *
 * @param value evaluates a parameter
 */
export function momentsOf(d: Distribution, value: (e: Expression) => number): Moments {
  switch (d.dist) {
    case 'exponential': {
      const rate = value(d.rate);
      return range.exponential(rate) ? scaled(1 / rate, UNIT) : UNDEFINED;
    }
    case 'erlang': {
      const [shape, rate] = [value(d.shape), value(d.rate)];
      return range.erlang(shape, rate) ? scaled(1 / rate, { mean: shape, variance: shape }) : UNDEFINED;
    }
    case 'hyper-exponential': {
      const probabilities = d.branches.map((b) => value(b.probability));
      const rates = d.branches.map((b) => value(b.rate));
      if (!range.hyperExponential(probabilities, rates)) return UNDEFINED;
      return mixture(rates.map((r, k) => ({ weight: probabilities[k]!, part: scaled(1 / r, UNIT) })));
    }
    case 'cox': {
      const rates = d.phases.map((p) => value(p.rate));
      const onward = d.phases.map((p) => value(p.onward));
      return range.cox(rates, onward) ? coxMoments(rates, onward) : UNDEFINED;
    }
    case 'uniform': {
      const [low, high] = [value(d.low), value(d.high)];
      return range.uniform(low, high) ? evenly(low, high) : UNDEFINED;
    }
    case 'triangular': {
      const [low, mode, high] = [value(d.low), value(d.mode), value(d.high)];
      if (!range.triangular(low, mode, high)) return UNDEFINED;
      const width = high - low;
      const at = width === 0 ? 0 : (mode - low) / width;
      return shifted(low, scaled(width, { mean: (1 + at) / 3, variance: (1 - at * (1 - at)) / 18 }));
    }
    case 'normal': {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      return range.normal(mean, deviation) ? normalMoments(mean, deviation) : UNDEFINED;
    }
    case 'lognormal': {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      return range.lognormal(mean, deviation) ? lognormalMoments(mean, deviation) : UNDEFINED;
    }
    case 'weibull': {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return range.scaled(shape, scale) ? scaled(scale, weibullMoments(shape)) : UNDEFINED;
    }
    case 'gamma': {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return range.scaled(shape, scale) ? scaled(scale, { mean: shape, variance: shape }) : UNDEFINED;
    }
    case 'discrete':
      if (!range.discrete(d.values)) return UNDEFINED;
      return mixture(d.values.map((v) => ({ weight: v.weight, part: { mean: v.value, variance: 0 } })));
    case 'empirical': {
      if (!range.empirical(d.samples)) return UNDEFINED;
      const x = d.samples.toSorted((a, b) => a - b);
      return mixture(x.slice(1).map((high, k) => ({ weight: 1, part: evenly(x[k]!, high) })));
    }
    default:
      return assertNever(d);
  }
}

function shifted(by: number, m: Moments): Moments {
  return { mean: by + m.mean, variance: m.variance };
}

function scaled(by: number, { mean, variance }: Moments): Moments {
  return finite({ mean: by * mean, variance: by * (by * variance) });
}

/** If the mean overflows, so does the variance. */
function finite(m: Moments): Moments {
  return m.mean < Number.POSITIVE_INFINITY ? m : { mean: Number.POSITIVE_INFINITY, variance: Number.POSITIVE_INFINITY };
}

function evenly(low: number, high: number): Moments {
  return shifted(low, scaled(high - low, { mean: 1 / 2, variance: 1 / 12 }));
}

/** Variance within the parts plus variance between them: nothing cancels. */
function mixture(all: readonly { readonly weight: number; readonly part: Moments }[]): Moments {
  const parts = all.filter((p) => p.weight > 0);
  const total = parts.reduce((sum, p) => sum + p.weight, 0);
  const average = (f: (m: Moments) => number): number =>
    parts.reduce((sum, p) => sum + (p.weight / total) * f(p.part), 0);
  const mean = average((m) => m.mean);
  return finite({ mean, variance: average((m) => m.variance + (m.mean - mean) ** 2) });
}

/** Backwards from the last phase: one phase, then with probability `onward` the rest. */
function coxMoments(rates: readonly number[], onward: readonly number[]): Moments {
  let rest: Moments = { mean: 0, variance: 0 };
  for (let k = rates.length - 1; k >= 0; k--) {
    const p = onward[k]!;
    const phase = 1 / rates[k]!;
    if (p === 0) rest = { mean: 0, variance: 0 };
    rest = {
      mean: phase + p * rest.mean,
      variance: phase ** 2 + p * rest.variance + p * (1 - p) * rest.mean ** 2,
    };
  }
  return finite(rest);
}

/**
 * Normal conditioned on being ≥ 0 (Johnson, Kotz & Balakrishnan, _Continuous Univariate Distributions 1_, §13.10.1).
 */
function normalMoments(mean: number, deviation: number): Moments {
  if (deviation === 0) return { mean, variance: 0 };
  // Beyond 40 standard deviations the difference is below double precision.
  const a = Math.min(mean / deviation, 40);
  const hazard = normalDensity(a) / normalTail(-a);
  return {
    mean: mean + deviation * hazard,
    variance: deviation * (deviation * (1 - a * hazard - hazard ** 2)),
  };
}

/** Written so that it overflows only if the result does. */
function lognormalMoments(mean: number, deviation: number): Moments {
  const square = deviation ** 2;
  const root = Math.exp(mean + square);
  const variance = square === 0 ? 0 : root * (root * -Math.expm1(-square));
  return { mean: Math.exp(mean + square / 2), variance };
}

/** ζ(2), ζ(3), … */
const ZETA: readonly number[] = [
  1.6449340668482264, 1.2020569031595942, 1.0823232337111381, 1.03692775514337, 1.0173430619844492, 1.008349277381923,
  1.0040773561979444, 1.0020083928260821, 1.000994575127818,
];

/** For scale 1: Γ(1 + 1/k) and Γ(1 + 2/k) − Γ(1 + 1/k)². */
function weibullMoments(shape: number): Moments {
  const e = 1 / shape;
  const mean = Math.exp(logGamma(1 + e));
  if (mean === Number.POSITIVE_INFINITY) return finite({ mean, variance: mean });
  // ln Γ(1 + 2e) − 2 ln Γ(1 + e) cancels for small e; use the series of ln Γ at 1 instead (DLMF 5.7.3).
  const ratio =
    e < 0.02
      ? ZETA.reduceRight((sum, z, k) => ((z * (2 ** (k + 2) - 2)) / (k + 2) - sum) * e, 0) * e
      : logGamma(1 + 2 * e) - 2 * logGamma(1 + e);
  return { mean, variance: mean * (mean * Math.expm1(ratio)) };
}
