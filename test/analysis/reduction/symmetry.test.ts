import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Petri, PetriTransition, Weighted } from '../../../src/analysis/petri/petri.ts';
import type { Condition } from '../../../src/analysis/reduction/condition.ts';
import { PetriMoves } from '../../../src/analysis/reduction/petri-moves.ts';
import { type Goal, reducedExploration } from '../../../src/analysis/reduction/reduced-exploration.ts';
import { Representatives } from '../../../src/analysis/reduction/symmetry/representative.ts';
import { isSymmetry, symmetriesOf } from '../../../src/analysis/reduction/symmetry/symmetries.ts';
import { atFullEffort, effort, FULL_EFFORT } from '../../effort.ts';
import { conditions, naive } from './conditions.ts';
import { markingAfter, plainSpace } from './plain-space.ts';
import { petriOf, randomPetri } from './random-petri.ts';

const RUNS = effort(400);
const MAX_STATES = 1500;

/** Several disjoint copies of a net, which may share its first place. */
function copies(petri: Petri, count: number, share: boolean): Petri {
  const size = petri.places.length;
  const shared = share ? 1 : 0;
  const at = (copy: number) => (p: number) => (p < shared ? p : shared + copy * (size - shared) + p - shared);
  const initial = Array.from(petri.places, (p) => p.initial);
  const all = Array.from({ length: count }, (_, c) => {
    const to = at(c);
    const moved = (list: readonly Weighted[]): Weighted[] => list.map(([p, n]) => [to(p), n]);
    return petri.transitions.map((t) => ({
      needs: moved(t.needs),
      change: moved(t.change),
      limits: t.limits.map(({ sum, most }) => ({ sum: moved(sum), most })),
      resets: t.resets.map(to),
    }));
  }).flat();
  const tokens = [...initial.slice(0, shared), ...Array.from({ length: count }, () => initial.slice(shared)).flat()];
  return petriOf(tokens, all);
}

/** Symmetric nets: two to four copies of a net, with places and transitions in random order. */
const symmetric = (shape: Parameters<typeof randomPetri>[0]): fc.Arbitrary<Petri> =>
  fc
    .tuple(randomPetri(shape), fc.integer({ min: 2, max: 4 }), fc.boolean(), fc.integer())
    .map(([one, count, share, seed]) => {
      const small: Petri = {
        ...one,
        places: one.places.slice(0, 3),
        transitions: one.transitions.filter((t) => placesOf(t).every((p) => p < 3)).slice(0, 4),
      };
      return shuffled(copies(small, count, share), seed);
    });

function placesOf(t: PetriTransition): number[] {
  return [...t.needs, ...t.change, ...t.limits.flatMap(({ sum }) => sum)].map(([p]) => p).concat(t.resets);
}

function shuffled(petri: Petri, seed: number): Petri {
  let state = seed | 0;
  const next = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) % n;
  };
  const to = petri.places.map((_, k) => k);
  for (let k = to.length - 1; k > 0; k--) {
    const j = next(k + 1);
    [to[k], to[j]] = [to[j]!, to[k]!];
  }
  const initial: number[] = [];
  for (const [k, p] of petri.places.entries()) initial[to[k]!] = p.initial;
  const moved = (list: readonly Weighted[]): Weighted[] => list.map(([p, n]) => [to[p]!, n]);
  return petriOf(
    initial,
    petri.transitions.map((t) => ({
      needs: moved(t.needs),
      change: moved(t.change),
      limits: t.limits.map(({ sum, most }) => ({ sum: moved(sum), most })),
      resets: t.resets.map((p) => to[p]!),
    })),
  );
}

/** Brute force: the number of place permutations for which some permutation of transitions fits. */
function bruteForce(petri: Petri): number {
  const n = petri.places.length;
  const rows = (to: (p: number) => number): string =>
    petri.transitions
      .map((t) => {
        const sum = (list: readonly Weighted[]): string =>
          list
            .map(([p, k]) => `${to(p)}:${k}`)
            .sort()
            .join();
        const limits = t.limits.map((l) => `${sum(l.sum)}<=${l.most}`).sort();
        return [sum(t.needs), sum(t.change), limits.join('&'), t.resets.map(to).sort().join()].join('|');
      })
      .sort()
      .join('\n');
  const own = rows((p) => p);
  let count = 0;
  const try_ = (map: number[]): void => {
    if (map.length === n) {
      if (rows((p) => map[p]!) === own) count++;
      return;
    }
    for (let q = 0; q < n; q++)
      if (!map.includes(q) && petri.places[q]!.initial === petri.places[map.length]!.initial) try_([...map, q]);
  };
  try_([]);
  return count;
}

const SHAPES = [
  ['plain nets', {}],
  ['inhibitors, capacities and resets', { inhibitors: true, resets: true }],
] as const;

describe.each(SHAPES)('symmetries of %s', (_, shape) => {
  test('generators are symmetries, and their number of products agrees with brute force', () => {
    let some = 0;
    fc.assert(
      fc.property(symmetric(shape), (petri) => {
        if (petri.places.length > 7) return;
        const { layers } = symmetriesOf(petri, undefined);
        for (const { transversal } of layers)
          for (const s of transversal) expect(isSymmetry(petri, undefined, s)).toBe(true);
        const order = layers.reduce((product, { transversal }) => product * (transversal.length + 1), 1);
        expect(order).toBe(bruteForce(petri));
        if (order > 1) some++;
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
    expect(some).toBeGreaterThan(atFullEffort(RUNS / 40));
  });

  test('a representative is the image of its marking under the reported symmetries', () => {
    fc.assert(
      fc.property(symmetric(shape), fc.array(fc.nat({ max: 2 }), { minLength: 16, maxLength: 16 }), (petri, tokens) => {
        const representatives = new Representatives(petri, symmetriesOf(petri, undefined));
        const marking = Float64Array.from(petri.places, (_, p) => tokens[p % 16]!);
        const form = marking.slice();
        const back = Int32Array.from(petri.places, (_, p) => p);
        const moves = new PetriMoves(petri);
        let enabled = new Set<number>();
        for (let t = 0; t < moves.transitions; t++) if (moves.enabled(t, marking)) enabled.add(t);
        const image = marking.slice();
        representatives.represent(form, (s) => {
          const before = image.slice();
          for (let p = 0; p < before.length; p++) image[s.places[p]!] = before[p]!;
          back.set(back.map((p) => s.places[p]!));
          enabled = new Set([...enabled].map((t) => s.transitions[t]!));
        });
        expect(form).toEqual(image);
        expect([...enabled].every((t) => moves.enabled(t, form))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([false, true])('finds the deadlocks of the full space, with stubborn sets: %s', (stubborn) => {
    const seen = { dead: 0, alive: 0, full: 0, reduced: 0 };
    fc.assert(
      fc.property(symmetric(shape), (petri) => {
        const space = plainSpace(petri, MAX_STATES);
        if (space === undefined) return;
        const dead = space.markings.filter((_, s) => space.firings[s]!.length === 0);
        const symmetries = symmetriesOf(petri, undefined);
        const found = reducedExploration(
          petri,
          { kind: 'deadlock' },
          { stubborn, symmetries: () => symmetries, symmetriesFrom: petri.places.length % 4 === 0 ? 3 : 0 },
        );
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
    if (FULL_EFFORT) expect(seen.reduced * 5).toBeLessThan(seen.full * 3);
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  });

  test.each([false, true])('reaches the same conditions as the full space, with stubborn sets: %s', (stubborn) => {
    const seen = { reached: 0, not: 0, kept: 0 };
    fc.assert(
      fc.property(
        symmetric(shape).chain((petri) => fc.tuple(fc.constant(petri), conditions(petri.places.length), fc.boolean())),
        ([petri, one, whole]) => {
          const space = plainSpace(petri, MAX_STATES);
          if (space === undefined) return;
          const condition = whole ? everywhere(petri, one) : one;
          const wanted = space.markings.some((m) => naive(condition, m, petri));
          const symmetries = symmetriesOf(petri, condition);
          if (symmetries.layers.length > 0) seen.kept++;
          const goal: Goal = { kind: 'reach', condition };
          const found = reducedExploration(petri, goal, {
            stubborn,
            symmetries: () => symmetries,
            symmetriesFrom: petri.places.length % 4 === 0 ? 3 : 0,
          });
          expect(found.reached).toBe(wanted);
          if (wanted) {
            seen.reached++;
            expect(naive(condition, markingAfter(petri, found.path!), petri)).toBe(true);
          } else seen.not++;
        },
      ),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.reached, seen.not, seen.kept)).toBeGreaterThan(atFullEffort(RUNS / 50));
  });
});

/** The disjunction of the images of a condition, which every symmetry preserves. */
function everywhere(petri: Petri, condition: Condition): Condition {
  const { layers } = symmetriesOf(petri, undefined);
  let all: Condition[] = [condition];
  for (const { transversal } of [...layers].reverse())
    all = [...all, ...transversal.flatMap(({ places }) => all.map((c) => image(c, places)))].slice(0, 24);
  return { op: 'or', of: all };
}

function image(c: Condition, places: Int32Array): Condition {
  if (c.op === 'sum') return { ...c, sum: c.sum.map(([p, n]) => [places[p]!, n] as const) };
  return 'of' in c ? { ...c, of: c.of.map((part) => image(part, places)) } : c;
}

test('n philosophers have 2n symmetries, and n identical processes n!', () => {
  const n = 6;
  const fork = (k: number): number => 2 * n + (k % n);
  const philosophers = petriOf(
    Array.from({ length: 3 * n }, (_, p) => (p >= n && p < 2 * n ? 0 : 1)),
    Array.from({ length: n }, (_, k): Partial<PetriTransition>[] => [
      {
        needs: [
          [k, 1],
          [fork(k), 1],
          [fork(k + 1), 1],
        ],
        change: [
          [k, -1],
          [n + k, 1],
          [fork(k), -1],
          [fork(k + 1), -1],
        ],
      },
      {
        needs: [[n + k, 1]],
        change: [
          [k, 1],
          [n + k, -1],
          [fork(k), 1],
          [fork(k + 1), 1],
        ],
      },
    ]).flat(),
  );
  // Both forks are taken at once, so the table can also be mirrored.
  expect(symmetriesOf(philosophers, undefined).order).toBe(2 * n);
  const processes = copies(
    petriOf(
      [1, 0],
      [
        {
          needs: [[0, 1]],
          change: [
            [0, -1],
            [1, 1],
          ],
        },
      ],
    ),
    n,
    false,
  );
  const symmetries = symmetriesOf(processes, undefined);
  expect(symmetries.order).toBe(720);
  const found = reducedExploration(
    processes,
    { kind: 'deadlock', unless: { op: 'dead' } },
    { stubborn: false, symmetries: () => symmetries, symmetriesFrom: 0 },
  );
  expect([found.reached, found.states]).toEqual([false, n + 1]);
});
