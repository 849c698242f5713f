import { neighbourCorrelation } from './independence.ts';
import { studentQuantile } from './student-t.ts';
import { warmUp } from './warm-up.ts';

/** A mean over one long run with its confidence interval. */
export interface BatchMean {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
  /** Number of batches. */
  readonly batches: number;
  /** Number of first values that were left out. */
  readonly warmUp: number;
}

/** Why a series has a mean, but no interval. */
export interface NoInterval {
  readonly mean: number;
  readonly because: 'constant' | 'warm-up' | 'dependent';
}

/** Number of batches of an interval: t with 63 degrees of freedom is 2 % above the normal quantile. */
const BATCHES = 64;
/** Number of batches that must look independent; those of the interval are at least twice as long. */
const TESTED = 2 * BATCHES;
/** Level at which neighbours count as alike: one-sided, since batches that alternate make the interval too wide, not too narrow. */
const ALIKE = 1.28;
/** Deviations below this share of the mean are rounding. */
const ROUNDING = 1e-12;

/**
 * The mean of a stationary process from one series of its values over equal times (batch means: A. M. Law, Simulation Modeling and
 * Analysis, §9.5.3). The warm-up of the series is removed. The rest is cut in batches, which are made longer until von Neumann's
 * test accepts them as independent (as in ASAP3: N. M. Steiger et al., ACM TOMACS 15, 2005); batches at least twice as long give
 * the interval, because a test that is passed does not prove independence. O(n log n).
 */
export function batchMean(series: ArrayLike<number>, confidence: number): BatchMean | NoInterval {
  const skipped = warmUp(series);
  const from = skipped ?? Math.floor(series.length / 2);
  const all = batched(series, from, 1);
  const mean = all.reduce((a, b) => a + b, 0) / all.length;
  if (all.length < TESTED) return { mean, because: 'dependent' };
  const batches = batched(series, from, Math.floor(all.length / BATCHES));
  if (isConstant(batches)) return { mean: batches[0]!, because: 'constant' };
  if (skipped === undefined) return { mean, because: 'warm-up' };
  for (let size = 1; ; size *= 2) {
    const tested = batched(series, from, size);
    if (tested.length < TESTED) return { mean, because: 'dependent' };
    if (neighbourCorrelation(tested) > ALIKE) continue;
    return { ...skewedInterval(batches, confidence), batches: batches.length, warmUp: from };
  }
}

/**
 * The interval of the mean of a few values whose distribution may be skewed and whose neighbours may be slightly alike (SKART: A.
 * Tafazzoli, J. R. Wilson, IIE Transactions 43, 2011): Student's t, transformed by the sample skewness (R. Willink, Communications
 * in Statistics 34, 2005), and widened by √((1 + r) / (1 − r)) for a correlation r > 0 of neighbours. Long queues are rare, so that
 * the symmetric interval of a mean queue misses by being too low more often than it should. The degrees of freedom follow from the
 * sample kurtosis, since the deviation of values with long tails is itself less certain (B. O'Neill, The American Statistician 68,
 * 2014): 2n / (κ − (n − 3) / (n − 1)), which is n − 1 for normal values.
 */
export function skewedInterval(
  values: Float64Array,
  confidence: number,
): { readonly mean: number; readonly lower: number; readonly upper: number } {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  let [squares, cubes, fourths, products] = [0, 0, 0, 0];
  for (let k = 0; k < n; k++) {
    const away = values[k]! - mean;
    squares += away ** 2;
    cubes += away ** 3;
    fourths += away ** 4;
    if (k > 0) products += away * (values[k - 1]! - mean);
  }
  const deviation = Math.sqrt(squares / (n - 1));
  const alike = Math.max(0, products / squares);
  const error = Math.sqrt((1 + alike) / (1 - alike)) * (deviation / Math.sqrt(n));
  const skewness = (n * cubes) / ((n - 1) * (n - 2) * deviation ** 3);
  const beta = skewness / (6 * Math.sqrt(n));
  const kurtosis = (n * fourths) / squares ** 2;
  const freedom = Math.min(n - 1, (2 * n) / (kurtosis - (n - 3) / (n - 1)));
  const t = studentQuantile((1 - confidence) / 2, Math.max(1, freedom));
  // The limit for β → 0 is the identity; below, the difference is lost in rounding.
  const skewed = (z: number): number =>
    Math.abs(beta) < 1e-5 ? z : (Math.cbrt(1 + 6 * beta * (z - beta)) - 1) / (2 * beta);
  return { mean, lower: mean - skewed(t) * error, upper: mean - skewed(-t) * error };
}

function isConstant(values: Float64Array): boolean {
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return most - least <= ROUNDING * Math.max(Math.abs(most), Math.abs(least));
}

/** Means of batches of equal size up to the end of the series; the first values that do not fill a batch are left out. */
function batched(series: ArrayLike<number>, from: number, size: number): Float64Array {
  const count = Math.floor((series.length - from) / size);
  const first = series.length - count * size;
  return Float64Array.from({ length: count }, (_, b) => {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += series[first + b * size + k]!;
    return sum / size;
  });
}
