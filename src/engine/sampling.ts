import { assertNever } from '../base/problem.ts';
import type { Distribution } from '../net/distribution.ts';
import * as range from '../net/distributions/distribution-range.ts';
import type { Expression } from '../net/expression.ts';

/**
 * The next number of a stream: a multiple of 2⁻⁵³ in [0, 1).
 *
 * Each function of this file draws from a distribution, given such a stream and the parameters. It returns a finite number of
 * seconds ≥ 0, or NaN if a parameter is out of range (`distribution-range.ts`) or the sample exceeds the range of a double.
 * Logarithms are taken of 1 − u, which is never 0.
 *
 * Math.log, exp, pow, sin and cos may differ in the last bit between major versions of V8, so a seed gives the same samples only
 * within one major version of Node.
 */
type Draw = () => number;

/** Rejection-sampling limit: never reached unless the stream is stuck. */
const MAX_TRIES = 1000;
/** Up to this many phases are drawn one by one: the fixed number of draws keeps scenarios synchronised. */
const MAX_PHASES = 16;

/** The sample if it is a valid time (−0 becomes 0), else NaN. */
function seconds(x: number): number {
  return x >= 0 && x < Number.POSITIVE_INFINITY ? x + 0 : Number.NaN;
}

/** By inversion: one draw. */
export function exponential(draw: Draw, rate: number): number {
  return range.exponential(rate) ? seconds(standardExponential(draw) / rate) : Number.NaN;
}

/** One draw per phase for a `shape` of up to 16; beyond that, as {@link gamma}. */
export function erlang(draw: Draw, shape: number, rate: number): number {
  if (!range.erlang(shape, rate)) return Number.NaN;
  if (shape > MAX_PHASES) return seconds(standardGamma(draw, shape) / rate);
  // At least 2^(−53 · 16), so it is never 0.
  let product = 1;
  for (let k = 0; k < shape; k++) product *= 1 - draw();
  return seconds(-Math.log(product) / rate);
}

/** Two draws. O(branches). */
export function hyperExponential(draw: Draw, probabilities: readonly number[], rates: readonly number[]): number {
  if (!range.hyperExponential(probabilities, rates)) return Number.NaN;
  let total = 0;
  for (const p of probabilities) total += p;
  const at = draw() * total;
  let chosen = -1;
  let sum = 0;
  for (let k = 0; k < rates.length && !(sum > at); k++) {
    // A branch of probability 0 is never chosen, even if no running sum exceeds `at` because of rounding.
    if (probabilities[k]! > 0) chosen = k;
    sum += probabilities[k]!;
  }
  return seconds(standardExponential(draw) / rates[chosen]!);
}

/** Two draws per phase that may be followed by another, one for the last phase. O(phases). */
export function cox(draw: Draw, rates: readonly number[], onward: readonly number[]): number {
  if (!range.cox(rates, onward)) return Number.NaN;
  const last = rates.length - 1;
  let sum = 0;
  for (let k = 0; k <= last; k++) {
    sum += standardExponential(draw) / rates[k]!;
    if (k === last || !(draw() < onward[k]!)) break;
  }
  return seconds(sum);
}

/** One draw. */
export function uniform(draw: Draw, low: number, high: number): number {
  // Never exceeds `high`: the product with u < 1 is rounded to less than the rounded difference.
  return range.uniform(low, high) ? seconds(low + draw() * (high - low)) : Number.NaN;
}

/** By inversion: one draw. */
export function triangular(draw: Draw, low: number, mode: number, high: number): number {
  if (!range.triangular(low, mode, high)) return Number.NaN;
  const u = draw();
  const width = high - low;
  if (width === 0) return seconds(low);
  const below = (mode - low) / width;
  return seconds(
    u < below
      ? low + width * Math.sqrt(u * below)
      : Math.max(low, high - width * Math.sqrt((1 - u) * ((high - mode) / width))),
  );
}

/** Two draws per attempt; negative samples are rejected. */
export function normal(draw: Draw, mean: number, deviation: number): number {
  if (!range.normal(mean, deviation)) return Number.NaN;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const x = mean + deviation * standardNormal(draw);
    if (x >= 0) return seconds(x);
  }
  return Number.NaN;
}

/** Two draws. */
export function lognormal(draw: Draw, mean: number, deviation: number): number {
  return range.lognormal(mean, deviation) ? seconds(Math.exp(mean + deviation * standardNormal(draw))) : Number.NaN;
}

/** By inversion: one draw. */
export function weibull(draw: Draw, shape: number, scale: number): number {
  return range.scaled(shape, scale) ? seconds(scale * standardExponential(draw) ** (1 / shape)) : Number.NaN;
}

/** Three draws per attempt, and one more for a shape below 1; about one attempt on average. */
export function gamma(draw: Draw, shape: number, scale: number): number {
  return range.scaled(shape, scale) ? seconds(scale * standardGamma(draw, shape)) : Number.NaN;
}

/** One of the values, by weight: one draw. O(log n), after O(n) for the first draw from an array. */
export function discrete(draw: Draw, values: readonly { readonly value: number; readonly weight: number }[]): number {
  const { value, upTo } = cumulated(values);
  const last = value.length - 1;
  if (last < 0) return Number.NaN;
  const at = draw() * upTo[last]!;
  // The first value whose running sum exceeds `at`; the last if none does.
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (upTo[middle]! > at) high = middle;
    else low = middle + 1;
  }
  return seconds(value[low]!);
}

/** By inversion: one draw. O(1), after O(n log n) for the first draw from an array. */
export function empirical(draw: Draw, samples: readonly number[]): number {
  const x = ascending(samples);
  const last = x.length - 1;
  if (last < 1) return Number.NaN;
  const at = draw() * last;
  const k = Math.floor(at);
  return seconds(x[k]! + (at - k) * (x[k + 1]! - x[k]!));
}

/**
 * A draw from a distribution, in seconds.
 *
 * @param value evaluates a parameter; not called for distributions without parameters
 */
export function sample(d: Distribution, value: (e: Expression) => number, draw: Draw): number {
  switch (d.dist) {
    case 'exponential':
      return exponential(draw, value(d.rate));
    case 'erlang':
      return erlang(draw, value(d.shape), value(d.rate));
    case 'hyper-exponential': {
      const branches = d.branches.map((b) => [value(b.probability), value(b.rate)] as const);
      return hyperExponential(
        draw,
        branches.map((b) => b[0]),
        branches.map((b) => b[1]),
      );
    }
    case 'cox': {
      const phases = d.phases.map((p) => [value(p.rate), value(p.onward)] as const);
      return cox(
        draw,
        phases.map((p) => p[0]),
        phases.map((p) => p[1]),
      );
    }
    case 'uniform':
      return uniform(draw, value(d.low), value(d.high));
    case 'triangular':
      return triangular(draw, value(d.low), value(d.mode), value(d.high));
    case 'normal':
      return normal(draw, value(d.mean), value(d.deviation));
    case 'lognormal':
      return lognormal(draw, value(d.mean), value(d.deviation));
    case 'weibull':
      return weibull(draw, value(d.shape), value(d.scale));
    case 'gamma':
      return gamma(draw, value(d.shape), value(d.scale));
    case 'discrete':
      return discrete(draw, d.values);
    case 'empirical':
      return empirical(draw, d.samples);
    default:
      return assertNever(d);
  }
}

/** A function that draws from a distribution, given the values of its parameters in order. Data is sorted in advance. */
export function drawer(d: Distribution, draw: Draw): (...parameters: number[]) => number {
  switch (d.dist) {
    case 'exponential':
      return (rate) => exponential(draw, rate!);
    case 'uniform':
      return (low, high) => uniform(draw, low!, high!);
    case 'erlang':
      return (shape, rate) => erlang(draw, shape!, rate!);
    case 'discrete':
      cumulated(d.values);
      break;
    case 'empirical':
      ascending(d.samples);
      break;
    default:
  }
  return (...parameters) => {
    let next = 0;
    return sample(d, () => parameters[next++]!, draw);
  };
}

/** Exponential with mean 1: one draw. */
function standardExponential(draw: Draw): number {
  return -Math.log(1 - draw());
}

/**
 * Mean 0, standard deviation 1: Box & Muller (1958). The second number of the pair is discarded, so that there is no state besides
 * the stream.
 */
function standardNormal(draw: Draw): number {
  const radius = Math.sqrt(2 * standardExponential(draw));
  return radius * Math.cos(2 * Math.PI * draw());
}

/** Gamma with scale 1: Marsaglia & Tsang, _A simple method for generating gamma variables_ (2000); §6 for shapes below 1. */
function standardGamma(draw: Draw, shape: number): number {
  // In this form, a shape near 0 yields 0, not NaN.
  if (shape < 1) return standardGamma(draw, shape + 1) * Math.exp(-standardExponential(draw) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const x = standardNormal(draw);
    // v = (1 + c x)³ = 1 + t: computing with t loses no digits for large shapes.
    const t = c * x * (3 + c * x * (3 + c * x));
    const e = standardExponential(draw);
    if (t > -1 && -e < 0.5 * x * x + d * (Math.log1p(t) - t)) return d * (1 + t);
  }
  return Number.NaN;
}

interface Cumulated {
  readonly value: readonly number[];
  /** The sum of the weights up to each value. */
  readonly upTo: readonly number[];
}

const cumulations = new WeakMap<object, Cumulated>();
const orders = new WeakMap<object, Float64Array>();

/** The values of positive weight, with running sums of the weights; empty if a value or weight is out of range. */
function cumulated(values: readonly { readonly value: number; readonly weight: number }[]): Cumulated {
  let found = cumulations.get(values);
  if (found === undefined) {
    const possible = range.discrete(values) ? values.filter((v) => v.weight > 0) : [];
    let sum = 0;
    const upTo = possible.map((v) => (sum += v.weight));
    found = { value: possible.map((v) => v.value), upTo };
    cumulations.set(values, found);
  }
  return found;
}

/** The samples in ascending order; empty if one is out of range. */
function ascending(samples: readonly number[]): Float64Array {
  let found = orders.get(samples);
  if (found === undefined) {
    found = Float64Array.from(range.empirical(samples) ? samples : []).sort();
    orders.set(samples, found);
  }
  return found;
}
