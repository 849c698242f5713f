import { logGamma } from '../base/special-functions.ts';

/** Positions (from 1) in n sorted values that bound a quantile from above and below; undefined if none does. */
export interface QuantileRanks {
  readonly upper: number | undefined;
  readonly lower: number | undefined;
}

/**
 * For n independent values, `upper` is the smallest r with P(Bin(n, q) ≤ r − 1) ≥ `confidence`: the r-th smallest value is at
 * least the q-quantile with that probability. `lower` is the largest l with P(Bin(n, q) ≥ l) ≥ `confidence`: the l-th
 * smallest value is at most the quantile. Distribution-free (David & Nagaraja, _Order Statistics_, 2003, §7.1). O(n).
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

/** Minimum number of values for their maximum to bound the q-quantile from above: qⁿ ≤ 1 − confidence. */
export function fewestValues(q: number, confidence: number): number {
  return Math.ceil(Math.log1p(-confidence) / Math.log(q) - 1e-9);
}
