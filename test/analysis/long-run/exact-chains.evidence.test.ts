import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { longRun } from '../../../src/analysis/long-run/long-run.ts';
import { MeasuredNet } from '../../../src/analysis/long-run/measured-run.ts';
import { atMost } from '../../../src/analysis/statistics/summary.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { Net } from '../../../src/net/net.ts';
import { countCases, effort } from '../../effort.ts';
import { exactFigures } from '../markov/exact-chain.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { type Arcs, stochasticNet } from '../markov/stochastic-nets.ts';

const CONFIDENCE = 0.95;
/** Probability of a number of hits further away on one side: limits of 99.9 %. */
const TAIL = 0.0005;

/** True if `hits` of n trials are as many as independent trials of probability {@link CONFIDENCE} have within limits of 99.9 %. */
function isLikely(hits: number, n: number): boolean {
  const below = hits === n ? 1 : atMost(hits, n, CONFIDENCE);
  const above = hits === 0 ? 1 : 1 - atMost(hits - 1, n, CONFIDENCE);
  return below >= TAIL && above >= TAIL;
}

/** Queues as holding firings, which the engine simulates fastest: `free` is a server, or room. */
const NETS: Readonly<Record<string, Net>> = {
  'M/M/1/K': stochasticNet(
    'M/M/1/K',
    { source: 1, room: 5, queue: 0, server: 1 },
    {
      arrive: { take: 'source room', put: 'source queue', holding: 2 },
      serve: { take: 'queue server', put: 'room server', holding: 3 },
    },
  ),
  'machine repair': stochasticNet(
    'machine repair',
    { up: 5, down: 0, workers: 2 },
    {
      fail: { take: 'up', put: 'down', holding: 1 },
      repair: { take: 'down workers', put: 'up workers', holding: 2 },
    },
  ),
  'closed Jackson network': stochasticNet(
    'closed Jackson network',
    { a: 3, aFree: 1, b: 0, bFree: 2, left: 0 },
    {
      first: { take: 'a aFree', put: 'left aFree', holding: 3 },
      again: { take: 'left', put: 'a', weight: 1 },
      next: { take: 'left', put: 'b', weight: 2 },
      second: { take: 'b bFree', put: 'a bFree', holding: 2 },
    },
  ),
  // Processors with private work wait for a bus to a common memory (Ajmone Marsan, Balbo & Conte 1984).
  'GSPN multiprocessor': stochasticNet(
    'GSPN multiprocessor',
    { active: 4, waiting: 0, bus: 1 },
    {
      work: { take: 'active', put: 'waiting', holding: 1 },
      access: { take: 'waiting bus', put: 'active bus', holding: 4 },
    },
  ),
};

const SEEDS = effort(200);

test.each(Object.entries(NETS))(
  'over seeds, intervals contain the figure of the chain: %s',
  {
    timeout: 60_000 + 5000 * SEEDS,
  },
  (_, net) => {
    const chain = steady(net, { method: 'ctmc' });
    const measured = new MeasuredNet(net, []);
    const { numbers } = measured;
    const exact = [
      ...chain.places.map((p, k) => ({ name: p.name, k: numbers.place(k), value: p.mean })),
      ...chain.transitions.flatMap((t, k) => [
        { name: t.name, k: numbers.throughput(k), value: t.throughput },
        { name: `${t.name} (enabled)`, k: numbers.enabled(k), value: t.enabledProbability },
      ]),
    ];
    const hits = exact.map(({ name }) => ({ name, runs: 0, inside: 0 }));
    for (let seed = 0; seed < SEEDS; seed++) {
      const wanted = exact.map(({ k }) => k);
      const limits = { precision: 0.05, confidence: CONFIDENCE, maxFirings: 1e9, stop: () => false };
      const { ended, estimates } = longRun(measured, wanted, { seed: String(seed), replication: 0, ...limits });
      expect(ended).toBe('precise');
      for (const [i, { k, value }] of exact.entries()) {
        const found = estimates[k]!;
        if (!('lower' in found)) {
          expect(found.mean).toBeCloseTo(value, 9);
          continue;
        }
        hits[i]!.runs += 1;
        if (found.lower <= value && value <= found.upper) hits[i]!.inside += 1;
      }
    }
    countCases(SEEDS);
    const counted = hits.filter(({ runs }) => runs > 0);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(net.name, counted);
    expect(counted.length).toBeGreaterThan(4);
    expect(counted.filter(({ runs, inside }) => runs !== SEEDS || !isLikely(inside, runs))).toEqual([]);
  },
);

const RUNS = effort(1000);
/** Half-widths: a figure further away is an error, not chance. */
const FAR = 4;

/** A net of holding firings only has no clocks of races, and is simulated fast. */
const holding = ({ race, single: _, servers: __, memory: ___, speed: ____, ...arcs }: Arcs): Arcs =>
  race === undefined ? arcs : { ...arcs, holding: race };

test('figures of random nets lie around those of the exact chain', { timeout: 60_000 + 1000 * RUNS }, () => {
  let [compared, inside] = [0, 0];
  fc.assert(
    fc.property(plainNet, fc.boolean(), fc.nat(), (given, isHolding, seed) => {
      const own = Object.entries(given.transitions).map(([name, t]) => [name, isHolding ? holding(t) : t] as const);
      const net = { ...given, transitions: Object.fromEntries(own) };
      const exact = exactFigures(net, 40);
      if (exact === undefined || exact === 'endless' || exact.open || exact.components.length > 1) return;
      const found = steady(stochasticNet('random', net.initial, net.transitions), {
        method: 'simulate',
        precision: '10%',
        maxFirings: 50_000,
        seed: String(seed),
      });
      const pairs = [
        ...found.places.map((p) => [p, exact.mean[p.name]!] as const),
        ...found.transitions.map((t) => [{ ...t, mean: t.throughput }, exact.throughput[t.name]!] as const),
      ].filter(([f]) => f.halfWidth !== null);
      for (const [f, value] of pairs) expect(Math.abs(f.mean - value)).toBeLessThan(FAR * f.halfWidth!);
      // One figure of each net: those of one run depend on each other.
      const one = pairs[seed % pairs.length];
      if (one === undefined) return;
      compared += 1;
      if (one[0].lower! <= one[1] && one[1] <= one[0].upper!) inside += 1;
    }),
    { numRuns: RUNS },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log({ compared, inside });
  expect(compared).toBeGreaterThan(RUNS / 10);
  expect(isLikely(inside, compared)).toBe(true);
});
