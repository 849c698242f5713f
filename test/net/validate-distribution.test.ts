import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Distribution } from '../../src/net/distribution.ts';
import * as range from '../../src/net/distributions/distribution-range.ts';
import type { Expression } from '../../src/net/expression.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { soundNet } from './sound-net.ts';

const num = (value: number): Expression => ({ op: 'const', value });

/** True if validation accepts a delay; it must reject others with NET029. */
function isTaken(delay: Distribution): boolean {
  const [move, toss] = soundNet().transitions;
  const problems = validate({ ...soundNet(), transitions: [move!, { ...toss!, delay }] });
  expect(problems.every((p) => p.code === 'NET029')).toBe(true);
  return problems.length === 0;
}

/** Numbers on both sides of every limit. */
const number = fc.constantFrom(-1, -0, 0, 0.25, 0.5, 1, 1.5, 2, 3, 1e308, Number.POSITIVE_INFINITY, Number.NaN);
const few = fc.array(number, { maxLength: 3 });

/** By distribution: its construction from up to three numbers and two lists, and a test of its validity. */
const LAWS: Record<
  Distribution['dist'],
  (
    numbers: readonly [number, number, number],
    a: readonly number[],
    b: readonly number[],
  ) => readonly [Distribution, boolean]
> = {
  exponential: ([x]) => [{ dist: 'exponential', rate: num(x) }, range.exponential(x)],
  erlang: ([x, y]) => [{ dist: 'erlang', shape: num(x), rate: num(y) }, range.erlang(x, y)],
  'hyper-exponential': (_, a, b) => {
    const n = Math.min(a.length, b.length);
    const branches = a.slice(0, n).map((p, k) => ({ probability: num(p), rate: num(b[k]!) }));
    return [{ dist: 'hyper-exponential', branches }, range.hyperExponential(a.slice(0, n), b.slice(0, n))];
  },
  cox: (_, a, b) => {
    const n = Math.min(a.length, b.length);
    const phases = a.slice(0, n).map((rate, k) => ({ rate: num(rate), onward: num(b[k]!) }));
    return [{ dist: 'cox', phases }, range.cox(a.slice(0, n), b.slice(0, n))];
  },
  uniform: ([x, y]) => [{ dist: 'uniform', low: num(x), high: num(y) }, range.uniform(x, y)],
  triangular: ([x, y, z]) => [
    { dist: 'triangular', low: num(x), mode: num(y), high: num(z) },
    range.triangular(x, y, z),
  ],
  normal: ([x, y]) => [{ dist: 'normal', mean: num(x), deviation: num(y) }, range.normal(x, y)],
  lognormal: ([x, y]) => [{ dist: 'lognormal', mean: num(x), deviation: num(y) }, range.lognormal(x, y)],
  weibull: ([x, y]) => [{ dist: 'weibull', shape: num(x), scale: num(y) }, range.scaled(x, y)],
  gamma: ([x, y]) => [{ dist: 'gamma', shape: num(x), scale: num(y) }, range.scaled(x, y)],
  discrete: (_, a, b) => {
    const values = a.slice(0, b.length).map((value, k) => ({ value, weight: b[k]! }));
    return [{ dist: 'discrete', values }, range.discrete(values)];
  },
  empirical: (_, a, b) => [{ dist: 'empirical', samples: [...a, ...b] }, range.empirical([...a, ...b])],
};

describe('validation accepts exactly the constant parameters that can be sampled', () => {
  test.each(Object.entries(LAWS))('%s', (_, law) => {
    const taken = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.tuple(number, number, number), few, few, (numbers, a, b) => {
        const [distribution, canBeDrawn] = law(numbers, a, b);
        taken[`${canBeDrawn}`]++;
        expect(isTaken(distribution)).toBe(canBeDrawn);
      }),
      { numRuns: effort(500) },
    );
    expect(Math.min(taken.true, taken.false)).toBeGreaterThan(atFullEffort(10));
  });
});
