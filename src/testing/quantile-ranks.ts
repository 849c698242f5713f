import { logGamma } from '../base/special-functions.ts';

/** Which of n values, sorted (from 1), bound a quantile from above and below; undefined where no value does. */
export interface QuantileRanks {
  readonly upper: number | undefined;
  readonly lower: number | undefined;
}

/**
 * Of n independent values: the r-th smallest is at least the q-quantile with a probability of at least `confidence` where
 * P(Bin(n, q) ≤ r − 1) is that much; the smallest such r is `upper`. The largest l with P(Bin(n, q) ≥ l) that much is
 * `lower`: the l-th smallest is at most the quantile. Free of any assumption on the distribution (David & Nagaraja, _Order
 * Statistics_, 2003, §7.1). O(n).
 */
export function quantileRanks(n: number, q: number, confidence: number): QuantileRanks {
  let upper: number | undefined;
  let lower: number | undefined;
  let below = 0;
  for (let k = 0; k <= n; k++) {
    // P(Bin ≥ k) = 1 − P(Bin ≤ k − 1).
    if (k > 0 && 1 - below >= confidence) lower = k;
    below += Math.exp(
      logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(q) + (n - k) * Math.log1p(-q),
    );
    if (upper === undefined && k < n && below >= confidence) upper = k + 1;
  }
  return { upper, lower };
}

/** The fewest values of which the largest bounds the q-quantile from above: qⁿ ≤ 1 − confidence. */
export function fewestValues(q: number, confidence: number): number {
  return Math.ceil(Math.log1p(-confidence) / Math.log(q) - 1e-9);
}
