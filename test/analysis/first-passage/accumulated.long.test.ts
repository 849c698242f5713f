import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import type { Interval } from '../../../src/commands/exact/exact-parts.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import type { AccumulatedReward, SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import type { Net } from '../../../src/net/net.ts';
import { effort } from '../../effort.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { queue, stochasticNet } from '../markov/stochastic-nets.ts';
import { exactPassage } from './exact-passage.ts';

/** The exact value lies in the interval, up to its own rounding, and the interval is narrow. */
function expectInside({ lower, upper }: Interval, exact: number, size = Math.abs(exact)): void {
  const slack = 1e-13 * size;
  expect([lower! <= exact + slack, upper! >= exact - slack, upper! - lower! <= 2e-8 * size + 1e-290]).toEqual([
    true,
    true,
    true,
  ]);
}

/** What rewards add up to, by name. */
function totals(net: Net, rewards: Record<string, string>, more: SteadyOptions): Record<string, AccumulatedReward> {
  const found = steady(net, { rewards, ...more });
  expect(found.complete).toBe(true);
  return totalsOf(found);
}

function totalsOf(found: SteadyDocument): Record<string, AccumulatedReward> {
  return Object.fromEntries(found.rewards!.map((r) => [r.name, r.accumulated![0]!]));
}

const machine = (fails: number, repairs: number): Net =>
  stochasticNet(
    'switch',
    { up: 1, down: 0 },
    { fail: { take: 'up', put: 'down', race: fails }, repair: { take: 'down', put: 'up', race: repairs } },
  );

test.each([0, 1e-6, 0.4, 3, 500])('two states: time of repair and failures until %d s', (t) => {
  const [a, b] = [0.3, 1.1];
  const sum = a + b;
  // ∫ (a / (a + b)) (1 − e^(−(a + b) s)) ds, with a series near 0.
  const x = sum * t;
  const curve = x < 1e-3 ? x ** 2 / 2 - x ** 3 / 6 + x ** 4 / 24 : x + Math.expm1(-x);
  const down = (a / sum ** 2) * curve;
  const all = totals(
    machine(a, b),
    { down: '#down', fails: 'firings(fail)', both: '#up + #down', apart: '#down - #up' },
    { at: t },
  );
  expectInside(all['down']!, down, Math.max(down, 1e-3 * t));
  expectInside(all['fails']!, a * (t - down));
  expectInside(all['both']!, t);
  expectInside(all['apart']!, 2 * down - t, t);
  expect(all['down']!.until).toBe('time');
  expect(Object.values(all).map(({ unit }) => unit)).toEqual(['s', '1', 's', 's']);
});

test('without any firing, a reward grows with the time', () => {
  const net = stochasticNet('still', { a: 2, b: 0 }, { t: { take: 'b', put: 'a', race: 1 } });
  const all = totals(net, { a: '#a', b: '#b' }, { at: 7 });
  expectInside(all['a']!, 14);
  expect(all['b']).toMatchObject({ value: 0, lower: 0, upper: 0 });
});

test('firings and token seconds until the end', () => {
  // Geometric visits of the first stage; immediate firings before any time passes count, too.
  const net = stochasticNet(
    'stages',
    { start: 1, first: 0, tested: 0, second: 0, done: 0 },
    {
      begin: { take: 'start', put: 'first' },
      work: { take: 'first', put: 'tested', race: 4 },
      again: { take: 'tested', put: 'first', weight: 1 },
      pass: { take: 'tested', put: 'second', weight: 2 },
      finish: { take: 'second', put: 'done', race: 1 },
    },
  );
  const all = totals(
    net,
    { begins: 'firings(begin)', works: 'firings(work, again)', first: '#first', cost: '3 * #first - #second' },
    { absorption: true },
  );
  expectInside(all['begins']!, 1);
  expectInside(all['works']!, 2);
  expectInside(all['first']!, 0.375);
  expectInside(all['cost']!, 3 * 0.375 - 1, 2);
  expect(all['first']!.until).toBe('end');
});

test.each([
  ['elimination', 20],
  ['sweeps', 2300],
])('a queue until it is full, by %s', (_, room) => {
  // Arrivals − services = room when it is full for the first time, arrivals being rate 3 in all states before.
  const found = steady(queue(3, 1, room), {
    rewards: { in: 'firings(arrive)', out: 'firings(serve)' },
    reach: `#waiting = ${room}`,
  });
  const [arrivals, services] = found.rewards!.map((r) => r.accumulated![0]!);
  expectInside(arrivals!, 3 * found.reach!.mean!);
  expect(arrivals!.value! - services!.value!).toBeCloseTo(room, 6);
  expect(arrivals!.until).toBe('reach');
});

test('a formula that may never hold has no total', () => {
  const net = stochasticNet(
    'branch',
    { a: 1, b: 0, c: 0 },
    { b: { take: 'a', put: 'b', race: 1 }, c: { take: 'a', put: 'c', race: 1 } },
  );
  const all = totals(net, { a: '#a' }, { reach: '#b = 1' });
  expect(all['a']).toMatchObject({
    until: 'reach',
    value: null,
    certainty: 0,
    unit: 's',
    because: 'the formula may never hold',
  });
});

test('random nets: firings and token seconds as of a full matrix in fractions', () => {
  let compared = 0;
  fc.assert(
    fc.property(plainNet, fc.nat(), (net, choice) => {
      const places = Object.keys(net.initial);
      const place = places[choice % places.length]!;
      const exact = exactPassage(net, (of) => of[place] !== net.initial[place], 30);
      if (exact === undefined || exact.mean === 0 || exact.probability < 1) return;
      const names = [...places.map((p) => `#${p}`), ...Object.keys(net.transitions).map((t) => `firings(${t})`)];
      try {
        // Quantiles of stiff nets may be wide, so that the result is incomplete.
        const all = totalsOf(
          steady(stochasticNet('random', net.initial, net.transitions), {
            rewards: Object.fromEntries(names.map((name) => [name, name])),
            reach: `#${place} != ${net.initial[place]}`,
            method: 'ctmc',
          }),
        );
        for (const p of places) expectInside(all[`#${p}`]!, exact.tokenSeconds[p]!);
        for (const [t, n] of Object.entries(exact.firings)) expectInside(all[`firings(${t})`]!, n);
        compared++;
      } catch (e) {
        if (!(e instanceof InputError)) throw e;
        expect(['CTMC002', 'CTMC005', 'NET020']).toContain(e.problems[0]!.code);
      }
    }),
    { numRuns: effort(300) },
  );
  expect(compared).toBeGreaterThan(0);
}, 60_000);
