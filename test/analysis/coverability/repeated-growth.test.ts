import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundedness, whyEndless } from '../../../src/analysis/coverability/boundedness.ts';
import { repeatedGrowth } from '../../../src/analysis/coverability/repeated-growth.ts';
import type { Petri } from '../../../src/analysis/petri/petri.ts';
import { type Arcs, stochasticNet } from '../markov/stochastic-nets.ts';
import { isEnabled } from '../reduction/plain-space.ts';
import { petriOf, randomPetri } from '../reduction/random-petri.ts';

const RUNS = 300;
const MAX_NODES = 300;

/** The same net with a priority level for each transition. */
const leveled = (petri: Petri, levels: readonly number[]): Petri => ({
  ...petri,
  transitions: petri.transitions.map((t, k) => ({ ...t, level: levels[k % levels.length]! })),
});

/** True if no enabled transition has a higher priority. */
function mayStart(petri: Petri, t: number, marking: readonly number[]): boolean {
  const level = petri.transitions[t]!.level!;
  return (
    isEnabled(petri.transitions[t]!, marking) &&
    petri.transitions.every((other) => other.level! <= level || !isEnabled(other, marking))
  );
}

function fired(petri: Petri, t: number, marking: readonly number[]): number[] {
  const { change, resets } = petri.transitions[t]!;
  const next = marking.map((n, p) => (resets.includes(p) ? 0 : n));
  for (const [p, by] of change) next[p]! += by;
  return next;
}

describe('a sequence that adds tokens', () => {
  test('can be repeated under priorities, limits and resets, and adds the same tokens each time', () => {
    let [grown, checked] = [0, 0];
    fc.assert(
      fc.property(
        randomPetri({ conserving: 5, inhibitors: true, resets: true }),
        fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 5 }),
        (plain, levels) => {
          const petri = leveled(plain, levels);
          const found = repeatedGrowth(petri, MAX_NODES);
          checked++;
          if (found === undefined) return;
          grown++;
          let marking = petri.places.map((p) => p.initial);
          const step = (t: number): void => {
            expect(mayStart(petri, t, marking)).toBe(true);
            marking = fired(petri, t, marking);
          };
          for (const t of found.path.slice(0, found.loop)) step(t);
          const loop = found.path.slice(found.loop);
          let gain: readonly number[] | undefined;
          for (let k = 0; k < 10; k++) {
            const before = marking;
            for (const t of loop) step(t);
            const now = marking.map((n, p) => n - before[p]!);
            gain ??= now;
            expect(now).toEqual(gain);
          }
          expect(gain!.flatMap((n, p) => (n > 0 ? [p] : []))).toEqual(found.places);
          expect(Math.min(...gain!)).toBe(0);
        },
      ),
      { numRuns: RUNS },
    );
    expect(checked).toBeGreaterThan(20);
    expect(grown).toBeGreaterThan(checked / 20);
  });

  test('is found in most unbounded nets without priorities, and in no bounded one', () => {
    let [bounded, unbounded, found] = [0, 0, 0];
    fc.assert(
      fc.property(randomPetri({ conserving: 5 }), (petri) => {
        const { bounds } = boundedness(petri, { maxNodes: 1000 });
        if (bounds === undefined) return;
        const isUnbounded = bounds.includes(Number.POSITIVE_INFINITY);
        const growth = repeatedGrowth(petri, MAX_NODES);
        if (isUnbounded) unbounded++;
        else bounded++;
        if (growth === undefined) return;
        found++;
        expect(isUnbounded).toBe(true);
        for (const p of growth.places) expect(bounds[p]).toBe(Number.POSITIVE_INFINITY);
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(bounded, unbounded)).toBeGreaterThan(20);
    expect(found / unbounded).toBeGreaterThan(0.9);
  });

  test('is not one if an inhibitor, a reset or a higher priority ends it', () => {
    const grows = { needs: [[0, 1]], change: [[1, 1]] } as const;
    const none = (...rest: Parameters<typeof petriOf>[1]): void =>
      expect(repeatedGrowth(petriOf([1, 0], rest), MAX_NODES)).toBeUndefined();
    expect(repeatedGrowth(petriOf([1, 0], [grows]), MAX_NODES)).toEqual({ path: [0], loop: 0, places: [1] });
    none({ ...grows, limits: [{ sum: [[1, 1]], most: 4 }] });
    none({ needs: [[0, 1]], change: [[1, 1]], resets: [1] });
    const drained = petriOf([1, 0], [grows, { needs: [[1, 1]], change: [[1, -1]] }]);
    expect(repeatedGrowth(leveled(drained, [0, 1]), MAX_NODES)).toBeUndefined();
    expect(repeatedGrowth(leveled(drained, [1, 0]), MAX_NODES)?.places).toEqual([1]);
  });
});

describe('the reason why a net with races and immediate transitions has infinitely many markings', () => {
  const start = { take: 's', put: 'a', race: 1 };
  const reason = (transitions: Readonly<Record<string, Arcs>>) =>
    whyEndless(stochasticNet('grows', { s: 1, a: 0, b: 0 }, { start, ...transitions }));

  test.each([
    ['immediate firings that add', { go: { take: 'a', put: 'a b', weight: 1 } }],
    ['races that add', { go: { take: 'a', put: 'a b', race: 1 } }],
    ['an inhibitor on another place', { go: { take: 'a', put: 'a b', weight: 1, inhibit: 's' } }],
  ])('names the place: %s', (_, transitions) => {
    expect(reason(transitions)).toMatchObject({ sure: true, because: expect.stringContaining('place b is unbounded') });
  });

  test.each([
    ['an inhibitor on the place', { go: { take: 'a', put: 'a b', weight: 1, inhibit: 'b b b' } }],
    [
      'immediate firings that take at once',
      { go: { take: 'a', put: 'a b', race: 1 }, end: { take: 'b', put: '', weight: 1 } },
    ],
  ])('is not given if the place is bounded: %s', (_, transitions) => {
    expect(reason(transitions)).toBeUndefined();
  });
});
