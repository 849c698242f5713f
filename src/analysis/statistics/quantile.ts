import { logGamma } from '../../base/random/special-functions.ts';

/**
 * The p-quantile (0 ≤ p ≤ 1), interpolated linearly between neighbours (type 7 of R. J. Hyndman, Y. Fan, The American
 * Statistician 50, 1996). NaN for an empty list. O(n log n).
 */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = Math.min(1, Math.max(0, p)) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
  return low + (high - low) * (at - Math.floor(at));
}

/** Positions (from 1) in n sorted values that bound a quantile from above and below; undefined if none does. */
interface QuantileRanks {
  readonly upper: number | undefined;
  readonly lower: number | undefined;
}

/** Standard deviations from its mean beyond which the probabilities of a binomial number are below the rounding of a double. */
const FAR = 12;

/**
 * For n independent values, `upper` is the smallest r with P(Bin(n, q) ≤ r − 1) ≥ `confidence`: the r-th smallest value is at
 * least the q-quantile with that probability. `lower` is the largest l with P(Bin(n, q) ≥ l) ≥ `confidence`: the l-th
 * smallest value is at most the quantile. Distribution-free (David & Nagaraja, _Order Statistics_, 2003, §7.1). O(√n).
 */
export function quantileRanks(n: number, q: number, confidence: number): QuantileRanks {
  let upper: number | undefined;
  let lower: number | undefined;
  let below = 0;
  const reach = FAR * (Math.sqrt(n * q * (1 - q)) + FAR);
  const [first, last] = [Math.max(0, Math.floor(n * q - reach)), Math.min(n, Math.ceil(n * q + reach))];
  for (let k = first; k <= last; k++) {
    // P(Bin ≥ k) = 1 − P(Bin ≤ k − 1).
    if (k > 0 && 1 - below >= confidence) lower = k;
    below += Math.exp(
      logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(q) + (n - k) * Math.log1p(-q),
    );
    if (upper === undefined && k < n && below >= confidence) upper = k + 1;
  }
  return { upper, lower };
}

/** Minimum number of values for their maximum to bound the q-quantile from above: qⁿ ≤ 1 − confidence. */
export function fewestValues(q: number, confidence: number): number {
  return Math.ceil(Math.log1p(-confidence) / Math.log(q) - 1e-9);
}

/**
 * The interval of the q-quantile of the distribution from which independent values come: two of these values, each of which is
 * on the wrong side with probability at most (1 − confidence) / 2, whatever the distribution. An end is null if there are too few
 * values for it. O(√n).
 *
 * @param sorted the values in ascending order
 */
export function quantileInterval(
  sorted: readonly number[],
  q: number,
  confidence: number,
): { readonly lower: number | null; readonly upper: number | null } {
  const { lower, upper } = quantileRanks(sorted.length, q, (1 + confidence) / 2);
  return {
    lower: lower === undefined ? null : sorted[lower - 1]!,
    upper: upper === undefined ? null : sorted[upper - 1]!,
  };
}
