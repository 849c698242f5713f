import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Distribution } from '../../src/net/distribution.ts';
import { cdf, momentsOf } from '../../src/net/distributions/laws.ts';
import type { Expression } from '../../src/net/expression.ts';
import { meanDelay, scaledDelay } from '../../src/net/scaled-delay.ts';
import { effort } from '../effort.ts';
import { ORDINARY, constantValue as value } from './distribution-cases.ts';

const number = (value: number): Expression => ({ op: 'const', value });
const factor = fc.double({ min: 0.05, max: 20, noNaN: true });

test.each(Object.entries(ORDINARY))('%s: mean, variance and distribution function follow the factor', (_, any) => {
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
