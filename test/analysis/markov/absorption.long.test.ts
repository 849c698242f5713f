import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Absorption } from '../../../src/commands/exact/exact-parts.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { problemsOf } from '../../net/problems.ts';
import { exactAbsorption } from './exact-chain.ts';
import { type Arcs, queue, stochasticNet } from './stochastic-nets.ts';

interface Interval {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** The exact value lies in the interval, up to its own rounding, and the interval is narrow. */
function expectInside({ lower, upper }: Interval, exact: number, width = 1e-8): void {
  const slack = 4e-15 * Math.abs(exact);
  expect([lower! <= exact + slack, upper! >= exact - slack, exact, lower, upper].slice(0, 2)).toEqual([true, true]);
  expect(upper! - lower!).toBeLessThanOrEqual(2 * width * Math.abs(exact) + 1e-300);
}

function absorbed(net: Net): Absorption {
  const found = steady(net, { absorption: true });
  expect(found.complete).toBe(true);
  return found.absorption!;
}

/** A token that visits one place after the other. */
function line(rates: readonly number[]): Net {
  const names = rates.map((_, k) => `p${k}`);
  const transitions = rates.map((rate, k): [string, Arcs] => [
    `t${k}`,
    { take: `p${k}`, put: `p${k + 1}`, race: rate, single: true },
  ]);
  const tokens = Object.fromEntries([...names, `p${rates.length}`].map((name, k) => [name, k === 0 ? 1 : 0]));
  return stochasticNet('line', tokens, Object.fromEntries(transitions));
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

describe('the time until a net ends', () => {
  test.each([
    [1, 0.3],
    [4, 2],
    [12, 1e-7],
    [9, 1e9],
  ])('Erlang distribution, %i phases of rate %d', (phases, rate) => {
    const found = absorbed(line(new Array<number>(phases).fill(rate)));
    expectInside(found, phases / rate);
    expectInside(found.varianceInterval, phases / rate ** 2);
    for (const { time, ...at } of found.distribution) {
      let later = 0;
      for (let k = 0; k < phases; k++) later += (Math.exp(-rate * time) * (rate * time) ** k) / factorial(k);
      // The closed form itself loses digits where it is near 0.
      expect(at.lower! - 1e-14).toBeLessThanOrEqual(1 - later);
      expect(at.upper! + 1e-14).toBeGreaterThanOrEqual(1 - later);
      expect(at.upper! - at.lower!).toBeLessThan(1e-9);
    }
  });

  test('quantiles of one exponential delay', () => {
    const found = absorbed(line([0.25]));
    expect(found.quantiles.map((q) => q.probability)).toEqual([0.05, 0.25, 0.5, 0.75, 0.95, 0.99]);
    for (const { probability, ...quantile } of found.quantiles)
      expectInside({ lower: quantile.lower, upper: quantile.upper }, -Math.log1p(-probability) / 0.25);
  });

  test('quantiles of a net that moves many times before it ends', () => {
    // It ends at the same rate in both states, so the time until then is exponential, whatever happens between.
    const rate = fc.double({ min: 0.1, max: 10, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.double({ min: -5, max: 0, noNaN: true }), (there, back, power) => {
        const end = 10 ** power;
        const net = stochasticNet(
          'moves',
          { a: 1, b: 0, done: 0 },
          {
            there: { take: 'a', put: 'b', race: there },
            back: { take: 'b', put: 'a', race: back },
            endA: { take: 'a', put: 'done', race: end },
            endB: { take: 'b', put: 'done', race: end },
          },
        );
        for (const { probability, lower, upper } of steady(net, { absorption: true }).absorption!.quantiles)
          expectInside({ lower, upper }, -Math.log1p(-probability) / end, 1e-7);
        if (power > -4) absorbed(net);
      }),
      { numRuns: effort(200) },
    );
  });

  test.each([
    [3, 1],
    [20, 0.7],
  ])('pure death: %i machines of rate %d', (machines, rate) => {
    const net = stochasticNet('death', { up: machines, down: 0 }, { fail: { take: 'up', put: 'down', race: rate } });
    const [sum, squares] = Array.from({ length: machines }, (_, k) => 1 / ((k + 1) * rate)).reduce(
      ([a, b], x) => [a + x, b + x * x],
      [0, 0],
    );
    const found = absorbed(net);
    expectInside(found, sum);
    expectInside(found.varianceInterval, squares);
  });

  test('choices between immediate transitions: a hyper-exponential time', () => {
    const net = stochasticNet(
      'branches',
      { start: 1, quick: 0, slow: 0, end: 0 },
      {
        q: { take: 'start', put: 'quick', weight: 3 },
        s: { take: 'start', put: 'slow', weight: 1 },
        fast: { take: 'quick', put: 'end', race: 10 },
        late: { take: 'slow', put: 'end', race: 0.1 },
      },
    );
    const mean = 0.75 / 10 + 0.25 / 0.1;
    const found = absorbed(net);
    expectInside(found, mean);
    expectInside(found.varianceInterval, 2 * (0.75 / 100 + 0.25 / 0.01) - mean ** 2);
  });

  test('rates 20 orders apart lose no digits', () => {
    // Repairs are 1e20 times as fast as failures: the mean is (2 f + r) / (2 f²) with f = 1e-10 and r = 1e10.
    const net = stochasticNet(
      'pair',
      { good: 2, bad: 0 },
      {
        fail: { take: 'good', put: 'bad', race: 1e-10 },
        repair: { take: 'bad good', put: 'good good', race: 1e10, single: true },
      },
    );
    const found = steady(net, { absorption: true, seconds: 5 }).absorption!;
    expectInside(found, (3e-10 + 1e10) / 2e-20, 1e-12);
  });

  test.each([
    ['elimination', 30, 496],
    ['sweeps', 80, 3321],
  ])('a class with many ends is solved by %s: %i tokens, %i states', (_, tokens, states) => {
    const net = stochasticNet(
      'stopped',
      { on: 1, off: 0, a: tokens, b: 0, c: 0 },
      {
        ab: { take: 'on a', put: 'on b', race: 3, single: true },
        bc: { take: 'on b', put: 'on c', race: 2, single: true },
        ca: { take: 'on c', put: 'on a', race: 4, single: true },
        stop: { take: 'on', put: 'off', race: 0.5 },
      },
    );
    const document = steady(net, { absorption: true });
    expect(document.states).toBe(2 * states);
    const found = document.absorption!;
    expectInside(found, 2);
    expectInside(found.varianceInterval, 4);
    for (const { time, ...at } of found.distribution)
      expect([at.lower! <= 1 - Math.exp(-time / 2) + 1e-14, at.upper! >= 1 - Math.exp(-time / 2) - 1e-14]).toEqual([
        true,
        true,
      ]);
  });

  test('random walks have the exact mean and variance', () => {
    const walk = fc.integer({ min: 1, max: 7 }).chain((end) =>
      fc.tuple(
        fc.constant(end),
        fc.array(fc.array(fc.constantFrom(0, 0, 1, 2, 7, 1000), { minLength: end + 1, maxLength: end + 1 }), {
          minLength: end,
          maxLength: end,
        }),
      ),
    );
    fc.assert(
      fc.property(walk, ([end, drawn]) => {
        // One more step towards the end, so that it is reached from everywhere.
        const rates = drawn.map((row, i) => row.map((r, j) => (j === i ? 0 : j === i + 1 ? Math.max(1, r) : r)));
        const names = Array.from({ length: end + 1 }, (_, k) => `p${k}`);
        const transitions = rates.flatMap((row, i) =>
          row.flatMap((race, j) => (race > 0 ? [[`t${i}_${j}`, { take: `p${i}`, put: `p${j}`, race }] as const] : [])),
        );
        const net = stochasticNet(
          'walk',
          Object.fromEntries(names.map((name, k) => [name, k === 0 ? 1 : 0])),
          Object.fromEntries(transitions),
        );
        const [mean, variance] = exactAbsorption(rates, end);
        const found = steady(net, { absorption: true }).absorption!;
        expectInside(found, mean, 1e-12);
        expectInside(found.varianceInterval, variance, 1e-9);
      }),
      { numRuns: effort(50) },
    );
  });

  test('a net that has ended at once takes no time', () => {
    const net = stochasticNet('done', { a: 0, b: 0 }, { t: { take: 'a', put: 'b', race: 1 } });
    const found = absorbed(net);
    expect(found).toMatchObject({ mean: 0, lower: 0, upper: 0, variance: 0 });
    expect(found.distribution).toEqual([{ time: 0, probability: 1, halfWidth: 0, lower: 1, upper: 1, certainty: 1 }]);
  });

  // The chain has no rates from a state to itself, but time passes there, and transitions fire.
  const around = { take: 'a', put: 'b', race: 1 } satisfies Arcs;
  test.each<[string, Net, string]>([
    ['a queue', queue(1, 2, 3), '4 of its 4'],
    [
      'a firing that changes nothing',
      stochasticNet('n', { a: 1 }, { t: { take: 'a', put: 'a', race: 1 } }),
      '1 of its 1',
    ],
    ['back at once', stochasticNet('n', { a: 1, b: 0 }, { around, back: { take: 'b', put: 'a' } }), '1 of its 1'],
    [
      'one of two ends',
      stochasticNet(
        'n',
        { a: 1, b: 0, c: 0 },
        { around, other: { ...around, put: 'c' }, stay: { take: 'c', put: 'c', race: 1 } },
      ),
      '1 of its 3',
    ],
  ])('a net that may run forever is refused: %s', (_, net, states) => {
    const refused = problemsOf(() => steady(net, { absorption: true }));
    expect(refused).toEqual([
      expect.stringMatching(
        `CTMC006 the net may run forever: a set of ${states} states is never left\\. .*--reach FORMULA$`,
      ),
    ]);
  });

  test('a net that is restarted at its ends runs for ever in the long run where it can', () => {
    const ways = { around, end: { ...around, put: 'c' }, stay: { take: 'b', put: 'b', race: 2 } };
    const net = stochasticNet('n', { a: 1, b: 0, c: 0 }, ways);
    const { transitions, runTime, warnings } = steady(net, { restart: true });
    expect([runTime, warnings]).toEqual([undefined, [expect.stringContaining('may run forever')]]);
    expect(transitions.map(({ name, throughput }) => [name, throughput])).toEqual([
      ['around', 0],
      ['end', 0],
      ['stay', 2],
    ]);
  });
});

describe('figures at one time', () => {
  const at = (net: Net, seconds: number, more: SteadyOptions = {}): SteadyDocument => {
    const found = steady(net, { ...more, at: seconds });
    expect(found).toMatchObject({ complete: true, solver: 'uniformisation', components: [] });
    return found;
  };

  test.each([0, 1e-3, 0.4, 3, 200])('two states, after %d s', (seconds) => {
    const [fails, repairs] = [0.3, 1.1];
    const net = stochasticNet(
      'switch',
      { up: 1, down: 0 },
      { fail: { take: 'up', put: 'down', race: fails }, repair: { take: 'down', put: 'up', race: repairs } },
    );
    const down = (-fails * Math.expm1(-(fails + repairs) * seconds)) / (fails + repairs);
    const { places, transitions, rewards } = at(net, seconds, { rewards: { broken: '#down > 0' } });
    expectInside(places[0]!, 1 - down);
    expectInside(places[1]!, down);
    expectInside(transitions[0]!, fails * (1 - down));
    expectInside(rewards![0]!, down);
  });

  test('independent machines: a binomial number is up', () => {
    const net = stochasticNet(
      'machines',
      { up: 6, down: 0 },
      { fail: { take: 'up', put: 'down', race: 2 }, repair: { take: 'down', put: 'up', race: 3 } },
    );
    const up = (3 + 2 * Math.exp(-5 * 0.2)) / 5;
    const { places, rewards } = at(net, 0.2, { rewards: { all: '#down = 0', difference: '#up - #down' } });
    expectInside(places[0]!, 6 * up);
    expectInside(rewards![0]!, up ** 6);
    expectInside(rewards![1]!, 6 * (2 * up - 1));
  });

  test('the probability of a dead marking is the distribution of the time until the end', () => {
    // Partial fractions need distinct rates.
    const rates = fc.uniqueArray(fc.constantFrom<number>(0.1, 1, 3, 50), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(rates, fc.double({ min: 0, max: 20, noNaN: true }), (own, seconds) => {
        const net = line(own);
        const { rewards } = at(net, seconds, { rewards: { ended: 'dead' } });
        const [probability] = rewards!;
        const sum = own.reduce((so, r, i) => {
          const others = own.reduce((product, s, j) => (i === j ? product : (product * s) / (s - r)), 1);
          return so - others * Math.expm1(-r * seconds);
        }, 0);
        const lost = 1e-12 * own.length;
        expect(probability!.lower! - lost).toBeLessThanOrEqual(sum);
        expect(probability!.upper! + lost).toBeGreaterThanOrEqual(sum);
      }),
      { numRuns: effort(60) },
    );
  });

  test('a long time leads to the steady state', () => {
    const net = queue(0.7, 1, 6);
    const late = at(net, 1000);
    const steadily = steady(net);
    for (const [k, place] of late.places.entries()) expect(place.mean).toBeCloseTo(steadily.places[k]!.mean, 10);
    for (const [k, t] of late.transitions.entries())
      expect(t.throughput).toBeCloseTo(steadily.transitions[k]!.throughput, 10);
  });
});
