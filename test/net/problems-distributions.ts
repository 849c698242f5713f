import type { Delay, Net, Service } from '../../src/net/net.ts';
import { type Case, type Draft, num, v } from './sound-net.ts';

const desk = (n: Draft<Net>): Draft<Service & { kind: 'priority' }> =>
  n.places[4]!.service as Draft<Service & { kind: 'priority' }>;
const delay = (n: Draft<Net>, d: Delay): void => {
  n.transitions[1]!.delay = d as Draft<Delay>;
};

/** Distributions: violations of every rule, one at a time, with the expected problems. */
export const PROBLEMS_DISTRIBUTIONS: readonly Case[] = [
  [
    'NET029 a rate of nothing',
    (n) => delay(n, { dist: 'exponential', rate: num(0) }),
    ['NET029 transition toss, delay: rate is 0: expected a positive finite number'],
  ],
  [
    'NET029 a rate below zero, of a service',
    (n) => (desk(n).time = { dist: 'exponential', rate: { op: 'neg', a: num(1) } }),
    ['NET029 place desk, service, time: rate is -1: expected a positive finite number'],
  ],
  [
    'NET029 half a phase',
    (n) => delay(n, { dist: 'erlang', shape: num(0.5), rate: num(1) }),
    ['NET029 transition toss, delay: shape is 0.5: expected an integer >= 1'],
  ],
  [
    'NET029 no branches',
    (n) => delay(n, { dist: 'hyper-exponential', branches: [] }),
    ['NET029 transition toss, delay: branches: expected at least 1, got none'],
  ],
  [
    'NET029 branches without probability',
    (n) =>
      delay(n, {
        dist: 'hyper-exponential',
        branches: [
          { probability: num(0), rate: num(1) },
          { probability: num(0), rate: num(2) },
        ],
      }),
    ['NET029 transition toss, delay: probabilities: all are 0, expected at least one positive number'],
  ],
  [
    'NET029 a branch below zero',
    (n) =>
      delay(n, {
        dist: 'hyper-exponential',
        branches: [
          { probability: num(-1), rate: num(1) },
          { probability: num(2), rate: num(Number.POSITIVE_INFINITY) },
        ],
      }),
    [
      'NET029 transition toss, delay: probability of branch 1 is -1: expected a finite number >= 0',
      'NET029 transition toss, delay: rate of branch 2 is Infinity: expected a positive finite number',
    ],
  ],
  [
    'NET029 no phases',
    (n) => delay(n, { dist: 'cox', phases: [] }),
    ['NET029 transition toss, delay: phases: expected at least 1, got none'],
  ],
  [
    'NET029 a last phase that goes on',
    (n) =>
      delay(n, {
        dist: 'cox',
        phases: [
          { rate: num(1), onward: num(1.5) },
          { rate: num(1), onward: num(1) },
        ],
      }),
    [
      'NET029 transition toss, delay: onward of phase 1 is 1.5: expected a number from 0 to 1',
      'NET029 transition toss, delay: onward of phase 2 is 1: expected 0, because no phase follows the last',
    ],
  ],
  [
    'NET029 a last phase of which one cannot tell',
    (n) => delay(n, { dist: 'cox', phases: [{ rate: num(1), onward: { op: 'mod', a: v('any'), b: num(2) } }] }),
    ['NET029 transition toss, delay: onward of phase 1 is any % 2: expected 0, because no phase follows the last'],
  ],
  [
    'NET029 high below low',
    (n) => delay(n, { dist: 'uniform', low: num(2), high: num(1) }),
    ['NET029 transition toss, delay: high is 1: expected a number >= low (2)'],
  ],
  [
    'NET029 low below zero',
    (n) => delay(n, { dist: 'uniform', low: num(-1), high: num(1) }),
    ['NET029 transition toss, delay: low is -1: expected a finite number >= 0'],
  ],
  [
    'NET029 a peak above the end',
    (n) => delay(n, { dist: 'triangular', low: num(0), mode: num(3), high: num(2) }),
    ['NET029 transition toss, delay: high is 2: expected a number >= mode (3)'],
  ],
  [
    'NET029 high below low about an unknown peak',
    (n) => delay(n, { dist: 'triangular', low: num(3), mode: v('any'), high: num(2) }),
    ['NET029 transition toss, delay: high is 2: expected a number >= low (3)'],
  ],
  [
    'NET029 a mean below zero',
    (n) => delay(n, { dist: 'normal', mean: num(-1), deviation: num(1) }),
    ['NET029 transition toss, delay: mean is -1: expected a finite number >= 0'],
  ],
  [
    'NET029 a deviation below zero',
    (n) => delay(n, { dist: 'lognormal', mean: num(-1), deviation: num(-1) }),
    ['NET029 transition toss, delay: deviation is -1: expected a finite number >= 0'],
  ],
  [
    'NET029 a mean without end',
    (n) => delay(n, { dist: 'lognormal', mean: num(Number.NEGATIVE_INFINITY), deviation: num(1) }),
    ['NET029 transition toss, delay: mean is -Infinity: expected a finite number'],
  ],
  [
    'NET029 a shape of nothing',
    (n) => delay(n, { dist: 'weibull', shape: num(0), scale: num(1) }),
    ['NET029 transition toss, delay: shape is 0: expected a positive finite number'],
  ],
  [
    'NET029 a scale of nothing',
    (n) => delay(n, { dist: 'gamma', shape: num(1), scale: num(0) }),
    ['NET029 transition toss, delay: scale is 0: expected a positive finite number'],
  ],
  [
    'NET029 not a number',
    (n) => delay(n, { dist: 'uniform', low: num(Number.NaN), high: num(1) }),
    ['NET029 transition toss, delay: low is NaN: expected a finite number >= 0'],
  ],
  [
    'NET029 no values',
    (n) => delay(n, { dist: 'discrete', values: [] }),
    ['NET029 transition toss, delay: values: expected at least 1, got none'],
  ],
  [
    'NET029 values without weight',
    (n) => delay(n, { dist: 'discrete', values: [{ value: 1, weight: 0 }] }),
    ['NET029 transition toss, delay: weights: all are 0, expected at least one positive number'],
  ],
  [
    'NET029 values and weights below zero',
    (n) =>
      delay(n, {
        dist: 'discrete',
        values: [
          { value: -1, weight: 1 },
          { value: 1, weight: -1 },
        ],
      }),
    [
      'NET029 transition toss, delay: value 1 is -1: expected a finite number >= 0',
      'NET029 transition toss, delay: weight of value 2 is -1: expected a finite number >= 0',
    ],
  ],
  [
    'NET029 weights beyond a double',
    (n) =>
      delay(n, {
        dist: 'discrete',
        values: [
          { value: 1, weight: 1e308 },
          { value: 1, weight: 1e308 },
        ],
      }),
    ['NET029 transition toss, delay: weights: their sum exceeds the range of a double'],
  ],
  [
    'NET029 one sample',
    (n) => delay(n, { dist: 'empirical', samples: [1] }),
    ['NET029 transition toss, delay: samples: expected at least 2, got 1'],
  ],
  [
    'NET029 a sample below zero',
    (n) => delay(n, { dist: 'empirical', samples: [1, 0.5, -0.5, -1] }),
    ['NET029 transition toss, delay: sample 3 is -0.5: expected a finite number >= 0'],
  ],
];
