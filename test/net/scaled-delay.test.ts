import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Distribution } from '../../src/net/distribution.ts';
import { cdf, momentsOf } from '../../src/net/distributions/laws.ts';
import type { Expression } from '../../src/net/expression.ts';
import { meanDelay, scaledDelay } from '../../src/net/scaled-delay.ts';
import { effort } from '../effort.ts';

const number = (value: number): Expression => ({ op: 'const', value });
const value = (e: Expression): number => (e as { value: number }).value;
const positive = fc.double({ min: 0.1, max: 10, noNaN: true }).map(number);
/** Three values at distances of at least 0.1: nearer ones would jump by rounding. */
const three = fc
  .array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 })
  .map(([a, b, c]) => [a!, a! + b!, a! + b! + c!]);

const distributions: Readonly<Record<Distribution['dist'], fc.Arbitrary<Distribution>>> = {
  exponential: fc.record({ dist: fc.constant('exponential'), rate: positive }),
  erlang: fc.record({ dist: fc.constant('erlang'), shape: fc.integer({ min: 1, max: 5 }).map(number), rate: positive }),
  'hyper-exponential': fc.record({
    dist: fc.constant('hyper-exponential'),
    branches: fc.array(fc.record({ probability: positive, rate: positive }), { minLength: 1, maxLength: 3 }),
  }),
  cox: fc.record({
    dist: fc.constant('cox'),
    phases: fc
      .array(fc.record({ rate: positive, onward: fc.constant(number(0.5)) }), { minLength: 1, maxLength: 3 })
      .map((phases) => phases.map((p, k) => (k === phases.length - 1 ? { ...p, onward: number(0) } : p))),
  }),
  uniform: three.map(([low, high]) => {
    return { dist: 'uniform', low: number(low!), high: number(high!) };
  }),
  triangular: three.map(([low, mode, high]) => {
    return { dist: 'triangular', low: number(low!), mode: number(mode!), high: number(high!) };
  }),
  normal: fc.record({ dist: fc.constant('normal'), mean: positive, deviation: positive }),
  lognormal: fc.record({
    dist: fc.constant('lognormal'),
    mean: fc.double({ min: -1, max: 1, noNaN: true }).map(number),
    deviation: fc.double({ min: 0.1, max: 1, noNaN: true }).map(number),
  }),
  weibull: fc.record({ dist: fc.constant('weibull'), shape: positive, scale: positive }),
  gamma: fc.record({ dist: fc.constant('gamma'), shape: positive, scale: positive }),
  discrete: fc.record({
    dist: fc.constant('discrete'),
    values: three.map((x) => x.map((v, k) => ({ value: v, weight: k + 1 }))),
  }),
  empirical: fc.record({ dist: fc.constant('empirical'), samples: three }),
};

const factor = fc.double({ min: 0.05, max: 20, noNaN: true });

test.each(Object.entries(distributions))('%s: mean, variance and distribution function follow the factor', (_, any) => {
  fc.assert(
    fc.property(any, factor, (d, by) => {
      const scaled = scaledDelay(d, by) as Distribution;
      const [before, after] = [momentsOf(d, value), momentsOf(scaled, value)];
      const near = (a: number, b: number): void =>
        expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(b)));
      near(after.mean, by * before.mean);
      near(after.variance, by * by * before.variance);
      near(meanDelay(scaled)!, by * meanDelay(d)!);
      for (const x of [0.3, 1, 3]) near(cdf(scaled, value)(by * x * before.mean), cdf(d, value)(x * before.mean));
    }),
    { numRuns: effort(200) },
  );
});

test('a delay that depends on a variable is multiplied, and has no constant mean', () => {
  const n: Expression = { op: 'var', name: 'n' };
  expect(scaledDelay(n, 2)).toEqual({ op: 'mul', a: n, b: number(2) });
  expect(scaledDelay({ dist: 'exponential', rate: n }, 2)).toEqual({
    dist: 'exponential',
    rate: { op: 'div', a: n, b: number(2) },
  });
  expect(meanDelay(n)).toBeUndefined();
  expect(meanDelay({ dist: 'exponential', rate: n })).toBeUndefined();
  expect(meanDelay(number(3))).toBe(3);
});
