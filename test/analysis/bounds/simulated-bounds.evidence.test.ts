import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cycleTime } from '../../../src/analysis/bounds/cycle-time.ts';
import { throughputBounds } from '../../../src/analysis/bounds/throughput-bounds.ts';
import { simulate } from '../../../src/analysis/simulate.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Delay, Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { plainNetOfConstantSpeed } from '../markov/random-plain-net.ts';
import { stochasticNet } from '../markov/stochastic-nets.ts';
import { drafts, netOf } from './random-graphs.ts';

const RUNS = effort(250);

/** The value, unless the input is refused. */
function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return undefined;
  }
}

/** Long-run figures of a simulated run by name: mean tokens, and firings per second. */
function simulated(net: Net, until: number): ReadonlyMap<string, number> | undefined {
  const monitors = Object.fromEntries(net.places.map(({ name }) => [name, { tokens: name, from: until / 10 }]));
  const firings = Object.fromEntries(net.transitions.map(({ name }) => [name, { firings: name, from: until / 10 }]));
  const run = unlessRefused(() =>
    simulate(net, { until, maxInstantSteps: 1e4, monitors: { ...monitors, ...firings } }),
  );
  if (run === undefined) return undefined;
  return new Map(
    Object.entries(run.monitors).map(([name, found]) => {
      const { mean, rate } = found as { readonly mean?: number; readonly rate?: number };
      return [name, (mean ?? rate)!];
    }),
  );
}

/** Expects all simulated figures inside the bounds, apart from a share and an amount. */
function expectInside(net: Net, until: number, share: number, amount: number): 'inside' | 'refused' {
  const found = unlessRefused(() => throughputBounds(net));
  const figures = found === undefined ? undefined : simulated(net, until);
  if (found === undefined || figures === undefined) return 'refused';
  // Rows that contradict each other would leave only trivial bounds.
  expect(found.complete).toBe(true);
  const outside = [...found.places, ...found.transitions].filter(({ name, lower, upper }) => {
    const value = figures.get(name)!;
    const error = share * value + amount;
    return value < lower - error || (upper !== null && value > upper + error);
  });
  expect(outside.map((b) => [b, figures.get(b.name)])).toEqual([]);
  return 'inside';
}

/** The net with other delays: `change` of the rate. */
const withDelays = (net: Net, change: (rate: number) => Delay): Net => ({
  ...net,
  transitions: net.transitions.map((t) =>
    t.delay !== undefined && 'dist' in t.delay && t.delay.dist === 'exponential' && t.delay.rate.op === 'const'
      ? { ...t, delay: change(t.delay.rate.value) }
      : t,
  ),
});

/** The net with read arcs for every other inhibitor. */
const withReads = (net: Net): Net => ({
  ...net,
  transitions: net.transitions.map((t, k) =>
    k % 2 === 0
      ? t
      : { ...t, inputs: t.inputs.map((arc) => (arc.kind === 'inhibit' ? { ...arc, kind: 'read', count: 1 } : arc)) },
  ),
});

const value = (seconds: number): Delay => ({ op: 'const', value: seconds });

/** Mostly far below its mean of 1: clocks that are lost would have been the long ones. */
const UNEVEN: Delay = {
  dist: 'discrete',
  values: [
    { value: 0.1, weight: 9 },
    { value: 9.1, weight: 1 },
  ],
};

const LAWS: readonly (readonly [string, (rate: number) => Delay, until: number, share: number, amount: number])[] = [
  ['constant delays', (rate) => value(rate === 100 ? 0 : rate), 2000, 0, 0.02],
  ['other delays', (rate) => (rate === 2 ? UNEVEN : value(rate === 100 ? 0.5 : rate)), 20_000, 0.1, 0.02],
];

test.each(LAWS)(
  'simulated figures of random nets lie inside the bounds: %s',
  { timeout: 60_000 + 200 * RUNS },
  (_, law, until, share, amount) => {
    const counts = new Map<string, number>();
    fc.assert(
      fc.property(plainNetOfConstantSpeed, (draft) => {
        const made = unlessRefused(() => stochasticNet('random', draft.initial, draft.transitions));
        if (made === undefined) return;
        const what = expectInside(withReads(withDelays(made, law)), until, share, amount);
        counts.set(what, (counts.get(what) ?? 0) + 1);
      }),
      { numRuns: RUNS },
    );
    expect(counts.get('inside') ?? 0).toBeGreaterThan(atFullEffort(RUNS / 2));
  },
);

test('clocks that are lost were the long ones: they do not bound the throughput', () => {
  const arcs = { take: 'p', put: 'q' };
  const net = stochasticNet(
    'lost',
    { p: 1, q: 0 },
    { often: { ...arcs, race: 2 }, again: { ...arcs, race: 3 }, back: { take: 'q', put: 'p' } },
  );
  // Fires only if its clock takes 0.1 s, which is below its mean of 1 s.
  const changed = withDelays(net, (rate) => (rate === 2 ? UNEVEN : value(0.15)));
  expect(expectInside(changed, 10_000, 0.1, 0)).toBe('inside');
  expect(simulated(changed, 10_000)!.get('often')).toBeGreaterThan(8);
});

test('the largest throughput of marked graphs is that of their slowest cycle', { timeout: 60_000 + 200 * RUNS }, () => {
  let [reached, inside] = [0, 0];
  fc.assert(
    fc.property(drafts(true), (draft) => {
      const net = netOf(draft);
      const exact = unlessRefused(() => cycleTime(net));
      if (exact === undefined) return;
      const { transitions } = throughputBounds(net);
      transitions.forEach(({ name, lower, upper }, t) => {
        const { throughput } = exact.transitions[t]!;
        expect([name, lower <= throughput * (1 + 1e-12)]).toEqual([name, true]);
        if (upper !== null) expect([name, upper >= throughput * (1 - 1e-12)]).toEqual([name, true]);
        inside++;
        if (upper !== null && upper <= throughput * (1 + 1e-9)) reached++;
      });
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log({ reached, inside });
  expect(reached).toBeGreaterThan(atFullEffort(inside / 4));
});
