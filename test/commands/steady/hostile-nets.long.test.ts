import { describe, expect, test } from 'vitest';
import { throughputBounds } from '../../../src/analysis/bounds/throughput-bounds.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import type { Net } from '../../../src/net/net.ts';
import { type Arcs, stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

const net = (initial: Readonly<Record<string, number>>, transitions: Readonly<Record<string, Arcs>>): Net =>
  stochasticNet('hostile', initial, transitions);

const cycle = net({ a: 2, b: 0 }, { go: { take: 'a', put: 'b', race: 1 }, back: { take: 'b', put: 'a', race: 2 } });
/** Ends in one of two cycles. */
const forked = (left: number, right: number, delay: 'race' | 'holding' = 'race'): Net =>
  net(
    { a: 1, b: 0, c: 0, d: 0, e: 0 },
    {
      left: { take: 'a', put: 'b', [delay]: left },
      right: { take: 'a', put: 'c', [delay]: right },
      b1: { take: 'b', put: 'd', [delay]: 1 },
      b2: { take: 'd', put: 'b', [delay]: 1 },
      c1: { take: 'c', put: 'e', [delay]: 1 },
      c2: { take: 'e', put: 'c', [delay]: 2 },
    },
  );
/** Immediate firings that never end: at once, after a delay, with growing numbers of tokens. */
const ENDLESS: readonly (readonly [string, Net])[] = [
  ['at once', net({ a: 1, b: 0 }, { go: { take: 'a', put: 'b' }, back: { take: 'b', put: 'a' } })],
  [
    'after a delay',
    net(
      { s: 1, a: 0, b: 0 },
      {
        start: { take: 's', put: 'a', race: 1 },
        go: { take: 'a', put: 'b', weight: 1 },
        back: { take: 'b', put: 'a', weight: 1 },
      },
    ),
  ],
  [
    'growing',
    net({ s: 1, a: 0, b: 0 }, { start: { take: 's', put: 'a', race: 1 }, go: { take: 'a', put: 'a b', weight: 1 } }),
  ],
];

describe('immediate firings that never end are refused by each method', () => {
  for (const [name, endless] of ENDLESS)
    for (const [method, code] of [
      ['auto', /CTMC005|RUN001|BND001/],
      ['simulate', /RUN001|BND001/],
      ['bounds', /BND004|BND001/],
      ['all', /BND004|BND001/],
    ] as const)
      test(`${name}, by ${method}`, () => {
        expect(() => steady(endless, { method })).toThrow(code);
      });

  test('bounds do not contradict each other where time passes', () => {
    for (const one of [cycle, forked(1, 3), forked(1, 3, 'holding')]) expect(throughputBounds(one).complete).toBe(true);
  });
});

describe('a net that can end in several sets of markings', () => {
  const warning = 'the net can end in 2 sets of markings that are never left';

  test.each(['race', 'holding'] as const)('one simulated run says that it has seen one of them: %s', (delay) => {
    const found = steady(forked(1, 3, delay), { method: 'simulate', precision: 0.05 });
    expect(found.warnings.join()).toContain(`${warning}, and this run has seen one of them`);
    // The runs differ in their end, whatever their length; an end that none has reached is missing.
    const several = { method: 'simulate', precision: 0.5, replications: 4, maxFirings: 1e5 } as const;
    expect(steady(forked(1, 3, delay), several).warnings.join()).toContain(`${warning}: the number of runs decides`);
  });

  test('a net with one of them has no such warning, nor one with too many markings to see', () => {
    expect(steady(cycle, { method: 'simulate', precision: 0.05 }).warnings).toEqual([]);
    const large = net(
      { a: 40, b: 0, c: 0, d: 0 },
      {
        ab: { take: 'a', put: 'b', race: 1 },
        bc: { take: 'b', put: 'c', race: 1 },
        cd: { take: 'c', put: 'd', race: 1 },
        da: { take: 'd', put: 'a', race: 1 },
      },
    );
    const options = { method: 'simulate', precision: 0.2, rewards: { a: '#a' } } as const;
    expect(steady(large, options).warnings).toEqual([]);
  });
});

test('rates twenty orders apart: exact by the chain, and inside the bounds', () => {
  const stiff = net(
    { a: 2, b: 0 },
    { go: { take: 'a', put: 'b', race: 1e-10 }, back: { take: 'b', put: 'a', race: 1e10 } },
  );
  const [, b] = steady(stiff, { method: 'ctmc' }).places;
  expect(Math.abs(b!.mean / 2e-20 - 1)).toBeLessThan(1e-12);
  const [, bounds] = steady(stiff, { method: 'bounds' }).places;
  expect([bounds!.lower! <= 2e-20, bounds!.upper! >= 2e-20, bounds!.upper! < 1e-15]).toEqual([true, true, true]);
});

test.each<[string, SteadyOptions, string]>([
  ['an unknown place', { rewards: { x: '#zz' } }, 'PROP002'],
  ['an unknown transition', { rewards: { x: 'firings(nope)' } }, 'PROP003'],
  ['an empty reward', { rewards: { x: '' } }, 'PROP007'],
  ['a quotient', { rewards: { x: '#a / #b' } }, 'PROP001'],
  ['a product of tokens', { rewards: { x: '#a * #a' } }, 'PROP001'],
  ['a formula with a path', { reach: 'EF #a=1' }, 'PROP001'],
  ['an unknown place to reach', { reach: '#zz=1' }, 'PROP002'],
  ['a time before the start', { at: -1 }, 'CTMC007'],
  ['a time after too many jumps', { at: 1e12 }, 'CTMC007'],
  ['an endless time', { at: Number.POSITIVE_INFINITY }, 'CTMC007'],
  ['an end that never comes', { absorption: true }, 'CTMC006'],
  ['no precision', { precision: 0 }, 'STAT001'],
  ['certainty', { confidence: '100%' }, 'STAT001'],
  ['no stages', { erlang: 0 }, 'CTMC007'],
  ['a capacity at a time', { capacity: 3, at: 1 }, 'CTMC007'],
])('has its own answer: %s', (_, options, code) => {
  expect(() => steady(cycle, options)).toThrow(code);
});
