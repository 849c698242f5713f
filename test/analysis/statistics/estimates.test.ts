import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { histogram } from '../../../src/analysis/statistics/histogram.ts';
import { fewestValues, quantileInterval, quantileRanks } from '../../../src/analysis/statistics/quantile.ts';
import { RunningRatio } from '../../../src/analysis/statistics/ratio.ts';
import { atMost, RunningSummary, summary } from '../../../src/analysis/statistics/summary.ts';
import { effort } from '../../effort.ts';

/** Uniform numbers from a linear congruential generator (Numerical Recipes, §7.1). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(1664525, state) + 1013904223) | 0;
    return ((state >>> 8) + 0.5) / 2 ** 24;
  };
}

const RUNS = 2000;
const uniform = uniforms(7);
const exponential = (): number => -Math.log(uniform());
/** Sum of k exponential numbers of mean 1. */
const erlang = (k: number): number => Array.from({ length: k }, exponential).reduce((a, b) => a + b, 0);

/** Share of samples whose interval contains the truth. */
function coverage(truth: number, sampled: () => { readonly lower: number; readonly upper: number }): number {
  let inside = 0;
  for (let run = 0; run < RUNS; run++) {
    const { lower, upper } = sampled();
    if (lower <= truth && truth <= upper) inside += 1;
  }
  return inside / RUNS;
}

/** 3.3 standard deviations of a share of all samples. */
const noise = (share: number): number => 3.3 * Math.sqrt((share * (1 - share)) / RUNS);

describe('interval of a quantile', () => {
  test('by hand: five values bound the median at 93.7 %, and not at 95 %', () => {
    // Outside with probability 2 / 32.
    expect(quantileInterval([1, 2, 3, 4, 5], 0.5, 0.937)).toEqual({ lower: 1, upper: 5 });
    expect(quantileInterval([1, 2, 3, 4, 5], 0.5, 0.95)).toEqual({ lower: null, upper: null });
    expect(quantileInterval([1, 2, 3, 4, 5], 0.9, 0.95).lower).toBe(3);
    expect(quantileInterval([1, 2, 3, 4, 5], 0.9, 0.95).upper).toBeNull();
  });

  test('the fewest values for an upper end', () => {
    const n = fewestValues(0.95, 0.975);
    expect([quantileRanks(n - 1, 0.95, 0.975).upper, quantileRanks(n, 0.95, 0.975).upper]).toEqual([undefined, n]);
  });

  test('each rank is wrong with at most the given probability, and its neighbour with more', () => {
    for (const n of [8, 100, 3000])
      for (const q of [0.05, 0.5, 0.95]) {
        const { lower = 0, upper = n + 1 } = quantileRanks(n, q, 0.975);
        const below = (k: number): number => (k < 0 ? 0 : k >= n ? 1 : atMost(k, n, q));
        if (lower > 0) expect(below(lower - 1)).toBeLessThanOrEqual(0.025 + 1e-9);
        expect(below(lower)).toBeGreaterThan(0.025);
        if (upper <= n) expect(below(upper - 1)).toBeGreaterThanOrEqual(0.975 - 1e-9);
        expect(below(upper - 2)).toBeLessThan(0.975);
      }
  });

  test('of 10⁷ values is that of the normal distribution', () => {
    const { lower, upper } = quantileRanks(1e7, 0.5, 0.975);
    expect((upper! - lower!) / (2 * 1.959964 * Math.sqrt(1e7 / 4))).toBeCloseTo(1, 3);
  });

  test.each([
    [20, 0.5],
    [80, 0.95],
  ])('of sums of exponentials: %i values, quantile %f', (n, q) => {
    // Distribution of the sum of two: 1 − (1 + t) e^−t.
    let [low, high] = [0, 20];
    for (let i = 0; i < 60; i++) {
      const t = (low + high) / 2;
      if (1 - (1 + t) * Math.exp(-t) < q) low = t;
      else high = t;
    }
    const share = coverage(low, () => {
      const sorted = Array.from({ length: n }, () => erlang(2)).sort((a, b) => a - b);
      const { lower, upper } = quantileInterval(sorted, q, 0.9);
      return { lower: lower!, upper: upper! };
    });
    const { lower, upper } = quantileRanks(n, q, 0.95);
    const exact = atMost(upper! - 1, n, q) - atMost(lower! - 1, n, q);
    expect(exact).toBeGreaterThanOrEqual(0.9);
    expect(Math.abs(share - exact)).toBeLessThan(noise(exact));
  });

  test('of binomial numbers, which have ties', () => {
    const binomial = (): number =>
      Array.from({ length: 6 }, () => (uniform() < 0.3 ? 1 : 0)).reduce<number>((a, b) => a + b, 0);
    // P(X ≤ 1) = 0.420, P(X ≤ 2) = 0.744: the median is 2.
    const share = coverage(2, () => {
      const sorted = Array.from({ length: 15 }, binomial).sort((a, b) => a - b);
      const { lower, upper } = quantileInterval(sorted, 0.5, 0.9);
      return { lower: lower!, upper: upper! };
    });
    expect(share).toBeGreaterThan(0.9 - noise(0.9));
  });
});

describe('interval of a mean', () => {
  test.each([
    ['sums of 20 exponentials', () => erlang(20), 20],
    [
      'binomial numbers of 40 trials',
      () => Array.from({ length: 40 }, () => (uniform() < 0.4 ? 1 : 0)).reduce<number>((a, b) => a + b, 0),
      16,
    ],
  ] as const)('of %s', (_, drawn, truth) => {
    const share = coverage(truth, () => {
      const running = new RunningSummary();
      for (let k = 0; k < 12; k++) running.add(drawn());
      const half = running.half(0.95);
      return { lower: running.mean - half, upper: running.mean + half };
    });
    // The skewness of these sums is below a half: Student's interval is off by less than one per cent.
    expect(Math.abs(share - 0.95)).toBeLessThan(0.01 + noise(0.95));
  });
});

describe('interval of a ratio', () => {
  const of = (
    pairs: readonly (readonly [number, number])[],
    confidence = 0.95,
  ): RunningRatio['interval'] extends (c: number) => infer R ? R : never => {
    const ratio = new RunningRatio();
    for (const [x, y] of pairs) ratio.add(x, y);
    return ratio.interval(confidence);
  };

  test('with equal denominators is that of a mean', () => {
    const values = [3, 1, 4, 1, 5, 9];
    const { mean, low, high } = summary(values);
    const found = of(values.map((x) => [2 * x, 2]))!;
    expect(found.lower).toBeCloseTo(low, 12);
    expect(found.upper).toBeCloseTo(high, 12);
    expect(mean).toBeGreaterThan(found.lower);
  });

  test('of one pair, of no time, and of denominators that may have mean 0 does not exist', () => {
    expect(of([[1, 2]])).toBeUndefined();
    expect(
      of([
        [0, 0],
        [0, 0],
      ]),
    ).toBeUndefined();
    expect(
      of([
        [1, 1],
        [1, 1000],
      ]),
    ).toBeUndefined();
  });

  test('that is the same in all runs has no width', () => {
    expect(
      of(
        [
          [0.3, 0.9],
          [0.7, 2.1],
          [0.01, 0.03],
        ].map(([, y]) => [y! / 4, y!] as const),
      ),
    ).toEqual({ lower: 0.25, upper: 0.25 });
  });

  test('x by y and y by x have inverse intervals', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 1, max: 3, noNaN: true }), fc.double({ min: 1, max: 3, noNaN: true })), {
          minLength: 12,
          maxLength: 30,
        }),
        (pairs) => {
          const [one, other] = [of(pairs), of(pairs.map(([x, y]) => [y, x] as const))];
          expect(one!.lower * other!.upper).toBeCloseTo(1, 6);
          expect(one!.upper * other!.lower).toBeCloseTo(1, 6);
        },
      ),
      { numRuns: effort(200) },
    );
  });

  test.each([6, 20])('utilisation of %i runs of exponential length', (n) => {
    // Busy three phases of five: E busy / E total = 0.6.
    const share = coverage(0.6, () => {
      const found = of(
        Array.from({ length: n }, () => {
          const busy = erlang(3);
          return [busy, busy + erlang(2)] as const;
        }),
      );
      return found ?? { lower: 0, upper: 1 };
    });
    expect(Math.abs(share - 0.95)).toBeLessThan(0.01 + noise(0.95));
  });
});

describe('histogram', () => {
  test('by hand', () => {
    expect(histogram([1, 2, 2, 5])).toEqual([
      { from: 1, to: 1 + 4 / 3, count: 3 },
      { from: 1 + 4 / 3, to: 1 + 8 / 3, count: 0 },
      { from: 1 + 8 / 3, to: 5, count: 1 },
    ]);
    expect(histogram([2, 2])).toEqual([{ from: 2, to: 2, count: 2 }]);
    expect(histogram([])).toEqual([]);
  });

  test('counts add up, and each class contains its values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 12 }),
        (values, most) => {
          const bins = histogram(values, most);
          expect(bins.length).toBeLessThanOrEqual(most);
          expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
          expect([bins[0]!.from, bins.at(-1)!.to]).toEqual([Math.min(...values), Math.max(...values)]);
          for (const [k, { from, to, count }] of bins.entries()) {
            const last = k === bins.length - 1;
            expect(values.filter((v) => v >= from && (v < to || last)).length).toBe(count);
          }
        },
      ),
      { numRuns: effort(500) },
    );
  });
});
