/**
 * Von Neumann's ratio of a series as a standard normal number (J. von Neumann, Ann. Math. Statist. 12, 1941; G. S. Fishman,
 * Management Science 24, 1978): with C = 1 − Σ (xₖ − xₖ₊₁)² / (2 Σ (xₖ − mean)²), the number C √((n² − 1) / (n − 2)) is close to
 * normal for independent values from n = 8 on. Positive: neighbours are alike. NaN for equal values or fewer than three. O(n).
 */
export function neighbourCorrelation(series: ArrayLike<number>): number {
  const n = series.length;
  let mean = 0;
  for (let k = 0; k < n; k++) mean += series[k]! / n;
  let [squares, steps] = [0, 0];
  for (let k = 0; k < n; k++) {
    squares += (series[k]! - mean) ** 2;
    if (k > 0) steps += (series[k]! - series[k - 1]!) ** 2;
  }
  if (n < 3 || !(squares > 0)) return Number.NaN;
  return (1 - steps / (2 * squares)) * Math.sqrt((n * n - 1) / (n - 2));
}

/**
 * The test of H. B. Mann (Econometrica 13, 1945) and M. G. Kendall for a trend, as a standard normal number: pairs that grow minus
 * pairs that fall, by its standard deviation n (n − 1) (2n + 5) / 18 without a trend. Positive: the values grow. O(n²).
 */
export function trend(series: ArrayLike<number>): number {
  const n = series.length;
  let score = 0;
  for (let k = 0; k < n; k++) for (let i = 0; i < k; i++) score += Math.sign(series[k]! - series[i]!);
  return score / Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
}
