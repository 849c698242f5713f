import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { markovChain } from '../../../../src/analysis/markov/chain.ts';
import { lumpedChain } from '../../../../src/analysis/markov/lumped/lumped-chain.ts';
import { rateAt } from '../../../../src/analysis/markov/rows.ts';
import { SteadyState } from '../../../../src/analysis/markov/steady-state.ts';
import { explore } from '../../../../src/analysis/space/explore.ts';
import { steady } from '../../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../../src/net/builder/builder.ts';
import { exponential } from '../../../../src/net/builder/distributions.ts';
import type { Net } from '../../../../src/net/net.ts';
import { add } from '../../../../src/net/terms.ts';
import { effort } from '../../../effort.ts';

/** A step of each machine from one of its states to another. */
interface Move {
  readonly from: number;
  readonly to: number;
  readonly rate: number;
  /** Takes a worker meanwhile (holding), needs one to be free, or neither. */
  readonly needs: 'worker' | 'free' | 'none';
}

/** Machines that differ in their numbers alone, with common workers. */
function machines(count: number, states: number, moves: readonly Move[], isNumbered = false): Net {
  const n = new NetBuilder('machines');
  const K = n.range('K', 1, count);
  const initial = Array.from({ length: count }, (_, k) => ({ k: k + 1 }));
  const places = Array.from({ length: states }, (_, s) => n.place(`s${s}`, { k: K }, s === 0 ? { initial } : {}));
  const worker = n.place('worker', {}, { initial: 2 });
  for (const [m, { from, to, rate, needs }] of moves.entries())
    n.transition(`move ${m}`, (t) => {
      const { k } = t.take(places[from]!);
      if (needs === 'free') t.read(worker);
      if (needs === 'worker') t.take(worker);
      t.put(places[to]!, { k });
      if (needs === 'worker') t.put(worker, {});
      if (needs === 'worker') t.delay(exponential(rate));
      else t.race({ delay: exponential(isNumbered ? add(rate, k) : rate) });
      if (needs === 'worker') t.weight(1);
    });
  return n.build();
}

const ring: readonly Move[] = [
  { from: 0, to: 1, rate: 1, needs: 'none' },
  { from: 1, to: 2, rate: 3, needs: 'free' },
  { from: 2, to: 3, rate: 0.5, needs: 'none' },
  { from: 3, to: 0, rate: 2, needs: 'none' },
];

test('machines that are alike: 4^6 states are 84 sets, and figures are the same', () => {
  const net = machines(6, 4, ring);
  const found = steady(net);
  expect(found).toMatchObject({ states: 4096, lumped: { states: 84, factor: 48.76 }, solver: 'elimination' });
  expect(found.components).toMatchObject([{ probability: 1, states: 4096 }]);
  // Independent machines: time in a state is 1 / rate.
  const total = 1 + 1 / 3 + 2 + 1 / 2;
  expect(found.places[2]!.mean).toBeCloseTo((6 * 2) / total, 12);
});

test('a figure of one colour is computed without lumping', () => {
  const net = machines(5, 4, ring);
  expect(steady(net, { rewards: { all: '#s2', none: '#s0 = 0' } }).lumped).toMatchObject({ states: 56 });
  const found = steady(net, { rewards: { one: '#s2[3]' } });
  expect(found.lumped).toBeUndefined();
  expect(found.rewards![0]!.mean).toBeCloseTo(found.places[2]!.mean / 5, 9);
});

test('rates that depend on the colour are not lumped', () => {
  expect(steady(machines(5, 4, ring, true)).lumped).toBeUndefined();
});

const moves = fc
  .array(
    fc.record({
      from: fc.nat({ max: 3 }),
      to: fc.nat({ max: 3 }),
      rate: fc.constantFrom(0.3, 1, 2),
      needs: fc.constantFrom('worker' as const, 'free' as const, 'none' as const),
    }),
    { maxLength: 4 },
  )
  .map((extra) => [...ring, ...extra.filter(({ from, to }) => from !== to)]);

test('random symmetric nets: rates into each set are equal in all its states, and figures agree to 1e-12', () => {
  fc.assert(
    fc.property(moves, fc.integer({ min: 2, max: 3 }), (own, parts) => {
      const net = machines(4, 4, own.slice(0, 3 + parts));
      const space = explore(net);
      const chain = markovChain(space)!;
      const lumped = lumpedChain(chain, space, () => false, 0)!;
      expect(lumped.states).toBeLessThan(chain.states / 4);
      for (let s = 0; s < chain.states; s++) {
        const into = new Map<number, number>();
        const to = (k: number, rate: number): void => void into.set(k, (into.get(k) ?? 0) + rate);
        const k = lumped.stateOf[s]!;
        for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++)
          to(lumped.stateOf[chain.target[e]!]!, rateAt(chain.rates, e));
        for (let e = lumped.start[k]!; e < lumped.start[k + 1]!; e++) to(lumped.target[e]!, -rateAt(lumped.rates, e));
        for (const [j, rest] of into) if (j !== k) expect(Math.abs(rest)).toBeLessThan(1e-12);
      }
      const [whole, small] = [SteadyState.of(chain)!, SteadyState.of(lumped)!];
      for (let p = 0; p < net.places.length; p++) {
        const a = whole.mean({ reward: chain.tokens(p), isExact: true });
        const b = small.mean({ reward: lumped.tokens(p), isExact: true });
        expect(a.lower <= b.upper && b.lower <= a.upper).toBe(true);
        expect(Math.abs(a.mean - b.mean)).toBeLessThanOrEqual(1e-12 * Math.max(1, a.mean));
      }
    }),
    { numRuns: effort(10) },
  );
});
