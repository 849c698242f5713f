import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  empirical,
  erlang,
  exponential,
  gamma,
  lognormal,
  normal,
  triangular,
  uniform,
  weibull,
} from '../../src/net/builder/distributions.ts';
import type { Distribution } from '../../src/net/distribution.ts';
import { cdf, momentsOf } from '../../src/net/distributions/laws.ts';
import { branches, constantValue, ENTRIES, knots, OUT_OF_RANGE, phases, weighted } from './distribution-cases.ts';

const functionOf = (d: Distribution): ((x: number) => number) => cdf(d, constantValue);
const figuresOf = (d: Distribution): number[] => {
  const { mean, variance } = momentsOf(d, constantValue);
  return [mean, variance];
};

/** Gauss–Legendre rule with five points. */
const RULE = [
  [-0.906179845938664, 0.2369268850561891],
  [-0.5384693101056831, 0.4786286704993665],
  [0, 0.5688888888888889],
  [0.5384693101056831, 0.4786286704993665],
  [0.906179845938664, 0.2369268850561891],
] as const;

/** Mean and variance from the distribution function: ∫ 1 − F, and 2 ∫ (x − mean) (1 − F) + mean² with panels between knots. */
function integrated(d: Distribution): number[] {
  const F = functionOf(d);
  const { mean, variance } = momentsOf(d, constantValue);
  let end = mean;
  while (1 - F(end) > 1e-13) end += Math.sqrt(variance);
  // Panels of growing size from 0, and uniform panels around the mean.
  const grown = Array.from({ length: 400 }, (_, k) => end * 1.1 ** (k - 399));
  const even = Array.from({ length: 400 }, (_, k) => mean + (k / 20 - 10) * Math.sqrt(variance));
  const edges = [0, ...grown, ...even.filter((x) => x > 0 && x < end), ...knots(d)].sort((a, b) => a - b);
  const integral = (f: (x: number) => number): number => {
    let sum = 0;
    for (let k = 1; k < edges.length; k++) {
      const half = (edges[k]! - edges[k - 1]!) / 2;
      for (const [at, weight] of RULE) sum += half * weight * f(edges[k - 1]! + half * (1 + at));
    }
    return sum;
  };
  return [integral((x) => 1 - F(x)), 2 * integral((x) => (x - mean) * (1 - F(x))) + mean ** 2];
}

describe('moments and distribution function agree', () => {
  test.each(ENTRIES)('moments and distribution function agree: %s', (_, d) => {
    const [mean, variance] = figuresOf(d) as [number, number];
    const [byF, varianceByF] = integrated(d) as [number, number];
    expect(Math.abs(byF / mean - 1)).toBeLessThan(1e-8);
    // Cancellation limits the accuracy if the standard deviation is small compared with the mean.
    expect(Math.abs(varianceByF - variance)).toBeLessThan(1e-6 * variance + 1e-11 * mean ** 2);
  });
});

describe('a distribution function', () => {
  test.each(ENTRIES)('of %s rises from 0 to 1', (_, d) => {
    const F = functionOf(d);
    const { mean } = momentsOf(d, constantValue);
    expect([F(Number.NEGATIVE_INFINITY), F(-1), F(-5e-324), F(1e308), F(Number.POSITIVE_INFINITY)]).toEqual([
      0, 0, 0, 1, 1,
    ]);
    expect(F(Number.NaN)).toBeNaN();
    let before = 0;
    for (const x of [0, 5e-324, ...Array.from({ length: 500 }, (_, k) => mean * 1.05 ** (k - 250))]) {
      const value = F(x);
      expect(value).toBeLessThanOrEqual(1);
      expect(value).toBeGreaterThanOrEqual(before - 1e-14);
      before = value;
    }
  });
});

test.each(OUT_OF_RANGE)('%s has no moments', (_, d) => {
  expect(figuresOf(d)).toEqual([Number.NaN, Number.NaN]);
  for (const x of [-1, 0, 1, Number.POSITIVE_INFINITY]) expect(functionOf(d)(x)).toBeNaN();
});

// Expected values: mpmath 1.3 with 60 digits, or fractions.
test.each<[string, Distribution, number, number]>([
  ['exponential', exponential(4), 1 / 4, 1 / 16],
  ['erlang', erlang(3, 2), 3 / 2, 3 / 4],
  ['hyper-exponential', branches([3, 1], [2, 0.5]), 7 / 8, 103 / 64],
  ['cox', phases([2, 4], [0.5]), 5 / 8, 19 / 64],
  ['uniform', uniform(1, 4), 5 / 2, 3 / 4],
  ['triangular', triangular(1, 2, 6), 3, 21 / 18],
  ['normal', normal(1, 1), 1.2875999709391783, 0.6296862857766053],
  ['normal of mean 0', normal(0, 1), 0.7978845608028654, 0.3633802276324187],
  ['normal, not cut', normal(41, 1), 41, 1],
  ['normal without deviation', normal(3, 0), 3, 0],
  ['lognormal', lognormal(-1, 0.1), 0.369723444544059, 0.0013738118653689527],
  ['lognormal of tiny mean', lognormal(-1000, 30), 1.374152566130957e-239, 1.3838965267367376e-87],
  ['lognormal without deviation', lognormal(0, 0), 1, 0],
  ['weibull', weibull(2, 1), 0.886226925452758, 0.2146018366025517],
  ['weibull of small shape', weibull(0.3, 1), 9.26052826812555, 2507.808791169783],
  ['weibull before the series', weibull(49.9, 1), 0.9888226131155207, 0.0006277892834147567],
  ['weibull after the series', weibull(50.1, 1), 0.9888657102161551, 0.0006229101672578749],
  ['weibull of large shape', weibull(1e9, 1), 0.9999999994227844, 1.6449340625451492e-18],
  ['gamma', gamma(2.5, 4), 10, 40],
  ['discrete', weighted([1, 3], [3, 1]), 3 / 2, 3 / 4],
  ['empirical', empirical([4, 0, 1]), 3 / 2, 17 / 12],
  ['too large', exponential(5e-324), Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['too spread', weibull(1e-3, 1), Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])('mean and variance of %s', (_, d, mean, variance) => {
  const found = figuresOf(d);
  for (const [k, expected] of [mean, variance].entries()) {
    if (expected === Number.POSITIVE_INFINITY) expect(found[k]).toBe(expected);
    else expect(Math.abs(found[k]! - expected)).toBeLessThanOrEqual(1e-11 * expected);
  }
});

// Expected values: mpmath 1.3, the matrix exponential with 60 digits.
test.each<[number[], number[], number, number]>([
  [[1], [0], 1e-6, 9.999995000001667e-7],
  [[1], [0], 2.0, 0.8646647167633873],
  [[2, 3], [0.4, 0], 0.06333333333333334, 0.07571816819309507],
  [[2, 3], [0.4, 0], 12.666666666666666, 0.999999999982088],
  [[1, 1, 1, 1], [1, 1, 1, 0], 4.0, 0.566529879633291],
  [[1000000000.0, 1], [0.5, 0], 0.000500000001, 0.500249937011165],
  [[1000000000.0, 1], [0.5, 0], 2.500000005, 0.9589575008522206],
  [[1, 1000000000.0], [0.5, 0], 0.50000000025, 0.3934693401357339],
  [[1000000.0, 1, 0.001], [0.9, 0.5, 0], 0.000450900001, 0.10020240951033732],
  [[1000000.0, 1, 0.001], [0.9, 0.5, 0], 901.8000020000001, 0.8171898683805998],
  [[3, 3.0000001, 2.9999, 7], [1, 0.9, 0.99, 0], 0.10939623701746147, 0.005093363379539205],
  [[3, 3.0000001, 2.9999, 7], [1, 0.9, 0.99, 0], 21.879247403492293, 1.0],
])('cox with rates %j, onward %j at %d', (rates, onward, x, expected) => {
  expect(Math.abs(functionOf(phases(rates, onward))(x) / expected - 1)).toBeLessThan(1e-14);
});

describe('equal distributions', () => {
  const rate = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
  const relative = fc.double({ min: 0, max: 5, noNaN: true });
  const same = (a: Distribution, b: Distribution, x: number): void => {
    expect(Math.abs(functionOf(a)(x) - functionOf(b)(x))).toBeLessThan(1e-13);
    const [of, other] = [figuresOf(a), figuresOf(b)];
    for (const k of [0, 1]) expect(Math.abs(of[k]! / other[k]! - 1)).toBeLessThan(1e-12);
  };

  test('erlang, gamma and cox of equal phases', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), rate, relative, (n, r, x) => {
        const row = phases(new Array<number>(n).fill(r), new Array<number>(n - 1).fill(1));
        same(erlang(n, r), gamma(n, 1 / r), (x * n) / r);
        same(erlang(n, r), row, (x * n) / r);
      }),
    );
  });

  test('exponential, weibull, gamma and mixtures of shape 1', () => {
    fc.assert(
      fc.property(rate, relative, fc.double({ min: 0, max: 1, noNaN: true }), (r, x, p) => {
        for (const d of [weibull(1, 1 / r), gamma(1, 1 / r), erlang(1, r), branches([p, 1], [r, r])])
          same(exponential(r), d, x / r);
        same(exponential(r), phases([r, 2 * r], [0]), x / r);
      }),
    );
  });

  test('a Cox distribution of two phases equals its mixture of exponentials', () => {
    fc.assert(
      fc.property(rate, rate, fc.double({ min: 0, max: 1, noNaN: true }), relative, (a, b, p, x) => {
        const [fast, slow] = [Math.max(a, b), Math.min(a, b)];
        // First phase with the faster rate, second with the slower; the onward probability reproduces both branches.
        const onward = (1 - p) * (1 - slow / fast);
        same(branches([p, 1 - p], [fast, slow]), phases([fast, slow], [onward]), x / slow);
      }),
    );
  });

  test('discrete values in any order, equal ones together; samples in any order', () => {
    const values = fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 9 })), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.nat(10), (pairs, x) => {
        const F = (ps: readonly (readonly [number, number])[]): number =>
          functionOf(
            weighted(
              ps.map((p) => p[0]),
              ps.map((p) => p[1]),
            ),
          )(x);
        const below = pairs.filter((p) => p[0] <= x).reduce((sum, p) => sum + p[1], 0);
        expect(F(pairs)).toBe(below / pairs.reduce((sum, p) => sum + p[1], 0));
        expect(F(pairs.toReversed())).toBe(F(pairs));
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.nat(9), { minLength: 2 }), fc.double({ min: 0, max: 10, noNaN: true }), (samples, x) => {
        expect(functionOf(empirical(samples.toReversed()))(x)).toBe(functionOf(empirical(samples))(x));
      }),
    );
  });
});
