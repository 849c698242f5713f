import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Distribution } from '../../src/net/distribution.ts';
import { inRange as cox } from '../../src/net/distributions/cox.ts';
import { inRange as discrete } from '../../src/net/distributions/discrete.ts';
import { inRange as empirical } from '../../src/net/distributions/empirical.ts';
import { inRange as erlang } from '../../src/net/distributions/erlang.ts';
import { inRange as exponential } from '../../src/net/distributions/exponential.ts';
import { inRange as hyperExponential } from '../../src/net/distributions/hyper-exponential.ts';
import { areShapeAndScale as scaled } from '../../src/net/distributions/law.ts';
import { inRange as lognormal } from '../../src/net/distributions/lognormal.ts';
import { inRange as normal } from '../../src/net/distributions/normal.ts';
import { inRange as triangular } from '../../src/net/distributions/triangular.ts';
import { inRange as uniform } from '../../src/net/distributions/uniform.ts';
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
  exponential: ([x]) => [{ dist: 'exponential', rate: num(x) }, exponential(x)],
  erlang: ([x, y]) => [{ dist: 'erlang', shape: num(x), rate: num(y) }, erlang(x, y)],
  'hyper-exponential': (_, a, b) => {
    const n = Math.min(a.length, b.length);
    const branches = a.slice(0, n).map((p, k) => ({ probability: num(p), rate: num(b[k]!) }));
    return [{ dist: 'hyper-exponential', branches }, hyperExponential(a.slice(0, n), b.slice(0, n))];
  },
  cox: (_, a, b) => {
    const n = Math.min(a.length, b.length);
    const phases = a.slice(0, n).map((rate, k) => ({ rate: num(rate), onward: num(b[k]!) }));
    return [{ dist: 'cox', phases }, cox(a.slice(0, n), b.slice(0, n))];
  },
  uniform: ([x, y]) => [{ dist: 'uniform', low: num(x), high: num(y) }, uniform(x, y)],
  triangular: ([x, y, z]) => [{ dist: 'triangular', low: num(x), mode: num(y), high: num(z) }, triangular(x, y, z)],
  normal: ([x, y]) => [{ dist: 'normal', mean: num(x), deviation: num(y) }, normal(x, y)],
  lognormal: ([x, y]) => [{ dist: 'lognormal', mean: num(x), deviation: num(y) }, lognormal(x, y)],
  weibull: ([x, y]) => [{ dist: 'weibull', shape: num(x), scale: num(y) }, scaled(x, y)],
  gamma: ([x, y]) => [{ dist: 'gamma', shape: num(x), scale: num(y) }, scaled(x, y)],
  discrete: (_, a, b) => {
    const values = a.slice(0, b.length).map((value, k) => ({ value, weight: b[k]! }));
    return [{ dist: 'discrete', values }, discrete(values)];
  },
  empirical: (_, a, b) => [{ dist: 'empirical', samples: [...a, ...b] }, empirical([...a, ...b])],
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
