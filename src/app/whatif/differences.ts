import { summary } from '../../analysis/summary.ts';
import type { Difference } from '../../report/whatif.ts';

/**
 * Mean difference of run times to a baseline, in seconds. Replications are paired: replication k draws the same random
 * numbers in both, so common variation cancels out. The interval is that of the mean of the paired differences (paired t;
 * Law, _Simulation Modeling and Analysis_, §10.2.1).
 *
 * @param confidence confidence level of the interval, default 0.95
 * @returns `undefined` without run times; `low` and `high` are null with a single replication; `low`, `high` and `relative`
 * are null if they are not finite, `relative` also for a baseline of 0
 */
export function pairedDifference(
  baseline: readonly number[],
  other: readonly number[],
  confidence = 0.95,
): Difference | undefined {
  const count = Math.min(baseline.length, other.length);
  if (count === 0) return undefined;
  const { mean, low, high } = summary(
    Array.from({ length: count }, (_, k) => other[k]! - baseline[k]!),
    confidence,
  );
  const base = baseline.slice(0, count).reduce((sum, x) => sum + x, 0) / count;
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return {
    mean,
    low: count > 1 ? finite(low) : null,
    high: count > 1 ? finite(high) : null,
    relative: base > 0 && base < Number.POSITIVE_INFINITY ? finite(mean / base) : null,
  };
}
