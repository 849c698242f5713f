import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf, markovChain, type NetChain } from '../../../../src/analysis/markov/chain.ts';
import type { Reward } from '../../../../src/analysis/markov/mean-bounds.ts';
import { meansOf } from '../../../../src/analysis/markov/mean-bounds.ts';
import { eliminate, MAX_ELIMINATED } from '../../../../src/analysis/markov/stationary.ts';
import { exitRates } from '../../../../src/analysis/markov/steady-state.ts';
import { allocatedIn, roomForRows } from '../../../../src/analysis/markov/sweeping/row-room.ts';
import { Sweeps } from '../../../../src/analysis/markov/sweeps.ts';
import { components } from '../../../../src/analysis/petri/components.ts';
import { explore } from '../../../../src/analysis/space/explore.ts';
import { MemoryFull } from '../../../../src/kernel/memory.ts';
import { effort } from '../../../effort.ts';
import { type Arcs, KANBAN_RATES, kanban, stochasticNet } from '../stochastic-nets.ts';

/** Intervals of the mean tokens of the first place and of the throughput of the first transition, by sweeps alone. */
function swept(chain: NetChain) {
  const generator = { ...chain, exit: exitRates(chain) };
  const sweeps = new Sweeps(generator);
  const approximate = { probability: sweeps.stationary(1e-13, () => false), error: Number.POSITIVE_INFINITY };
  const rewards: Reward[] = [
    { reward: chain.tokens(0), isExact: true },
    { reward: chain.throughput(0), isExact: false },
  ];
  const found = meansOf(
    () => sweeps,
    approximate,
    rewards,
    chain.error,
    () => false,
  );
  return { generator, rewards, found };
}

/** A token goes round through all places; further races, some of which lead nowhere or are doubled, move it elsewhere. */
const nets = fc.integer({ min: 2, max: 4 }).chain((size) => {
  const place = fc.integer({ min: 0, max: size - 1 });
  const rate = fc.constantFrom(0.01, 1, 2, 7, 100);
  const race = (from: number, to: number, speed: number): Arcs => ({
    take: `p${from}`,
    put: `p${to}`,
    race: speed,
    single: true,
  });
  return fc
    .record({
      tokens: fc.integer({ min: 1, max: 4 }),
      around: fc.array(rate, { minLength: size, maxLength: size }),
      others: fc.array(fc.tuple(place, place, rate), { maxLength: 3 }),
    })
    .map(({ tokens, around, others }) =>
      stochasticNet(
        'random',
        Object.fromEntries(around.map((_, k) => [`p${k}`, k === 0 ? tokens : 0])),
        Object.fromEntries([
          ...around.map((speed, k) => [`t${k}`, race(k, (k + 1) % size, speed)] as const),
          ...others.map(([from, to, speed], k) => [`u${k}`, race(from, to, speed)] as const),
        ]),
      ),
    );
});

/**
 * Width that rounding alone gives an interval: h is about the largest reward over the smallest rate, and is multiplied by the largest
 * rate out of a state. 10⁻¹⁴ for equal rates, 10⁻¹⁰ for rates 10⁴ apart.
 */
function roundingOf({ rates, exit }: Pick<NetChain, 'rates'> & { exit: Float64Array }, { reward }: Reward): number {
  const slowest = Math.min(...[...rates.value].filter((rate) => rate > 0));
  return (16 * 2 ** -52 * Math.max(...exit) * Math.max(...reward)) / slowest;
}

test('rows that are solved where they were built give the same intervals, which contain the figure of elimination', () => {
  const counts = { there: 0, copied: 0 };
  fc.assert(
    fc.property(nets, (net) => {
      const space = explore(net);
      const there = markovChain(space, undefined, { memory: roomForRows(space) })!;
      const chain = markovChain(space)!;
      expect([chain.memory, there.states]).toEqual([undefined, chain.states]);
      // Rows with entries that are dropped or added up are made elsewhere.
      counts[there.memory === undefined ? 'copied' : 'there']++;
      expect(components(graphOf(there)).count).toBe(1);
      const { generator, rewards, found } = swept(chain);
      expect(swept(there).found).toEqual(found);
      expect(chain.states).toBeLessThan(MAX_ELIMINATED);
      const exact = meansOf(
        () => new Sweeps(generator),
        eliminate(generator),
        rewards,
        chain.error,
        () => true,
      );
      for (const [k, { lower, upper }] of found.entries()) {
        expect(lower).toBeLessThanOrEqual(exact[k]!.upper);
        expect(upper).toBeGreaterThanOrEqual(exact[k]!.lower);
        expect(upper - lower).toBeLessThan(1e-9 * exact[k]!.mean + 1e-12 + roundingOf(generator, rewards[k]!));
      }
    }),
    { numRuns: effort(750) },
  );
  expect(Math.min(counts.there, counts.copied)).toBeGreaterThan(effort(750) / 10);
});

test('the figures of states by edges do not depend on the place of the rows', () => {
  const space = explore(kanban(1, KANBAN_RATES));
  const there = markovChain(space, undefined, { memory: roomForRows(space) })!;
  const chain = markovChain(space)!;
  for (let t = 0; t < space.net.transitions.length; t++) {
    expect(there.throughput(t)).toEqual(chain.throughput(t));
    const enabled = Float64Array.from(space.enabled([t], 0, space.states));
    expect([there.enabled(t), chain.enabled(t)]).toEqual([enabled, enabled]);
  }
});

test('the room never grows, and what exceeds it is allocated elsewhere; there is none above 4 GiB', () => {
  const memory = roomForRows({ states: 10, edges: 100 })!;
  const { buffer } = memory.memory;
  expect(() => memory.allocate(buffer.byteLength)).toThrow(MemoryFull);
  const allocate = allocatedIn(memory);
  expect(allocate(400).buffer).toBe(buffer);
  expect(allocate(buffer.byteLength).buffer).not.toBe(buffer);
  expect(memory.memory.buffer).toBe(buffer);
  expect(roomForRows({ states: 10, edges: 2 ** 30 })).toBeUndefined();
});
