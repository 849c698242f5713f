import { describe, expect, test } from 'vitest';
import { batchMean, skewedInterval } from '../../../src/analysis/statistics/batch-means.ts';
import { neighbourCorrelation, trend } from '../../../src/analysis/statistics/independence.ts';
import { atMost, proportion, summary } from '../../../src/analysis/statistics/summary.ts';
import { warmUp } from '../../../src/analysis/statistics/warm-up.ts';
import { effort } from '../../effort.ts';

/** Normal numbers by the method of Box and Muller from a linear congruential generator (Numerical Recipes, §7.1). */
function normals(count: number, seed: number): number[] {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(1664525, state) + 1013904223) | 0;
    return ((state >>> 8) + 0.5) / 2 ** 24;
  };
  return Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}

/** x' = share × x + normal number: correlation `share` of neighbours. */
function autoregressive(count: number, share: number, seed: number): number[] {
  let x = 0;
  return normals(count, seed).map((e) => {
    x = share * x + e;
    return x;
  });
}

describe('warm-up', () => {
  test('a step is removed, and at most a few values more', () => {
    const series = [...Array.from({ length: 100 }, () => 10), ...normals(900, 1)];
    expect(warmUp(series)).toBe(105);
  });

  test('by hand: the truncation has the least squared error', () => {
    // Averages of five: 8, 1, 2, 1, 2, 1, 2, 1, 2, 1. Without the first: Σ (x − mean)² / 9² = (20 / 9) / 81; with it, far more.
    const series = [8, 1, 2, 1, 2, 1, 2, 1, 2, 1].flatMap((x) => Array.from({ length: 5 }, () => x));
    expect(warmUp(series)).toBe(5);
  });

  test('a series without a steady part has none', () => {
    expect(warmUp(Array.from({ length: 1000 }, (_, k) => k))).toBeUndefined();
  });

  test('a decay is removed where it is lost in the noise', () => {
    const noise = normals(5000, 7);
    const found = warmUp(noise.map((e, k) => e + 30 * Math.exp(-k / 100)))!;
    expect(found).toBeGreaterThan(200);
    expect(found).toBeLessThan(1000);
  });
});

describe('independence', () => {
  test('by hand: alternating and growing values', () => {
    // Σ (xₖ − xₖ₊₁)² = 7 × 4, Σ (x − mean)² = 8: C = 1 − 28 / 16.
    expect(neighbourCorrelation([1, -1, 1, -1, 1, -1, 1, -1])).toBeCloseTo(-0.75 * Math.sqrt(63 / 6), 12);
    // 0 … 7: Σ of squared steps 7, of squared deviations 42.
    expect(neighbourCorrelation([0, 1, 2, 3, 4, 5, 6, 7])).toBeCloseTo((1 - 7 / 84) * Math.sqrt(63 / 6), 12);
    expect(neighbourCorrelation([3, 3, 3, 3])).toBeNaN();
  });

  test('is a standard normal number for independent values', () => {
    const { mean, deviation } = summary(Array.from({ length: 2000 }, (_, k) => neighbourCorrelation(normals(64, k))));
    expect(Math.abs(mean)).toBeLessThan(0.1);
    expect(deviation).toBeGreaterThan(0.93);
    expect(deviation).toBeLessThan(1.07);
  });

  test('a trend by hand', () => {
    // Pairs: 1 2, 1 3, 2 3 grow; with 0 at the end three pairs fall.
    expect(trend([1, 2, 3])).toBeCloseTo(3 / Math.sqrt((3 * 2 * 11) / 18), 12);
    expect(trend([1, 2, 3, 0])).toBe(0);
  });
});

describe('batch means', () => {
  test('the symmetric interval is that of Student', () => {
    const values = Float64Array.of(1, -1, 2, -2, 3, -3, 4, -4);
    const { half } = summary([...values]);
    const { mean, lower, upper } = skewedInterval(values, 0.95);
    expect(mean).toBe(0);
    expect(upper).toBeCloseTo(half, 9);
    expect(lower).toBeCloseTo(-half, 9);
  });

  test('long upper tails move the interval up', () => {
    const values = Float64Array.from(normals(64, 3), (x) => Math.exp(x));
    const { mean, lower, upper } = skewedInterval(values, 0.95);
    expect(upper - mean).toBeGreaterThan(1.05 * (mean - lower));
  });

  test.each([0, 0.5, 0.9])('intervals of autoregressive series with correlation %s contain the mean', (share) => {
    let [inside, without] = [0, 0];
    const runs = effort(500);
    for (let k = 0; k < runs; k++) {
      const found = batchMean(autoregressive(2 ** 14, share, k), 0.95);
      if (!('lower' in found)) without += 1;
      else if (found.lower <= 0 && found.upper >= 0) inside += 1;
    }
    // Neighbours within less than 128 batches may look alike by chance: then a longer series is needed.
    expect(without / runs).toBeLessThan(0.5);
    // 0.95 ± 3.3 standard deviations of a binomial share.
    const found = runs - without;
    expect(Math.abs(inside / found - 0.95)).toBeLessThan(3.3 * Math.sqrt((0.95 * 0.05) / found));
  });

  test('a series without an interval says why', () => {
    const because = (series: readonly number[]): unknown => batchMean(series, 0.95);
    expect(because(Array.from({ length: 1000 }, () => 0.25))).toEqual({ mean: 0.25, because: 'constant' });
    expect(because(normals(100, 1))).toMatchObject({ because: 'dependent' });
    let level = 0;
    const walk = normals(2048, 5).map((x) => {
      level += x;
      return level;
    });
    expect(['dependent', 'warm-up']).toContain((because(walk) as { because: string }).because);
    expect(because(Array.from({ length: 2000 }, (_, k) => k))).toMatchObject({ because: 'warm-up' });
  });
});

describe('interval of a probability', () => {
  test('by hand: no success, all successes, one of two', () => {
    // (1 − p)^n = 0.025, and for one of two 1 − p² = 0.025.
    const none = proportion(0, 10, 0.95);
    expect(none.lower).toBe(0);
    expect(none.upper).toBeCloseTo(1 - 0.025 ** 0.1, 14);
    expect(proportion(10, 10, 0.95).lower).toBeCloseTo(0.025 ** 0.1, 14);
    expect(proportion(10, 10, 0.95).upper).toBe(1);
    expect(proportion(1, 2, 0.95).upper).toBeCloseTo(Math.sqrt(0.975), 14);
    expect(proportion(1, 2, 0.95).lower).toBeCloseTo(1 - Math.sqrt(0.975), 14);
  });

  test('contains the probability at least as often as it says, for any probability', () => {
    const n = 40;
    for (const p of [0.001, 0.03, 0.2, 0.5, 0.77, 0.99]) {
      let covered = 0;
      for (let k = 0; k <= n; k++) {
        const { lower, upper } = proportion(k, n, 0.9);
        const probability = (k === n ? 1 : atMost(k, n, p)) - (k === 0 ? 0 : atMost(k - 1, n, p));
        if (lower <= p && p <= upper) covered += probability;
      }
      expect([p, covered >= 0.9]).toEqual([p, true]);
    }
  });

  test('of many trials is that of the normal distribution', () => {
    const { lower, upper } = proportion(30_000, 100_000, 0.95);
    expect((upper - lower) / 2 / (1.96 * Math.sqrt((0.3 * 0.7) / 100_000))).toBeCloseTo(1, 2);
  });
});
