import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import type { Interval } from '../../../src/commands/exact/exact-parts.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import type { Reach } from '../../../src/commands/steady/steady-result.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { problemsOf } from '../../net/problems.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { type Arcs, queue, stochasticNet } from '../markov/stochastic-nets.ts';
import { exactPassage } from './exact-passage.ts';

/** The exact value lies in the interval, up to its own rounding, and the interval is narrow. */
function expectInside({ lower, upper }: Pick<Interval, 'lower' | 'upper'>, exact: number, width = 1e-8): void {
  const slack = 1e-14 * Math.abs(exact);
  expect([lower! <= exact + slack, upper! >= exact - slack]).toEqual([true, true]);
  expect(upper! - lower!).toBeLessThanOrEqual(2 * width * Math.abs(exact) + 1e-300);
}

function reach(net: Net, formula: string, more: SteadyOptions = {}): Reach {
  const found = steady(net, { ...more, reach: formula });
  expect(found.complete).toBe(true);
  return found.reach!;
}

/** Expects the probability, and the moments of the time. */
function expectReach(found: Reach, probability: number, mean: number, variance: number, width = 1e-8): void {
  expectInside(found.probabilityInterval, probability, width);
  expectInside({ lower: found.lower!, upper: found.upper! }, mean, width);
  expectInside(found.varianceInterval!, variance, width);
}

describe('closed forms', () => {
  test.each([
    [3, 10, 1, 2],
    [5, 10, 3, 3],
    [1, 30, 2, 1],
  ])("gambler's ruin from %i of %i, rates %d and %d", (start, all, up, down) => {
    const net = stochasticNet(
      'ruin',
      { mine: start, theirs: all - start },
      {
        win: { take: 'mine theirs', put: 'mine mine', race: up, single: true },
        lose: { take: 'mine theirs', put: 'theirs theirs', race: down, single: true },
      },
    );
    const r = down / up;
    const win = r === 1 ? start / all : (1 - r ** start) / (1 - r ** all);
    expectInside(reach(net, '#theirs = 0').probabilityInterval, win);
    expectInside(reach(net, '#mine = 0').probabilityInterval, 1 - win);
    // Either end: certain, mean by the classical formula.
    const ended = reach(net, '#mine = 0 | #theirs = 0');
    expect(ended.probability).toBe(1);
    const mean = r === 1 ? (start * (all - start)) / (2 * up) : (start - all * win) / (down - up);
    expectInside({ lower: ended.lower!, upper: ended.upper! }, mean, 1e-8);
  });

  test.each([
    [0.5, 1, 6],
    [2, 1, 12],
    [1, 1, 20],
  ])('birth-death: a queue with rates %d and %d is full for the first time at %i', (arrivals, service, room) => {
    // E_k, from k to k + 1: E_0 = 1/λ, E_k = 1/λ + (μ/λ) E_(k−1).
    let [step, mean] = [0, 0];
    for (let k = 0; k < room; k++) {
      step = 1 / arrivals + (k === 0 ? 0 : (service / arrivals) * step);
      mean += step;
    }
    const found = reach(queue(arrivals, service, room), `#waiting = ${room}`);
    expect(found.probability).toBe(1);
    expectInside({ lower: found.lower!, upper: found.upper! }, mean);
  });

  test.each([2, 5, 8])('coupon collector with %i kinds', (kinds) => {
    const tokens: Record<string, number> = { shop: 1 };
    const transitions: Record<string, Arcs> = {};
    for (let k = 0; k < kinds; k++) {
      tokens[`has${k}`] = 0;
      transitions[`buy${k}`] = { take: 'shop', put: `shop has${k}`, race: 1, single: true, inhibit: `has${k}` };
    }
    const all = Array.from({ length: kinds }, (_, k) => `#has${k} > 0`).join(' & ');
    const found = reach(stochasticNet('coupons', tokens, transitions), all, { at: 1.3 });
    const sums = Array.from({ length: kinds }, (_, k) => 1 / (k + 1));
    const mean = sums.reduce((a, b) => a + b, 0);
    const variance = sums.reduce((a, b) => a + b * b, 0);
    expectReach(found, 1, mean, variance);
    expectInside(found.until!, (1 - Math.exp(-1.3)) ** kinds);
    for (const { time, ...at } of found.distribution!) {
      const exact = (-Math.expm1(-time)) ** kinds;
      expect([at.lower! <= exact + 1e-14, at.upper! >= exact - 1e-14]).toEqual([true, true]);
    }
    for (const { probability, lower, upper } of found.quantiles!)
      expectInside({ lower, upper }, -Math.log1p(-(probability ** (1 / kinds))));
  });

  test.each([
    ['elimination', 3],
    ['sweeps', 80],
  ])('two ends of a class, by %s: %i tokens', (_, tokens) => {
    const net = stochasticNet(
      'two ends',
      { on: 1, won: 0, lost: 0, a: tokens, b: 0, c: 0 },
      {
        ab: { take: 'on a', put: 'on b', race: 3, single: true },
        bc: { take: 'on b', put: 'on c', race: 2, single: true },
        ca: { take: 'on c', put: 'on a', race: 4, single: true },
        win: { take: 'on', put: 'won', race: 0.2 },
        lose: { take: 'on', put: 'lost', race: 0.3 },
      },
    );
    const found = reach(net, '#won = 1', { at: 1 });
    expectReach(found, 0.4, 2, 4);
    expectInside(found.until!, 0.4 * (1 - Math.exp(-0.5)));
    for (const { probability, lower, upper } of found.quantiles!)
      expectInside({ lower, upper }, -2 * Math.log1p(-probability));
  });
});

describe('which markings count', () => {
  /** `a` is left for `b` after a time, `b` at once for `c` or `d`. */
  const net = stochasticNet(
    'passing',
    { a: 1, b: 0, c: 0, d: 0, e: 0 },
    {
      slow: { take: 'a', put: 'b', race: 2 },
      left: { take: 'b', put: 'c', weight: 1 },
      right: { take: 'b', put: 'd', weight: 3 },
      on: { take: 'c', put: 'e', race: 5 },
    },
  );

  test('one that is left at once', () => {
    expectReach(reach(net, '#b = 1'), 1, 0.5, 0.25);
    expectReach(reach(net, '#c = 1'), 0.25, 0.5, 0.25);
    expectReach(reach(net, '#e = 1'), 0.25, 0.7, 0.25 + 0.04);
  });

  test('the initial one, in no time', () => {
    const found = reach(net, '#a = 1', { at: 0 });
    expect(found).toMatchObject({
      probability: 1,
      mean: 0,
      lower: 0,
      upper: 0,
      variance: 0,
      until: { probability: 1 },
    });
    expect(found.quantiles!.map((q) => q.time)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('one of several that are reached at once', () => {
    const start = stochasticNet(
      'start',
      { s: 1, c: 0, d: 0 },
      {
        left: { take: 's', put: 'c', weight: 1 },
        right: { take: 's', put: 'd', weight: 1 },
        back: { take: 'd', put: 's', race: 4 },
      },
    );
    // Half at once; otherwise after Exp(4), and so on: N visits of d, geometric.
    expectReach(reach(start, '#c = 1'), 1, 0.25, 0.1875);
    expect(reach(start, '#c = 1').quantiles![0]).toMatchObject({ probability: 0.05, time: 0 });
    // Half of the runs are there at once, so the median is 0, up to rounding.
    expect(reach(start, '#c = 1').quantiles![2]!.upper).toBeLessThan(1e-12);
  });

  test('one that is never reached', () => {
    const found = reach(net, '#c = 2', { at: 3 });
    expect(found).toMatchObject({ probability: 0, until: { probability: 0, upper: 0 } });
    expect(found).not.toHaveProperty('mean');
  });
});

test('random nets: probability and moments as of a full matrix in fractions', () => {
  let [certain, partly, instant] = [0, 0, 0];
  const count = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(plainNet, count, fc.nat(), (net, tokens, choice) => {
      const places = Object.keys(net.initial);
      const place = places[choice % places.length]!;
      const exact = exactPassage(net, (of) => of[place] === tokens, 30);
      if (exact === undefined) return;
      let found: Reach;
      try {
        const named = stochasticNet('random', net.initial, net.transitions);
        found = steady(named, { reach: `#${place} = ${tokens}`, method: 'ctmc' }).reach!;
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        expect(['CTMC002', 'CTMC005', 'NET020']).toContain(e.problems[0]!.code);
        return;
      }
      expectInside(found.probabilityInterval, exact.probability, 1e-10);
      if (exact.probability === 0) {
        expect(found).not.toHaveProperty('mean');
        return;
      }
      expectInside({ lower: found.lower!, upper: found.upper! }, exact.mean, 1e-10);
      expectInside(found.varianceInterval!, exact.variance, 1e-7);
      if (exact.mean === 0) instant++;
      else if (exact.probability < 1) partly++;
      else certain++;
    }),
    { numRuns: effort(300) },
  );
  expect(certain).toBeGreaterThan(0);
  expect(partly + instant).toBeGreaterThan(0);
}, 60_000);

test("simulated runs of gambler's ruin agree", () => {
  const [start, all, up, down] = [4, 7, 2, 2.5];
  const RUNS = 40_000;
  let seed = 1;
  /** Numbers from 0 to 1 (mulberry32). */
  const random = (): number => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    let [mine, time] = [start, 0];
    while (mine > 0 && mine < all) {
      time -= Math.log(1 - random()) / (up + down);
      mine += random() * (up + down) < up ? 1 : -1;
    }
    if (mine === all) times.push(time);
  }
  const net = stochasticNet(
    'ruin',
    { mine: start, theirs: all - start },
    {
      win: { take: 'mine theirs', put: 'mine mine', race: up, single: true },
      lose: { take: 'mine theirs', put: 'theirs theirs', race: down, single: true },
    },
  );
  const found = reach(net, `#mine = ${all}`, { at: 2 });
  const near = (simulated: number, exact: number, deviation: number): void =>
    expect(Math.abs(simulated - exact)).toBeLessThan((4 * deviation) / Math.sqrt(RUNS));
  const p = found.probability;
  near(times.length / RUNS, p, Math.sqrt(p * (1 - p)));
  near(times.reduce((sum, t) => sum + t, 0) / times.length, found.mean!, Math.sqrt(found.variance! / p));
  near(times.filter((t) => t <= 2).length / RUNS, found.until!.probability, 0.5);
  near(times.filter((t) => t <= found.quantiles![2]!.time).length / times.length, 0.5, 0.5 / Math.sqrt(p));
});

test('wrong formulas and methods', () => {
  const net = queue(1, 2, 3);
  expect(problemsOf(() => steady(net, { reach: '#waiting' }))).toEqual([
    'CTMC007 reach: expected a formula such as "#p > 0", got "#waiting"',
  ]);
  expect(problemsOf(() => steady(net, { reach: '#nowhere > 0' }))).toMatchObject([/PROP/]);
  expect(problemsOf(() => steady(net, { reach: '#waiting > 0', method: 'all' }))).toMatchObject([/STAT001/]);
});
