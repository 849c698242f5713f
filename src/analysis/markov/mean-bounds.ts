import { ROUNDING } from './elimination.ts';
import type { Generator, Stationary } from './stationary.ts';

/** A mean and an interval that provably contains the exact one. */
export interface BoundedMean {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

/** A reward of each state, at least 0. */
export interface Reward {
  readonly reward: Float64Array;
  /** False if rewards are computed from rates and have their errors. */
  readonly isExact: boolean;
}

/** Precision that is aimed at: half-width in relation to the mean or, if that is larger, to a thousandth of the maximum. */
const AIM = 1e-10;
/** Precision below which a figure counts as found. */
const ENOUGH = 1e-8;
const SHARE_OF_MAXIMUM = 1e-3;

const MAX_SWEEPS = 20_000;
/** Exceeds all that terms can lose by underflow. */
const UNDERFLOW = 1e-300;
/** Iteration ends if the interval has not become narrower by this factor in this number of sweeps. */
const STALLED = 0.9;
const STALLED_AFTER = 4096;
/** Sweeps between two evaluations of the bounds. */
const CHECK_EVERY = 8;

/** True if the interval is narrow enough for a figure whose reward is at most `most`. */
export function isFound({ mean, lower, upper }: BoundedMean, most: number): boolean {
  return isWithin(ENOUGH, mean, lower, upper, most);
}

function isWithin(precision: number, mean: number, lower: number, upper: number, most: number): boolean {
  return (upper - lower) / 2 <= precision * Math.max(mean, SHARE_OF_MAXIMUM * most);
}

/**
 * The stationary mean of a reward r ≥ 0 with an interval. Two bounds hold (README.md), and the interval is what both allow:
 * that of elimination, relative to the mean; and min(r + Qh) ≤ πr ≤ max(r + Qh) for any vector h, found by iteration.
 *
 * @param error bound on the errors of rates and of inexact rewards as logarithms
 */
export function meanOf(
  chain: Generator,
  { probability, error: ofProbability }: Stationary,
  { reward, isExact }: Reward,
  error: number,
  stop: () => boolean,
): BoundedMean {
  const n = chain.states;
  let mean = 0;
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < n; i++) {
    mean += probability[i]! * reward[i]!;
    least = Math.min(least, reward[i]!);
    most = Math.max(most, reward[i]!);
  }
  let lower = isExact ? least : least * (1 - 2 * error - 4 * ROUNDING);
  let upper = isExact ? most : most * (1 + 2 * error + 4 * ROUNDING);
  const off = ofProbability + (2 * n + 1) * error + (2 * n + 8) * ROUNDING;
  if (off < 0.1) {
    // e^x ≤ 1 + 1.1 x up to 0.1.
    lower = Math.max(lower, mean * (1 - 1.1 * off));
    upper = Math.min(upper, mean * (1 + 1.1 * off));
  }
  if (!isWithin(AIM, mean, lower, upper, most)) {
    const found = byIteration(
      chain,
      reward,
      mean,
      error,
      (lo, up) => stop() || isWithin(AIM, mean, Math.max(lo, lower), Math.min(up, upper), most),
    );
    lower = Math.max(lower, found.lower);
    upper = Math.min(upper, found.upper);
  }
  return { mean: Math.min(Math.max(mean, lower), upper), lower, upper };
}

/** Iterates h by Gauss–Seidel on Qh = g − r and keeps the best bounds. */
function byIteration(
  { states: n, start, target, rate, exit }: Generator,
  reward: Float64Array,
  mean: number,
  error: number,
  isEnough: (lower: number, upper: number) => boolean,
): { readonly lower: number; readonly upper: number } {
  const h = new Float64Array(n);
  let [lower, upper] = [0, Number.POSITIVE_INFINITY];
  let before = Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    if (sweep % CHECK_EVERY === 0) {
      const bounds = boundsOf({ states: n, start, target, rate, exit }, reward, h, error);
      if (bounds.lower > lower) lower = bounds.lower;
      if (bounds.upper < upper) upper = bounds.upper;
      if (isEnough(lower, upper)) break;
      if (sweep % STALLED_AFTER === 0) {
        if (upper - lower > STALLED * before) break;
        before = upper - lower;
      }
      // Only differences count; without a shift h could grow.
      const first = h[0]!;
      for (let i = 0; i < n; i++) h[i]! -= first;
    }
    // Sweeps alternate, so that values spread at once in both directions of the numbering.
    const isForward = sweep % 2 === 0;
    for (let k = 0; k < n; k++) {
      const i = isForward ? k : n - 1 - k;
      let sum = reward[i]! - mean;
      for (let e = start[i]!, end = start[i + 1]!; e < end; e++) sum += rate[e]! * h[target[e]!]!;
      h[i] = sum / exit[i]!;
    }
  }
  return { lower, upper };
}

/** min(r + Qh) and max(r + Qh), each widened by a bound on rounding and on the errors of rates and rewards. */
function boundsOf(
  { states: n, start, target, rate }: Generator,
  reward: Float64Array,
  h: Float64Array,
  error: number,
): { readonly lower: number; readonly upper: number } {
  let [lower, upper] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < n; i++) {
    const [from, end] = [start[i]!, start[i + 1]!];
    let sum = reward[i]!;
    let size = sum;
    for (let e = from; e < end; e++) {
      const term = rate[e]! * (h[target[e]!]! - h[i]!);
      sum += term;
      size += Math.abs(term);
    }
    const off = (2 * error + (end - from + 6) * ROUNDING) * size + UNDERFLOW;
    if (!(off < Number.POSITIVE_INFINITY)) return { lower: 0, upper: Number.POSITIVE_INFINITY };
    if (sum - off < lower) lower = sum - off;
    if (sum + off > upper) upper = sum + off;
  }
  return { lower, upper };
}
