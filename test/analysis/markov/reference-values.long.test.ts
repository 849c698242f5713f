import { describe, expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { expectFigures, expectQueue, solved } from './expect-figures.ts';
import { type Arcs, cluster, KANBAN_RATES, kanban, stochasticNet } from './stochastic-nets.ts';

describe('M/M/1/K of more states than are eliminated', () => {
  test.each([
    [0.5, 700],
    [1.2, 600],
  ])('load %f, %i places', expectQueue);
});

/** Values of an independent Gauss–Seidel solution to 1e-13, printed to 10 digits. */
describe('Kanban', () => {
  test.each([
    [1, 160, 0.0739756736, 0.08806627809, 0.7322785146, 0.5940055624],
    [2, 4600, 0.1374090411, 0.1803210418, 1.449794679, 1.095061515],
  ])('%i cards', (cards, states, tout4, pm1, pout1, pkan4) => {
    const found = solved(kanban(cards, KANBAN_RATES));
    expect(found.states).toBe(states);
    const value = (name: string): number => found.places.find((p) => p.name === name)!.mean;
    const figures = [
      found.transitions.find((t) => t.name === 'tout4')!.throughput,
      value('pm1'),
      value('pout1'),
      value('pkan4'),
    ];
    for (const [k, expected] of [tout4, pm1, pout1, pkan4].entries())
      expect(Math.abs(figures[k]! / expected - 1)).toBeLessThan(1e-9);
  });

  test('one card, rates of the Quantitative Verification Benchmark Set', () => {
    const found = solved(
      kanban(1, {
        in: 1,
        ok: [0.84, 0.98, 0.91, 0.77],
        redo: [0.36, 0.42, 0.39, 0.33],
        back: [0.3, 0.3, 0.3, 0.3],
        sync: [0.4, 0.5],
        out: 0.9,
      }),
    );
    expectFigures(found, { throughput: { tin1: 0.0925846346333826 } });
  });
});

/**
 * Values of the Quantitative Verification Benchmark Set (CC-BY 4.0, github.com/ahartmanns/qcomp), checked by a separate small
 * solver.
 */
describe('reference values', () => {
  test('tandem: M/Cox(2)/1 with five places feeds M/M/1 with five places', () => {
    const found = solved(
      stochasticNet(
        'tandem',
        { free1: 5, first: 0, phase1: 1, phase2: 0, free2: 5, second: 0 },
        {
          arrive: { take: 'free1', put: 'first', race: 20, single: true },
          leave1: { take: 'first phase1 free2', put: 'free1 phase1 second', race: 1.8, single: true },
          goOn: { take: 'first phase1', put: 'first phase2', race: 0.2, single: true },
          leave2: { take: 'first phase2 free2', put: 'free1 phase1 second', race: 2, single: true },
          serve: { take: 'second', put: 'free2', race: 4, single: true },
        },
      ),
    );
    const mean = (name: string): number => found.places.find((p) => p.name === name)!.mean;
    expect(Math.abs((mean('first') + mean('second')) / 5.679249959967679 - 1)).toBeLessThan(1e-11);
  });

  test('cyclic polling of three stations', () => {
    const initial: Record<string, number> = {};
    const transitions: Record<string, Arcs> = {};
    for (let i = 1; i <= 3; i++) {
      const next = `poll${(i % 3) + 1}`;
      Object.assign(initial, {
        [`poll${i}`]: i === 1 ? 1 : 0,
        [`serving${i}`]: 0,
        [`idle${i}`]: 1,
        [`waiting${i}`]: 0,
      });
      transitions[`arrive${i}`] = { take: `idle${i}`, put: `waiting${i}`, race: 1 / 3 };
      transitions[`walk${i}`] = { take: `poll${i}`, put: next, inhibit: `waiting${i}`, race: 200 };
      transitions[`begin${i}`] = { take: `poll${i} waiting${i}`, put: `serving${i}`, race: 200 };
      transitions[`end${i}`] = { take: `serving${i}`, put: `${next} idle${i}`, race: 1 };
    }
    expectFigures(solved(stochasticNet('polling', initial, transitions)), { mean: { waiting1: 0.1308020365834841 } });
  });

  test('cluster of two times two workstations: probability of premium service (Haverkort, Hermanns & Katoen 2000)', () => {
    const premium =
      '(#upLeft >= 2 & #upToLeft = 1) | (#upRight >= 2 & #upToRight = 1) | ' +
      '(#upLeft + #upRight >= 2 & #upToLeft = 1 & #upLine = 1 & #upToRight = 1)';
    const found = steady(cluster(2), { rewards: { premium } });
    expect(found.states).toBe(276);
    const { lower, upper } = found.rewards![0]!;
    expect(lower).toBeLessThanOrEqual(0.9999615335623628);
    expect(upper).toBeGreaterThanOrEqual(0.9999615335623628);
    expect(upper! - lower!).toBeLessThan(1e-11);
  });
});

describe('above 100,000 states', () => {
  const machines = Array.from({ length: 17 }, (_, k) => k);
  /** Independent machines: each works with probability 1 / (1 + its rate of failure). */
  const net = stochasticNet(
    'machines',
    Object.fromEntries(
      machines.flatMap((k) => [
        [`up${k}`, 1],
        [`down${k}`, 0],
      ]),
    ),
    Object.fromEntries(
      machines.flatMap((k): [string, Arcs][] => [
        [`fail${k}`, { take: `up${k}`, put: `down${k}`, race: (k + 1) / 20, single: true }],
        [`repair${k}`, { take: `down${k}`, put: `up${k}`, race: 1, single: true }],
      ]),
    ),
  );
  const works = (k: number): number => 1 / (1 + (k + 1) / 20);

  test('rewards have proved intervals, other figures none', () => {
    const found = steady(net, { rewards: { both: '#up3 = 1 & #up16 = 1', failures: 'firings(fail5)', three: '#up4' } });
    expect([found.states, found.complete, found.solver]).toEqual([2 ** 17, true, 'iteration']);
    const exact = [works(3) * works(16), (works(5) * 6) / 20, works(4)];
    for (const [k, { mean, halfWidth, lower, upper, certainty }] of found.rewards!.entries()) {
      expect([lower! <= exact[k]!, upper! >= exact[k]!, certainty]).toEqual([true, true, 1]);
      expect(halfWidth! / mean).toBeLessThan(1e-8);
    }
    for (const [k, place] of found.places.entries()) {
      const machine = Math.floor(k / 2);
      expect(place.mean).toBeCloseTo(k % 2 === 0 ? works(machine) : 1 - works(machine), 8);
      expect(place).toMatchObject({ halfWidth: null, lower: null, upper: null, certainty: 0 });
    }
    expect(found.transitions[10]!.throughput).toBeCloseTo((works(5) * 6) / 20, 8);
    expect(found.transitions[10]!).toMatchObject({ certainty: 0, enabled: { certainty: 0, upper: null } });
  });
});
