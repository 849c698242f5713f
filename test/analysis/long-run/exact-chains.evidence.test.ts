import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { throughputBounds } from '../../../src/analysis/bounds/throughput-bounds.ts';
import { longRun } from '../../../src/analysis/long-run/long-run.ts';
import { MeasuredNet } from '../../../src/analysis/long-run/measured-run.ts';
import { atMost } from '../../../src/analysis/statistics/summary.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { ALL_EVIDENCE, countCases, effort } from '../../effort.ts';
import { exactFigures } from '../markov/exact-chain.ts';
import { plainNet } from '../markov/random-plain-net.ts';
import { type Arcs, stochasticNet } from '../markov/stochastic-nets.ts';
import { REFERENCE_NETS } from './reference-nets.ts';

const CONFIDENCE = 0.95;
/** Probability of a number of hits further away on one side: limits of 99.9 %. */
const TAIL = 0.0005;

/** True if `hits` of n trials are as many as independent trials of probability {@link CONFIDENCE} have within limits of 99.9 %. */
function isLikely(hits: number, n: number): boolean {
  const below = hits === n ? 1 : atMost(hits, n, CONFIDENCE);
  const above = hits === 0 ? 1 : 1 - atMost(hits - 1, n, CONFIDENCE);
  return below >= TAIL && above >= TAIL;
}

const SEEDS = effort(200);

/** A figure with its interval, as all methods give it. */
interface Found {
  readonly name: string;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Mean tokens, throughputs, and enabled shares, the last of them under `t (enabled)`. */
const figuresOf = (found: SteadyDocument): readonly (Found & { readonly value: number })[] => [
  ...found.places.map((p) => ({ ...p, value: p.mean })),
  ...found.transitions.map((t) => ({ ...t, value: t.throughput })),
  ...found.transitions.map((t) => ({ ...t.enabled, name: `${t.name} (enabled)`, value: t.enabledProbability })),
];

/** Figures that lie further outside their interval than rounding. */
const outside = (figures: readonly Found[], exact: ReadonlyMap<string, number>, slack: number): readonly Found[] =>
  figures.filter(({ name, lower, upper }) => {
    const value = exact.get(name);
    if (value === undefined) return false;
    return (lower !== null && value < lower - slack) || (upper !== null && value > upper + slack);
  });

const finite = Object.entries(REFERENCE_NETS).filter(([, { chain }]) => chain);

test.each(finite)('the chain gives the figures of a formula: %s', (_, { net, exact }) => {
  const found = steady(net, { method: 'ctmc' });
  expect(found.complete).toBe(true);
  const values = new Map(figuresOf(found).map((f) => [f.name, f.value]));
  for (const [name, value] of Object.entries(exact)) expect(values.get(name)! / value).toBeCloseTo(1, 9);
});

describe.each(Object.entries(REFERENCE_NETS))('figures of %s', (_, { net, chain, exact: closed, slow }) => {
  const seeds = slow && !ALL_EVIDENCE ? 3 : SEEDS;
  const known = new Map(Object.entries(closed));
  const exact = chain ? new Map(figuresOf(steady(net, { method: 'ctmc' })).map((f) => [f.name, f.value])) : known;

  test('bounds without a state space contain them', () => {
    const { places, transitions } = throughputBounds(net);
    expect(outside([...places, ...transitions], exact, 1e-9)).toEqual([]);
    expect([...places, ...transitions].some(({ name, upper }) => exact.has(name) && upper !== null)).toBe(true);
  });

  test('over seeds, intervals of simulations contain them', { timeout: 60_000 + 5000 * seeds }, () => {
    const measured = new MeasuredNet(net, []);
    const { numbers } = measured;
    const series = [
      ...net.places.map(({ name }, k) => ({ name, k: numbers.place(k) })),
      ...net.transitions.map(({ name }, k) => ({ name, k: numbers.throughput(k) })),
      ...net.transitions.map(({ name }, k) => ({ name: `${name} (enabled)`, k: numbers.enabled(k) })),
    ].filter(({ name }) => exact.has(name));
    const hits = series.map(({ name }) => ({ name, runs: 0, inside: 0 }));
    for (let seed = 0; seed < seeds; seed++) {
      const wanted = series.map(({ k }) => k);
      const limits = { precision: 0.05, confidence: CONFIDENCE, maxFirings: 1e9, stop: () => false };
      const { ended, estimates } = longRun(measured, wanted, { seed: String(seed), replication: 0, ...limits });
      expect(ended).toBe('precise');
      for (const [i, { name, k }] of series.entries()) {
        const [found, value] = [estimates[k]!, exact.get(name)!];
        if (!('lower' in found)) {
          expect(found.mean).toBeCloseTo(value, 9);
          continue;
        }
        hits[i]!.runs += 1;
        if (found.lower <= value && value <= found.upper) hits[i]!.inside += 1;
      }
    }
    countCases(seeds * series.length);
    const counted = hits.filter(({ runs }) => runs > 0);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(net.name, counted);
    expect(counted.length).toBeGreaterThan(1);
    expect(counted.filter(({ runs, inside }) => runs !== seeds || !isLikely(inside, runs))).toEqual([]);
  });
});

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
