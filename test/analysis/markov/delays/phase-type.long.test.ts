import { describe, expect, test } from 'vitest';
import { steady } from '../../../../src/commands/steady/steady.ts';
import { cox, erlang, exponential, hyperExponential } from '../../../../src/net/builder/distributions.ts';
import type { Distribution } from '../../../../src/net/distribution.ts';
import type { Net } from '../../../../src/net/net.ts';
import { expectFigures, solved } from '../expect-figures.ts';
import { stochasticNet } from '../stochastic-nets.ts';
import { type Stages, stationaryOf } from './stage-queue.ts';

type Timing = 'race' | 'holding';

/** A queue with one server and room for `room` customers, of any delays. */
function queue(arrivals: Distribution, service: Distribution, room: number, timing: Timing): Net {
  const serve =
    timing === 'race'
      ? { take: 'waiting', put: 'free', raceDelay: service, single: true }
      : { take: 'waiting clerk', put: 'free clerk', holdingDelay: service };
  return stochasticNet(
    'queue',
    { free: room, waiting: 0, clerk: 1 },
    { arrive: { take: 'free', put: 'waiting', raceDelay: arrivals, single: true }, serve },
  );
}

const E1: Stages = { first: [1], rates: [1.5], onward: [0] };
const E3: Stages = { first: [1, 0, 0], rates: [4, 4, 4], onward: [1, 1, 0] };
const H2: Stages = { first: [0.4, 0.6], rates: [0.7, 5], onward: [0, 0] };
const C3: Stages = { first: [1, 0, 0], rates: [2, 7, 0.9], onward: [0.3, 0.8, 0] };

function delayOf({ first, rates, onward }: Stages): Distribution {
  if (rates.length === 1) return exponential(rates[0]!);
  if (first[0]! < 1) return hyperExponential(rates.map((rate, k) => ({ rate, probability: first[k]! })));
  return rates.every((r) => r === rates[0])
    ? erlang(rates.length, rates[0]!)
    : cox(rates.map((rate, k) => ({ rate, onward: onward[k]! })));
}

describe('PH/PH/1/K against a dense solution of its stages', () => {
  const all: readonly (readonly [name: string, Stages])[] = [
    ['M', E1],
    ['E3', E3],
    ['H2', H2],
    ['C3', C3],
  ];
  const cases = all.flatMap(([a, arrivals]) =>
    all.flatMap(([b, service]) => [1, 4].map((room) => [`${a}/${b}/1/${room}`, arrivals, service, room] as const)),
  );
  test.each(cases)('the queue %s', (_, arrivals, service, room) => {
    const { customers, busy, throughput } = stationaryOf(arrivals, service, room);
    for (const timing of ['race', 'holding'] as const) {
      const found = solved(queue(delayOf(arrivals), delayOf(service), room, timing));
      expectFigures(found, {
        mean: { waiting: customers - (timing === 'holding' ? busy : 0), free: room - customers },
        throughput: { arrive: throughput, serve: throughput },
        enabled: { serve: busy },
      });
    }
  });
});

test.each([
  ['Erlang', erlang(4, 8), 1 / 4],
  [
    'hyper-exponential',
    hyperExponential([
      { rate: 1, probability: 1 },
      { rate: 4, probability: 2 },
    ]),
    2,
  ],
  ['Coxian', cox([{ rate: 4, onward: 0.25 }, { rate: 1 }]), 2],
])('M/G/1 with a large room has the mean of Pollaczek and Khinchine: %s', (_, service, variation) => {
  // Mean service 0.5 s, squared coefficient of variation of the service.
  const load = 0.4;
  const found = solved(queue(exponential(load / 0.5), service, 120, 'race'));
  const waiting = found.places.find((p) => p.name === 'waiting')!;
  expect(waiting.mean).toBeCloseTo(load + (load ** 2 * (1 + variation)) / (2 * (1 - load)), 9);
});

test('equal distributions have equal figures', () => {
  const [p, fast, slow] = [0.3, 5, 0.7];
  const pairs: readonly (readonly [Distribution, Distribution])[] = [
    [exponential(2), erlang(1, 2)],
    [exponential(2), hyperExponential([{ rate: 2, probability: 7 }])],
    [exponential(2), cox([{ rate: 2 }])],
    [erlang(2, 3), cox([{ rate: 3, onward: 1 }, { rate: 3 }])],
    [
      hyperExponential([
        { rate: fast, probability: p },
        { rate: slow, probability: 1 - p },
      ]),
      cox([{ rate: fast, onward: (1 - p) * (1 - slow / fast) }, { rate: slow }]),
    ],
    [
      cox([{ rate: 3, onward: 0.5 }, { rate: 1 }]),
      cox([{ rate: 3, onward: 0.5 }, { rate: 1, onward: 0 }, { rate: 9 }]),
    ],
  ];
  for (const timing of ['race', 'holding'] as const)
    for (const [one, other] of pairs) {
      const [a, b] = [one, other].map((service) => solved(queue(exponential(1.7), service, 4, timing)));
      for (const [k, t] of a!.transitions.entries()) {
        expect(b!.transitions[k]!.throughput).toBeCloseTo(t.throughput, 12);
        expect(b!.transitions[k]!.enabledProbability).toBeCloseTo(t.enabledProbability, 12);
      }
      for (const [k, place] of a!.places.entries()) expect(b!.places[k]!.mean).toBeCloseTo(place.mean, 12);
    }
});

describe('one run', () => {
  const chain = stochasticNet(
    'stages',
    { a: 1, b: 0, c: 0, done: 0 },
    {
      first: { take: 'a', put: 'b', raceDelay: erlang(3, 6) },
      second: { take: 'b', put: 'c', holdingDelay: cox([{ rate: 2, onward: 0.25 }, { rate: 0.5 }]) },
      third: {
        take: 'c',
        put: 'done',
        raceDelay: hyperExponential([
          { rate: 1, probability: 1 },
          { rate: 4, probability: 3 },
        ]),
      },
    },
  );

  test('mean and variance of the time until the end are sums', () => {
    const { absorption, complete } = steady(chain, { absorption: true });
    // Cox: 1/2 + 1/4 · 2 = 1, second moment 2/4 + 2 · 1/2 · 1/2 + 1/4 · 8 = 3; hyper-exponential: 7/16, second moment 2 (1/4 + 3/64).
    const mean = 0.5 + 1 + 7 / 16;
    const variance = 3 / 36 + (3 - 1) + (19 / 32 - (7 / 16) ** 2);
    expect(complete).toBe(true);
    expect(absorption!.mean).toBeCloseTo(mean, 11);
    expect(absorption!.variance).toBeCloseTo(variance, 11);
    expect(absorption!.lower!).toBeLessThanOrEqual(mean + 1e-13);
    expect(absorption!.upper!).toBeGreaterThanOrEqual(mean - 1e-13);
  });

  test.each([0, 0.1, 0.5, 2])('at %f s, an Erlang delay has ended with its distribution function', (at) => {
    const net = stochasticNet('one', { a: 1, b: 0 }, { go: { take: 'a', put: 'b', raceDelay: erlang(3, 6) } });
    const found = steady(net, { at, rewards: { ended: '#b = 1', rate: 'firings(go)' } });
    const x = 6 * at;
    expect(found.places[1]!.mean).toBeCloseTo(1 - Math.exp(-x) * (1 + x + x ** 2 / 2), 11);
    expect(found.rewards![0]!.mean).toBeCloseTo(1 - Math.exp(-x) * (1 + x + x ** 2 / 2), 11);
    // Density.
    expect(found.rewards![1]!.mean).toBeCloseTo(3 * x ** 2 * Math.exp(-x), 11);
    expect(found.transitions[0]!.enabledProbability).toBeCloseTo(Math.exp(-x) * (1 + x + x ** 2 / 2), 11);
  });
});

/** A race of Erlang-2 that is disabled at rate `fails` for a mean of 1 / `repairs`; the mean time until it fires (Kulkarni et al. 1987). */
describe('a clock that is interrupted', () => {
  const [rate, fails, repairs] = [3, 0.8, 2];
  const afresh = ((rate + fails) / rate) ** 2 - 1;
  const net = (memory: 'enabling' | 'age' | 'resampling', isShort: boolean, speed?: string): Net =>
    stochasticNet(
      'interrupted',
      { job: 1, up: 1, down: 0, done: 0, two: 2 },
      {
        work: {
          take: 'job',
          read: 'up',
          put: 'done',
          raceDelay: erlang(2, rate),
          memory,
          single: true,
          ...(speed === undefined ? {} : { speed }),
        },
        fail: { take: 'up', put: 'down', race: fails, inhibit: 'done' },
        repair: { take: 'down', put: 'up', ...(isShort ? {} : { race: repairs }) },
      },
    );
  test.each([
    ['enabling', false, afresh * (1 / fails + 1 / repairs)],
    ['resampling', false, afresh * (1 / fails + 1 / repairs)],
    ['age', false, (2 / rate) * (1 + fails / repairs)],
    // For no time.
    ['enabling', true, afresh / fails],
    ['resampling', true, afresh / fails],
    ['age', true, 2 / rate],
  ] as const)('memory %s, for no time: %s', (memory, isShort, mean) => {
    expect(steady(net(memory, isShort), { absorption: true }).absorption!.mean).toBeCloseTo(mean, 11);
  });

  test('resampling also by steps that leave it enabled', () => {
    const other = stochasticNet(
      'disturbed',
      { job: 1, done: 0, clock: 1 },
      {
        work: { take: 'job', put: 'done', raceDelay: erlang(2, rate), memory: 'resampling' },
        tick: { take: 'clock', put: 'clock', race: fails, inhibit: 'done' },
      },
    );
    expect(steady(other, { absorption: true }).absorption!.mean).toBeCloseTo(afresh / fails, 11);
  });

  test('speed', () => {
    expect(steady(net('age', true, 'two'), { absorption: true }).absorption!.mean).toBeCloseTo(1 / rate, 11);
  });
});

test.each([
  ['infinite servers', {}],
  ['enough servers', { servers: 5 }],
])('tokens at %s do not wait: means do not depend on the distribution', (_, servers) => {
  for (const delay of [
    erlang(3, 6),
    hyperExponential([
      { rate: 1, probability: 1 },
      { rate: 3, probability: 3 },
    ]),
  ])
    for (const timing of [{ raceDelay: delay, ...servers }, { holdingDelay: delay }]) {
      const net = stochasticNet(
        'machines',
        { think: 5, work: 0 },
        { begin: { take: 'think', put: 'work', race: 3 }, end: { take: 'work', put: 'think', ...timing } },
      );
      // 0.5 s at work, 1/3 s thinking.
      expectFigures(solved(net), {
        mean: { think: 2 },
        throughput: { begin: 6, end: 6 },
        enabled: { end: 1 - 0.4 ** 5 },
      });
    }
});
