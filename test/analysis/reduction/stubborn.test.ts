import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Petri } from '../../../src/analysis/petri/petri.ts';
import { type Goal, reducedExploration } from '../../../src/analysis/reduction/reduced-exploration.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { conditions, naive } from './conditions.ts';
import { markingAfter, plainSpace } from './plain-space.ts';
import { petriOf, randomPetri } from './random-petri.ts';

const RUNS = effort(1500);
const MAX_STATES = 600;

const SHAPES = [
  ['plain nets', {}],
  ['inhibitors and capacities', { inhibitors: true }],
  ['resets', { resets: true }],
  ['inhibitors, capacities and resets', { inhibitors: true, resets: true }],
] as const;

describe.each(SHAPES)('stubborn sets of %s', (_, shape) => {
  test('finds the deadlocks of the full space', () => {
    const seen = { nets: 0, dead: 0, alive: 0, full: 0, reduced: 0 };
    fc.assert(
      fc.property(randomPetri(shape), (petri) => {
        const space = plainSpace(petri, MAX_STATES);
        if (space === undefined) return;
        seen.nets++;
        const dead = space.markings.filter((_, s) => space.firings[s]!.length === 0);
        const found = reducedExploration(petri, { kind: 'deadlock' });
        expect(found.reached).toBe(dead.length > 0);
        if (found.reached) {
          seen.dead++;
          expect(dead.map(String)).toContain(String(markingAfter(petri, found.path!)));
          return;
        }
        seen.alive++;
        seen.full += space.markings.length;
        seen.reduced += found.states;
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.dead, seen.alive)).toBeGreaterThan(atFullEffort(RUNS / 50));
    expect(seen.reduced).toBeLessThan(seen.full);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  });

  test('preserves every dead marking, so that some may be final', () => {
    let ends = 0;
    fc.assert(
      fc.property(
        randomPetri(shape).chain((petri) => fc.tuple(fc.constant(petri), conditions(petri.places.length, false))),
        ([petri, unless]) => {
          const space = plainSpace(petri, MAX_STATES);
          if (space === undefined) return;
          const dead = space.markings.filter((_, s) => space.firings[s]!.length === 0);
          const wrong = dead.filter((m) => !naive(unless, m, petri));
          const found = reducedExploration(petri, { kind: 'deadlock', unless });
          expect(found.reached).toBe(wrong.length > 0);
          if (found.reached) expect(wrong.map(String)).toContain(String(markingAfter(petri, found.path!)));
          if (dead.length > wrong.length) ends++;
        },
      ),
      { numRuns: Math.ceil(RUNS / 2) },
    );
    expect(ends).toBeGreaterThan(atFullEffort(RUNS / 40));
  });

  test('reaches the same conditions as the full space', () => {
    const seen = { nets: 0, reached: 0, not: 0, full: 0, reduced: 0 };
    fc.assert(
      fc.property(
        randomPetri(shape).chain((petri) => fc.tuple(fc.constant(petri), conditions(petri.places.length))),
        ([petri, condition]) => {
          const space = plainSpace(petri, MAX_STATES);
          if (space === undefined) return;
          seen.nets++;
          const wanted = space.markings.some((m) => naive(condition, m, petri));
          const found = reducedExploration(petri, { kind: 'reach', condition });
          expect(found.reached).toBe(wanted);
          if (wanted) {
            seen.reached++;
            expect(naive(condition, markingAfter(petri, found.path!), petri)).toBe(true);
            return;
          }
          seen.not++;
          seen.full += space.markings.length;
          seen.reduced += found.states;
        },
      ),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.reached, seen.not)).toBeGreaterThan(atFullEffort(RUNS / 50));
    expect(seen.reduced).toBeLessThan(seen.full);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  });
});

/** n processes of two steps each: 3ⁿ markings. */
function twoSteps(n: number): Petri {
  const initial = Array.from({ length: 3 * n }, (_, p) => (p % 3 === 0 ? 1 : 0));
  const step = (p: number) => ({
    needs: [[p, 1] as const],
    change: [
      [p, -1],
      [p + 1, 1],
    ] as const,
  });
  return petriOf(
    initial,
    Array.from({ length: 2 * n }, (_, k) => step(3 * (k >> 1) + (k % 2))),
  );
}

test('a transition that fills the place of an inhibitor does not stand for the inhibited one', () => {
  const petri = petriOf(
    [1, 1, 0, 0],
    [
      {
        needs: [[0, 1]],
        change: [
          [0, -1],
          [2, 1],
        ],
      },
      {
        needs: [[1, 1]],
        change: [
          [1, -1],
          [3, 1],
        ],
        limits: [{ sum: [[2, 1]], most: 0 }],
      },
    ],
  );
  const unless = { op: 'sum', sum: [[3, 1]], relation: '=', than: 0 } as const;
  expect(reducedExploration(petri, { kind: 'deadlock', unless }).path).toEqual([1, 0]);
});

describe('independent processes of two steps', () => {
  const goals: Record<string, (n: number) => Goal> = {
    deadlock: () => ({ kind: 'deadlock' }),
    'the last one has ended': (n) => ({
      kind: 'reach',
      condition: { op: 'sum', sum: [[3 * n - 1, 1]], relation: '>=', than: 1 },
    }),
  };

  test.each(Object.entries(goals))('%s: O(n) of 3ⁿ markings', (name, goal) => {
    for (const n of [1, 2, 5, 8]) {
      const full = reducedExploration(twoSteps(n), { kind: 'reach', condition: { op: 'false' } }, { stubborn: false });
      expect(full.states).toBe(3 ** n);
      const reduced = reducedExploration(twoSteps(n), goal(n));
      expect([n, reduced.reached, reduced.states]).toEqual([n, true, name === 'deadlock' ? 2 * n + 1 : 3]);
    }
    expect(reducedExploration(twoSteps(500), goal(500)).states).toBe(name === 'deadlock' ? 1001 : 3);
  });
});

test('one state below the full size leaves the answer open, the exact size does not', () => {
  const petri = twoSteps(5);
  const never: Goal = { kind: 'reach', condition: { op: 'false' } };
  const cut = reducedExploration(petri, never, { stubborn: false, maxStates: 242 });
  expect([cut.reached, cut.truncation, cut.states]).toEqual([undefined, 'states', 242]);
  const whole = reducedExploration(petri, never, { stubborn: false, maxStates: 243 });
  expect([whole.reached, whole.truncation, whole.states]).toEqual([false, undefined, 243]);
  const ended = reducedExploration(petri, never, { stubborn: false, cancelled: () => true });
  expect([ended.reached, ended.truncation]).toEqual([undefined, 'interrupted']);
});

test('nets with priorities are rejected with the names of two transitions', () => {
  const petri = twoSteps(1);
  const transitions = petri.transitions.map((t, k) => ({ ...t, level: k }));
  expect(() => reducedExploration({ ...petri, transitions }, { kind: 'deadlock' })).toThrow(/RED001 .*"t0" and "t1"/);
});

test('an unbounded net is rejected before counts become inexact', () => {
  const grows = petriOf([1], [{ needs: [[0, 1]], change: [[0, 2 ** 24]] }]);
  expect(() => reducedExploration(grows, { kind: 'deadlock' })).toThrow(/RED004 place p0/);
});
