import { summary } from '../../analysis/summary.ts';
import type { Difference } from '../../report/whatif.ts';

/**
 * The difference of run times to a baseline (s). With replications it is taken replication by replication: those of the
 * same number draw the same random numbers, so that what both share cancels out, and the interval of the mean is that of
 * the differences (paired t; Law, _Simulation Modeling and Analysis_, §10.2.1).
 *
 * @param confidence of the interval, default 0.95
 * @returns `low` and `high` null where there is no second replication; they and `relative` null beyond the range of a double
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
