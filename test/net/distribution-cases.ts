import * as fc from 'fast-check';
import {
  cox,
  discrete,
  empirical,
  erlang,
  exponential,
  gamma,
  hyperExponential,
  lognormal,
  normal,
  triangular,
  uniform,
  weibull,
} from '../../src/net/builder/distributions.ts';
import type { Distribution } from '../../src/net/distribution.ts';
import { inRange as canBeCox } from '../../src/net/distributions/cox.ts';
import { inRange as canBeDiscrete } from '../../src/net/distributions/discrete.ts';
import { inRange as canBeEmpirical } from '../../src/net/distributions/empirical.ts';
import { inRange as canBeErlang } from '../../src/net/distributions/erlang.ts';
import { inRange as canBeExponential } from '../../src/net/distributions/exponential.ts';
import { inRange as canBeHyperExponential } from '../../src/net/distributions/hyper-exponential.ts';
import { areShapeAndScale } from '../../src/net/distributions/law.ts';
import { LAWS } from '../../src/net/distributions/laws.ts';
import { inRange as canBeLognormal } from '../../src/net/distributions/lognormal.ts';
import { inRange as canBeNormal } from '../../src/net/distributions/normal.ts';
import { inRange as canBeTriangular } from '../../src/net/distributions/triangular.ts';
import { inRange as canBeUniform } from '../../src/net/distributions/uniform.ts';
import type { Expression } from '../../src/net/expression.ts';

/** Value of a constant parameter. */
export function constantValue(e: Expression): number {
  if (e.op === 'const') return e.value;
  if (e.op === 'neg') return -constantValue(e.a);
  throw new Error(`no constant: ${e.op}`);
}

const num = (value: number): Expression => ({ op: 'const', value });

/** A Cox distribution with the given rates and onward probabilities. */
export const phases = (rates: readonly number[], onward: readonly number[]): Distribution =>
  cox(rates.map((rate, k) => ({ rate, onward: onward[k] ?? 0 })));

export const branches = (probabilities: readonly number[], rates: readonly number[]): Distribution =>
  hyperExponential(rates.map((rate, k) => ({ rate, probability: probabilities[k]! })));

export const weighted = (values: readonly number[], weights: readonly number[]): Distribution =>
  discrete(values.map((value, k) => ({ value, weight: weights[k]! })));

/**
 * Several distributions of every kind, with typical parameters. Their fourth moment is finite: moments of samples are compared, within
 * an error that follows from it.
 */
export const CASES: Readonly<Record<string, Distribution>> = {
  'exponential 2': exponential(2),
  'exponential 1e-6': exponential(1e-6),
  'erlang 1': erlang(1, 3),
  'erlang 3': erlang(3, 0.5),
  'erlang 16': erlang(16, 16),
  'erlang 17': erlang(17, 2),
  'erlang 1000': erlang(1000, 10),
  'hyper-exponential of 1': branches([2], [5]),
  'hyper-exponential of 2': branches([0.9, 0.1], [10, 0.5]),
  'hyper-exponential of 4, one without probability': branches([1, 0, 3, 4], [1, 100, 7, 2]),
  'cox of 1': phases([4], [0]),
  'cox of 3': phases([5, 1, 0.25], [0.5, 0.3]),
  'cox of 5, some certain or closed': phases([1, 2, 2, 3, 9], [1, 0.8, 1, 0]),
  uniform: uniform(2, 5),
  'uniform from 0': uniform(0, 1e-3),
  triangular: triangular(1, 2, 4),
  'triangular, falling': triangular(0, 0, 3),
  'triangular, rising': triangular(1, 2, 2),
  'normal, far from 0': normal(10, 1),
  'normal, cut': normal(1, 1),
  'normal, half': normal(0, 2),
  lognormal: lognormal(0, 0.5),
  'lognormal, wide': lognormal(-3, 1),
  'weibull 0.7': weibull(0.7, 2),
  'weibull 1': weibull(1, 0.1),
  'weibull 3.5': weibull(3.5, 4),
  'weibull 100': weibull(100, 1),
  'gamma 0.3': gamma(0.3, 2),
  'gamma 1': gamma(1, 1),
  'gamma 2.5': gamma(2.5, 0.1),
  'gamma 80': gamma(80, 1),
  'gamma 1e6': gamma(1e6, 1e-6),
  discrete: weighted([3, 1, 0, 10], [2, 5, 1, 0.25]),
  'discrete, one without weight, one twice': weighted([4, 2, 4, 1], [1, 0, 2, 3]),
  'empirical of 2': empirical([3, 1]),
  'empirical, some equal': empirical([0, 0.5, 0.5, 2, 2, 2, 7]),
};

export const ENTRIES: readonly (readonly [string, Distribution])[] = Object.entries(CASES);

const BAD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1];
const NOT_POSITIVE = [...BAD, 0, -0];

/** Distributions with a parameter out of range. */
export const OUT_OF_RANGE: readonly (readonly [string, Distribution])[] = [
  ...NOT_POSITIVE.flatMap((x): [string, Distribution][] => [
    [`exponential ${x}`, exponential(x)],
    [`erlang of rate ${x}`, erlang(2, x)],
    [`erlang of shape ${x}`, erlang(x, 2)],
    [`hyper-exponential with rate ${x}`, branches([1, 1], [1, x])],
    [`hyper-exponential with rate ${x} without probability`, branches([1, 0], [1, x])],
    [`cox with rate ${x}`, phases([1, x], [0.5])],
    [`weibull of shape ${x}`, weibull(x, 1)],
    [`weibull of scale ${x}`, weibull(1, x)],
    [`gamma of shape ${x}`, gamma(x, 1)],
    [`gamma of scale ${x}`, gamma(1, x)],
  ]),
  ...BAD.flatMap((x): [string, Distribution][] => [
    [`hyper-exponential with probability ${x}`, branches([1, x], [1, 1])],
    [`cox with onward ${x}`, phases([1, 1], [x])],
    [`uniform from ${x}`, uniform(x, 3)],
    [`uniform to ${x}`, uniform(0, x)],
    [`triangular from ${x}`, triangular(x, 3, 4)],
    [`triangular with mode ${x}`, triangular(0, x, 4)],
    [`triangular to ${x}`, triangular(0, 0, x)],
    [`normal of mean ${x}`, normal(x, 1)],
    [`normal of deviation ${x}`, normal(1, x)],
    [`lognormal of deviation ${x}`, lognormal(1, x)],
    [`discrete with value ${x}`, weighted([1, x], [1, 1])],
    [`discrete with weight ${x}`, weighted([1, 2], [1, x])],
    [`empirical with sample ${x}`, empirical([1, 2, x])],
  ]),
  ...BAD.slice(0, 3).map((x): [string, Distribution] => [`lognormal of mean ${x}`, lognormal(x, 1)]),
  ['erlang of a broken shape', erlang(1.5, 1)],
  ['erlang of a shape that is no exact whole number', erlang(2 ** 53, 1)],
  ['hyper-exponential of none', branches([], [])],
  ['hyper-exponential without probability', branches([0, 0], [1, 1])],
  ['hyper-exponential of too much', branches([1e308, 1e308], [1, 1])],
  ['cox of none', phases([], [])],
  ['cox with onward above 1', phases([1, 1], [1.1])],
  ['cox that goes on after the last', phases([1, 1], [0.5, 0.5])],
  ['uniform, turned round', uniform(2, 1)],
  ['triangular, mode below', triangular(2, 1, 3)],
  ['triangular, mode above', triangular(2, 4, 3)],
  ['discrete of none', weighted([], [])],
  ['discrete without weight', weighted([1, 2], [0, 0])],
  ['discrete of too much', weighted([1, 2], [1e308, 1e308])],
  ['empirical of none', empirical([])],
  ['empirical of one', empirical([1])],
];

const positive = fc.double({ min: 0.1, max: 10, noNaN: true }).map(num);
/** Three values at distances of at least 0.1: nearer ones would jump by rounding. */
const three = fc
  .array(fc.double({ min: 0.1, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 })
  .map(([a, b, c]) => [a!, a! + b!, a! + b! + c!]);

/** Random distributions of each kind with ordinary parameters, of which all moments exist. */
export const ORDINARY: Readonly<Record<Distribution['dist'], fc.Arbitrary<Distribution>>> = {
  exponential: fc.record({ dist: fc.constant('exponential'), rate: positive }),
  erlang: fc.record({ dist: fc.constant('erlang'), shape: fc.integer({ min: 1, max: 5 }).map(num), rate: positive }),
  'hyper-exponential': fc.record({
    dist: fc.constant('hyper-exponential'),
    branches: fc.array(fc.record({ probability: positive, rate: positive }), { minLength: 1, maxLength: 3 }),
  }),
  cox: fc.record({
    dist: fc.constant('cox'),
    phases: fc
      .array(fc.record({ rate: positive, onward: fc.constant(num(0.5)) }), { minLength: 1, maxLength: 3 })
      .map((phases) => phases.map((p, k) => (k === phases.length - 1 ? { ...p, onward: num(0) } : p))),
  }),
  uniform: three.map(([low, high]) => {
    return { dist: 'uniform', low: num(low!), high: num(high!) };
  }),
  triangular: three.map(([low, mode, high]) => {
    return { dist: 'triangular', low: num(low!), mode: num(mode!), high: num(high!) };
  }),
  normal: fc.record({ dist: fc.constant('normal'), mean: positive, deviation: positive }),
  lognormal: fc.record({
    dist: fc.constant('lognormal'),
    mean: fc.double({ min: -1, max: 1, noNaN: true }).map(num),
    deviation: fc.double({ min: 0.1, max: 1, noNaN: true }).map(num),
  }),
  weibull: fc.record({ dist: fc.constant('weibull'), shape: positive, scale: positive }),
  gamma: fc.record({ dist: fc.constant('gamma'), shape: positive, scale: positive }),
  discrete: fc.record({
    dist: fc.constant('discrete'),
    values: three.map((x) => x.map((v, k) => ({ value: v, weight: k + 1 }))),
  }),
  empirical: fc.record({ dist: fc.constant('empirical'), samples: three }),
};

/** By distribution: its construction from up to three numbers and two lists, and a test of its validity. */
export const FROM_NUMBERS: Record<
  Distribution['dist'],
  (
    numbers: readonly [number, number, number],
    a: readonly number[],
    b: readonly number[],
  ) => readonly [Distribution, boolean]
> = {
  exponential: ([x]) => [{ dist: 'exponential', rate: num(x) }, canBeExponential(x)],
  erlang: ([x, y]) => [{ dist: 'erlang', shape: num(x), rate: num(y) }, canBeErlang(x, y)],
  'hyper-exponential': (_, a, b) => {
    const n = Math.min(a.length, b.length);
    const branches = a.slice(0, n).map((p, k) => ({ probability: num(p), rate: num(b[k]!) }));
    return [{ dist: 'hyper-exponential', branches }, canBeHyperExponential(a.slice(0, n), b.slice(0, n))];
  },
  cox: (_, a, b) => {
    const n = Math.min(a.length, b.length);
    const phases = a.slice(0, n).map((rate, k) => ({ rate: num(rate), onward: num(b[k]!) }));
    return [{ dist: 'cox', phases }, canBeCox(a.slice(0, n), b.slice(0, n))];
  },
  uniform: ([x, y]) => [{ dist: 'uniform', low: num(x), high: num(y) }, canBeUniform(x, y)],
  triangular: ([x, y, z]) => [
    { dist: 'triangular', low: num(x), mode: num(y), high: num(z) },
    canBeTriangular(x, y, z),
  ],
  normal: ([x, y]) => [{ dist: 'normal', mean: num(x), deviation: num(y) }, canBeNormal(x, y)],
  lognormal: ([x, y]) => [{ dist: 'lognormal', mean: num(x), deviation: num(y) }, canBeLognormal(x, y)],
  weibull: ([x, y]) => [{ dist: 'weibull', shape: num(x), scale: num(y) }, areShapeAndScale(x, y)],
  gamma: ([x, y]) => [{ dist: 'gamma', shape: num(x), scale: num(y) }, areShapeAndScale(x, y)],
  discrete: (_, a, b) => {
    const values = a.slice(0, b.length).map((value, k) => ({ value, weight: b[k]! }));
    return [{ dist: 'discrete', values }, canBeDiscrete(values)];
  },
  empirical: (_, a, b) => [{ dist: 'empirical', samples: [...a, ...b] }, canBeEmpirical([...a, ...b])],
};

/** Points at which a distribution function may have a jump or a kink. */
export function knots(d: Distribution): number[] {
  switch (d.dist) {
    case 'discrete':
      return d.values.map((v) => v.value);
    case 'empirical':
      return [...d.samples];
    case 'uniform':
      return [d.low, d.high].map(constantValue);
    case 'triangular':
      return [d.low, d.mode, d.high].map(constantValue);
    default:
      return [];
  }
}

const names = Object.keys(LAWS);
/** The names of distributions as messages list them: the first twelve. */
export const KNOWN_DISTRIBUTIONS: string =
  names.slice(0, 12).join(', ') + (names.length > 12 ? `, and ${names.length - 12} more` : '');
