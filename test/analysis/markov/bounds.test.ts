import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUNDING } from '../../../src/analysis/markov/elimination.ts';
import { type BoundedMean, isFound, meansOf, type Reward } from '../../../src/analysis/markov/mean-bounds.ts';
import { RateList, rateAt } from '../../../src/analysis/markov/rows.ts';
import { eliminate, residual, type Stationary } from '../../../src/analysis/markov/stationary.ts';
import { type Generator, Sweeps } from '../../../src/analysis/markov/sweeps.ts';
import { MemoryFull } from '../../../src/kernel/memory.ts';
import { effort } from '../../effort.ts';

/** An irreducible generator from the rates of a full matrix, of which 0 means no rate; a ring keeps it irreducible. */
function generatorOf(rates: readonly (readonly number[])[], isCoded = true): Generator {
  const n = rates.length;
  const rows = rates.map((row, i) =>
    row.flatMap((rate, j) => {
      const own = (i + 1) % n === j ? Math.max(rate, 1) : rate;
      return i === j || own === 0 ? [] : [[j, own] as const];
    }),
  );
  return {
    states: n,
    start: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
    target: Int32Array.from(rows.flat().map(([j]) => j)),
    rates: ratesOf(
      rows.flat().map(([, rate]) => rate),
      isCoded,
    ),
    exit: Float64Array.from(rows, (row) => row.reduce((sum, [, rate]) => sum + rate, 0)),
  };
}

function ratesOf(values: readonly number[], isCoded: boolean): Generator['rates'] {
  if (!isCoded) return { code: undefined, value: Float64Array.from(values) };
  const list = new RateList(values.length);
  for (const [k, value] of values.entries()) list.set(k, value);
  return list.first(values.length);
}

function meanOf(
  chain: Generator,
  stationary: Stationary,
  reward: Reward,
  error: number,
  stop: () => boolean,
): BoundedMean {
  return meansOf(() => new Sweeps(chain), stationary, [reward], error, stop)[0]!;
}

const rate = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.double({ min: 0.1, max: 10, noNaN: true }) },
  { weight: 1, arbitrary: fc.integer({ min: -6, max: 6 }).map((k) => 10 ** k) },
);
const chains = fc.integer({ min: 2, max: 12 }).chain((n) =>
  fc.record({
    rates: fc.array(fc.array(rate, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
    rewards: fc.array(fc.array(fc.nat({ max: 5 }), { minLength: n, maxLength: n }), { minLength: 1, maxLength: 2 }),
    isCoded: fc.boolean(),
    /** Checks of the bounds until iteration is ended. */
    checks: fc.integer({ min: 0, max: 200 }),
  }),
);

test('iteration and elimination have intervals with a common point, also if iteration is cut short', () => {
  let narrow = 0;
  fc.assert(
    fc.property(chains, ({ rates, rewards, isCoded, checks }) => {
      const chain = generatorOf(rates, isCoded);
      const own = rewards.map((reward) => ({ reward: Float64Array.from(reward), isExact: true }));
      let left = checks;
      const sweeps = new Sweeps(chain);
      const approximate = { probability: sweeps.stationary(1e-13, () => false), error: Number.POSITIVE_INFINITY };
      const found = meansOf(
        () => sweeps,
        approximate,
        own,
        0,
        () => left-- <= 0,
      );
      for (const [k, reward] of own.entries()) {
        const exact = meanOf(chain, eliminate(chain), reward, 0, () => true);
        expect(exact.upper - exact.lower).toBeLessThan(1e-10 * exact.mean + 1e-300);
        const { lower, mean, upper } = found[k]!;
        expect(lower).toBeLessThanOrEqual(exact.upper);
        expect(upper).toBeGreaterThanOrEqual(exact.lower);
        expect(lower <= mean && mean <= upper).toBe(true);
        if (upper - lower < 1e-8) narrow++;
      }
    }),
    { numRuns: effort(5000) },
  );
  expect(narrow).toBeGreaterThan(effort(5000) / 4);
});

test('a wrong distribution does not make a wrong interval', () => {
  const chain = generatorOf([
    [0, 2],
    [3, 0],
  ]);
  const reward = { reward: Float64Array.of(0, 1), isExact: true };
  for (const guess of [0, 0.1, 0.9, 1]) {
    const wrong = { probability: Float64Array.of(1 - guess, guess), error: Number.POSITIVE_INFINITY };
    const { lower, upper } = meanOf(chain, wrong, reward, 0, () => false);
    expect(lower).toBeLessThanOrEqual(0.4);
    expect(upper).toBeGreaterThanOrEqual(0.4);
  }
});

test('rounding widens an interval: a chain whose rates have errors', () => {
  const chain = generatorOf([
    [0, 2],
    [3, 0],
  ]);
  const reward = { reward: Float64Array.of(0, 1), isExact: true };
  // Rates within a factor of exp(±0.001) have means from 2/(2 + 3 exp(0.002)) to 2/(2 + 3 exp(−0.002)).
  const { lower, upper } = meanOf(chain, eliminate(chain), reward, 1e-3, () => false);
  expect(lower).toBeLessThanOrEqual(2 / (2 + 3 * Math.exp(0.002)));
  expect(upper).toBeGreaterThanOrEqual(2 / (2 + 3 * Math.exp(-0.002)));
  expect(upper - lower).toBeLessThan(0.01);
});

test('the interval contains the means of all chains whose rates are within the error', () => {
  // A queue at load 1. The loads exp(±2e) are those whose mean is farthest from its own.
  const [room, error] = [20, 1e-4];
  const length = (load: number): number => {
    const weights = Array.from({ length: room + 1 }, (_, k) => load ** k);
    return weights.reduce((sum, w, k) => sum + k * w, 0) / weights.reduce((a, b) => a + b, 0);
  };
  const rows = Array.from({ length: room + 1 }, (_, k) => [k - 1, k + 1].filter((j) => j >= 0 && j <= room));
  const chain = {
    states: room + 1,
    start: Uint32Array.from([0, ...rows.map((_, k) => rows.slice(0, k + 1).flat().length)]),
    target: Int32Array.from(rows.flat()),
    rates: ratesOf(new Array<number>(2 * room).fill(1), false),
    exit: Float64Array.from(rows, (row) => row.length),
  };
  const { probability } = eliminate(chain);
  const reward = { reward: Float64Array.from(probability.keys()), isExact: true };
  // Without a bound of the distribution, only that of the generator is left.
  for (const ofProbability of [eliminate(chain).error, Number.POSITIVE_INFINITY]) {
    const { lower, upper } = meanOf(chain, { probability, error: ofProbability }, reward, error, () => false);
    expect(lower).toBeLessThanOrEqual(length(Math.exp(-2 * error)));
    expect(upper).toBeGreaterThanOrEqual(length(Math.exp(2 * error)));
    expect(upper - lower).toBeLessThan(1);
  }
});

test('a figure is found if its half-width is at most 1e-8 of it, or 1e-11 of the largest reward', () => {
  const found = (mean: number, half: number): boolean => isFound({ mean, lower: mean - half, upper: mean + half }, 8);
  expect([0.9e-8, 1.1e-8].map((half) => found(1, half))).toEqual([true, false]);
  expect([7.9e-11, 8.1e-11].map((half) => found(1e-6, half))).toEqual([true, false]);
});

test('the residual is the largest difference of flows, also where more flows out', () => {
  const chain = generatorOf([
    [0, 2, 3],
    [1, 0, 1],
    [1, 1, 0],
  ]);
  expect(residual(chain, Float64Array.of(1, 0, 0))).toBe(5);
  expect(residual(chain, Float64Array.of(0, 0.5, 0.5))).toBe(1);
});

test('the error of elimination is that of README.md; there is none after a product below 2⁻⁹⁰⁰', () => {
  // Of state k = 1 … 4, with k entries and k sources: 2(k − 1)(k + 2) + 2k + 2; and 2 for the sum of all.
  const full = generatorOf(Array.from({ length: 5 }, () => Array.from({ length: 5 }, () => 1)));
  expect(eliminate(full).error / ROUNDING).toBeCloseTo(4 + 14 + 28 + 46 + 2, 9);
  const far = (rate: number): number =>
    eliminate(
      generatorOf([
        [0, 1, 1e-100],
        [1, 0, 1],
        [1, rate, 0],
      ]),
    ).error;
  expect([far(1e-170), far(1e-172)].map(Number.isFinite)).toEqual([true, false]);
});

test('rates keep their values, of however many there are different ones', () => {
  for (const different of [3, 256, 257, 1000]) {
    const list = new RateList(2000);
    const expected = Array.from({ length: 2000 }, (_, k) => 1 + (k % different) / 7);
    for (const [k, rate] of expected.entries()) list.set(k, rate);
    list.add(5, 0.25);
    expected[5]! += 0.25;
    const rates = list.first(1999);
    expect(Array.from({ length: 1999 }, (_, e) => rateAt(rates, e))).toEqual(expected.slice(0, 1999));
    expect(rates.code === undefined).toBe(different > 255);
  }
});

test('a matrix that does not fit in the memory of a kernel is refused', () => {
  const target = { length: 2 ** 30 } as unknown as Int32Array;
  const rates = { code: undefined, value: new Float64Array(1) };
  const huge = { states: 2, start: new Uint32Array(3), target, rates, exit: Float64Array.of(1, 1) };
  expect(() => new Sweeps(huge)).toThrow(MemoryFull);
});
