import { neighbourCorrelation } from './independence.ts';
import { studentQuantile } from './student-t.ts';
import { RunningSummary } from './summary.ts';
import { warmUp } from './warm-up.ts';

/** A mean over one long run with its confidence interval. */
export interface BatchMean {
  readonly mean: number;
  /** Half-width of the interval. */
  readonly half: number;
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

/** Number of batches of an interval: t with 31 degrees of freedom is 4 % above the normal quantile. */
const BATCHES = 32;
/** Number of batches that must look independent; those of the interval are longer. */
const TESTED = 4 * BATCHES;
/** Level at which neighbours count as alike: one-sided, since batches that alternate make the interval too wide, not too narrow. */
const ALIKE = 1.28;
/** Deviations below this share of the mean are rounding. */
const ROUNDING = 1e-12;

/**
 * The mean of a stationary process from one series of its values over equal times (batch means: A. M. Law, Simulation Modeling and
 * Analysis, §9.5.3; G. S. Fishman, L. S. Yarberry, INFORMS J. Computing 9, 1997). The warm-up of the series is removed. The rest is
 * cut in batches, which are made longer until von Neumann's test accepts them as independent; batches four times as long give the
 * interval by Student's t, because a test that is passed does not prove independence. O(n log n).
 */
export function batchMean(series: ArrayLike<number>, confidence: number): BatchMean | NoInterval {
  const skipped = warmUp(series);
  const from = skipped ?? Math.floor(series.length / 2);
  const all = new RunningSummary();
  for (let k = from; k < series.length; k++) all.add(series[k]!);
  const { mean } = all;
  if (all.max - all.min <= ROUNDING * Math.max(Math.abs(all.max), Math.abs(all.min)))
    return { mean, because: 'constant' };
  if (skipped === undefined) return { mean, because: 'warm-up' };
  for (let size = 1; ; size *= 2) {
    const tested = batched(series, from, size);
    if (tested.length < TESTED) return { mean, because: 'dependent' };
    if (neighbourCorrelation(tested) > ALIKE) continue;
    const batches = batched(series, from, Math.floor((series.length - from) / BATCHES));
    const summary = new RunningSummary();
    for (const value of batches) summary.add(value);
    const half =
      studentQuantile((1 - confidence) / 2, batches.length - 1) * (summary.deviation / Math.sqrt(batches.length));
    // The last values may not fill a batch: the mean is that of the batches.
    return { mean: summary.mean, half, batches: batches.length, warmUp: from };
  }
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
