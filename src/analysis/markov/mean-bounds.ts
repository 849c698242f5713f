import { ROUNDING } from './elimination.ts';
import type { Stationary } from './stationary.ts';
import type { Sweeps } from './sweeps.ts';

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
  /** By place: by how much each token changes a reward that grows with its tokens; absent for those that do not. */
  readonly slopes?: ReadonlyMap<number, number>;
}

/** Precision that is aimed at: half-width in relation to the mean or, if that is larger, to a thousandth of the maximum. */
const AIM = 1e-10;
/** Precision below which a figure counts as found. */
const ENOUGH = 1e-8;
const SHARE_OF_MAXIMUM = 1e-3;
/** From this number of states on, a sweep takes long, and the aim is {@link AIM_OF_LARGE}. */
const LARGE = 100_000;
const AIM_OF_LARGE = 4e-9;

/** Change of probabilities in a sweep, in relation to them, at which iteration ends. */
export function smallChange(states: number): number {
  return states > LARGE ? 1e-11 : 1e-13;
}

/** True if the interval is narrow enough for a figure whose reward is at most `most`. */
export function isFound({ mean, lower, upper }: BoundedMean, most: number): boolean {
  return isWithin(ENOUGH, mean, lower, upper, most);
}

function isWithin(precision: number, mean: number, lower: number, upper: number, most: number): boolean {
  return (upper - lower) / 2 <= precision * Math.max(mean, SHARE_OF_MAXIMUM * most);
}

/**
 * The stationary means of one or two rewards r ≥ 0 with intervals. Two bounds hold (README.md), and the interval is what both allow:
 * that of elimination, relative to the mean; and min(r + Qh) ≤ πr ≤ max(r + Qh) for any vector h, found by iteration.
 *
 * @param error bound on the errors of rates and of inexact rewards as logarithms
 */
export function meansOf(
  sweeps: () => Sweeps,
  stationary: Stationary,
  rewards: readonly Reward[],
  error: number,
  stop: () => boolean,
): BoundedMean[] {
  const n = stationary.probability.length;
  const aim = n > LARGE ? AIM_OF_LARGE : AIM;
  const first = rewards.map((reward) => byDistribution(stationary, reward, error));
  const isNarrow = ({ mean, lower, upper, most }: Extremes): boolean => isWithin(aim, mean, lower, upper, most);
  if (first.every(isNarrow)) return first;
  const found = sweeps().intervals(
    rewards.map(({ reward }) => reward),
    first.map(({ mean }) => mean),
    error,
    (intervals) => intervals.every((interval, k) => isNarrow(within(first[k]!, interval))),
    stop,
  );
  return first.map((one, k) => within(one, found[k]!));
}

interface Extremes extends BoundedMean {
  /** Largest reward. */
  readonly most: number;
}

function within(one: Extremes, interval: { readonly lower: number; readonly upper: number }): Extremes {
  const lower = Math.max(one.lower, interval.lower);
  const upper = Math.min(one.upper, interval.upper);
  return { mean: Math.min(Math.max(one.mean, lower), upper), lower, upper, most: one.most };
}

/** The mean by the distribution; the interval by its error, and by the least and largest reward. */
function byDistribution(
  { probability, error: ofProbability }: Stationary,
  { reward, isExact }: Reward,
  error: number,
): Extremes {
  const n = probability.length;
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
  return { mean: Math.min(Math.max(mean, lower), upper), lower, upper, most };
}

/** The mean by an approximate distribution, about whose error nothing is known. */
export function unprovedMean({ probability }: Stationary, { reward }: Reward): number {
  return probability.reduce((sum, p, i) => sum + p * reward[i]!, 0);
}
