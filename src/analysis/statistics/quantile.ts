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
