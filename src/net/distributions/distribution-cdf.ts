import { assertNever } from '../../base/problem.ts';
import { incompleteGamma, normalTail } from '../../base/random/special-functions.ts';
import type { Distribution } from '../distribution.ts';
import type { Expression } from '../expression.ts';
import { coxEnded } from './cox.ts';
import * as range from './distribution-range.ts';

type Cdf = (x: number) => number;

const UNBOUNDED = Number.POSITIVE_INFINITY;

/**
 * The distribution function F(x) = P(X ≤ x), absolute error below 10⁻¹²; NaN for every x if a parameter is out of
 * range. One evaluation is O(parameters); O(log n) for `discrete` and `empirical`; O(phases³ · log) for `cox`; up to
 * O(√shape) for `erlang` and `gamma` with shape below 10⁶.
 *
 * @param value evaluates a parameter; called once for each
 */
export function cdf(d: Distribution, value: (e: Expression) => number): (x: number) => number {
  switch (d.dist) {
    case 'exponential': {
      const rate = value(d.rate);
      return between(range.exponential(rate), 0, UNBOUNDED, (x) => -Math.expm1(-rate * x));
    }
    case 'erlang': {
      const [shape, rate] = [value(d.shape), value(d.rate)];
      return between(range.erlang(shape, rate), 0, UNBOUNDED, (x) => incompleteGamma(shape, rate * x).lower);
    }
    case 'hyper-exponential': {
      const probabilities = d.branches.map((b) => value(b.probability));
      const rates = d.branches.map((b) => value(b.rate));
      const total = probabilities.reduce((sum, p) => sum + p, 0);
      return between(range.hyperExponential(probabilities, rates), 0, UNBOUNDED, (x) =>
        Math.min(
          1,
          rates.reduce((sum, r, k) => sum - (probabilities[k]! / total) * Math.expm1(-r * x), 0),
        ),
      );
    }
    case 'cox': {
      const rates = d.phases.map((p) => value(p.rate));
      const onward = d.phases.map((p) => value(p.onward));
      return between(range.cox(rates, onward), 0, UNBOUNDED, (x) => coxEnded(rates, onward, x));
    }
    case 'uniform': {
      const [low, high] = [value(d.low), value(d.high)];
      return between(range.uniform(low, high), low, high, (x) => (x - low) / (high - low));
    }
    case 'triangular': {
      const [low, mode, high] = [value(d.low), value(d.mode), value(d.high)];
      return between(range.triangular(low, mode, high), low, high, (x) =>
        x < mode
          ? ((x - low) / (high - low)) * ((x - low) / (mode - low))
          : 1 - ((high - x) / (high - low)) * ((high - x) / (high - mode)),
      );
    }
    case 'normal': {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      const inRange = range.normal(mean, deviation);
      if (deviation === 0) return always(inRange, mean);
      const tail = (x: number): number => normalTail((x - mean) / deviation);
      return between(inRange, 0, UNBOUNDED, (x) => 1 - tail(x) / tail(0));
    }
    case 'lognormal': {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      const inRange = range.lognormal(mean, deviation);
      if (deviation === 0) return always(inRange, Math.exp(mean));
      return between(inRange, 0, UNBOUNDED, (x) => normalTail((mean - Math.log(x)) / deviation));
    }
    case 'weibull': {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return between(range.scaled(shape, scale), 0, UNBOUNDED, (x) => -Math.expm1(-((x / scale) ** shape)));
    }
    case 'gamma': {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return between(range.scaled(shape, scale), 0, UNBOUNDED, (x) => incompleteGamma(shape, x / scale).lower);
    }
    case 'discrete': {
      const values = d.values.toSorted((a, b) => a.value - b.value);
      let sum = 0;
      const upTo = values.map((v) => (sum += v.weight));
      const x = values.map((v) => v.value);
      return between(range.discrete(d.values), 0, UNBOUNDED, (at) => (upTo[countUpTo(x, at) - 1] ?? 0) / sum);
    }
    case 'empirical': {
      const x = d.samples.toSorted((a, b) => a - b);
      const last = x.length - 1;
      return between(range.empirical(x), x[0]!, x[last]!, (at) => {
        const k = countUpTo(x, at) - 1;
        return (k + (at - x[k]!) / (x[k + 1]! - x[k]!)) / last;
      });
    }
    default:
      return assertNever(d);
  }
}

/** 0 below `low`, 1 from `high` on, and `inside` between. */
function between(inRange: boolean, low: number, high: number, inside: Cdf): Cdf {
  return (x) => {
    if (!inRange || Number.isNaN(x)) return Number.NaN;
    if (x >= high) return 1;
    return x < low ? 0 : inside(x);
  };
}

/** Distribution of a constant. */
function always(inRange: boolean, value: number): Cdf {
  return between(inRange, value, value, () => 1);
}

/** The number of ascending values ≤ `x`. */
function countUpTo(ascending: readonly number[], x: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
