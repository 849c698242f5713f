import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverable } from '../../../src/analysis/coverability/backward.ts';
import {
  type Boundedness,
  boundedness,
  pump,
  semiBoundedness,
} from '../../../src/analysis/coverability/boundedness.ts';
import { type Demand, demandsOf, isUpward } from '../../../src/analysis/coverability/demands.ts';
import { growthText } from '../../../src/analysis/coverability/growth-text.ts';
import { withoutLimits } from '../../../src/analysis/coverability/without-limits.ts';
import type { Petri } from '../../../src/analysis/petri/petri.ts';
import { transitionNames } from '../../../src/analysis/structure/prove-property.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { conditions, naive } from '../reduction/conditions.ts';
import { isEnabled, markingAfter, plainSpace } from '../reduction/plain-space.ts';
import { petriOf, randomPetri } from '../reduction/random-petri.ts';

const RUNS = effort(1000);
const MAX_STATES = 1500;
const NODES = { maxNodes: 3000 };

/** Up to `most` markings of a net, breadth first. */
function firstMarkings(petri: Petri, most: number): readonly (readonly number[])[] {
  const known = new Map([[petri.places.map((p) => p.initial).join(), petri.places.map((p) => p.initial)]]);
  for (const marking of known.values())
    for (const [k, t] of petri.transitions.entries())
      if (isEnabled(t, marking) && known.size < most) {
        const next = marking.map((n, p) => (t.resets.includes(p) ? 0 : n));
        for (const [p, n] of petri.transitions[k]!.change) next[p]! += n;
        known.set(next.join(), next);
      }
  return [...known.values()];
}

function checkPump(petri: Petri, found: Boundedness, place: number, tokens: number): 'loop' | 'iterations' {
  const { path, loop } = pump(found, place, tokens)!;
  if (loop === undefined) {
    expect(markingAfter(petri, path)[place]).toBeGreaterThanOrEqual(tokens);
    return 'iterations';
  }
  const iteration = path.slice(loop);
  const before = markingAfter(petri, path.slice(0, loop));
  const after = markingAfter(petri, path);
  expect(after.every((n, p) => n >= before[p]!)).toBe(true);
  expect(after[place]).toBeGreaterThan(before[place]!);
  expect(markingAfter(petri, [...path, ...iteration, ...iteration])[place]).toBe(
    before[place]! + 3 * (after[place]! - before[place]!),
  );
  const gain = after[place]! - before[place]!;
  const text = growthText(petri, place, { path, loop });
  expect(text).toMatch(new RegExp(`can be repeated forever, and adds ${gain} tokens? each time$`));
  for (const t of iteration.slice(0, 6)) expect(text).toContain(transitionNames(petri)[t]!);
  return 'loop';
}

describe('bounds', () => {
  test('are exact on random nets; unbounded places have a pump', () => {
    const seen = { bounded: 0, unbounded: 0, loop: 0, iterations: 0, givenUp: 0 };
    fc.assert(
      fc.property(randomPetri({ conserving: 5 }), (petri) => {
        const found = boundedness(petri, NODES);
        if (found.bounds === undefined) {
          seen.givenUp++;
          return;
        }
        const { bounds } = found;
        const finite = bounds.every((b) => b < Number.POSITIVE_INFINITY);
        seen[finite ? 'bounded' : 'unbounded']++;
        const markings = finite ? plainSpace(petri, 20_000)!.markings : firstMarkings(petri, MAX_STATES);
        for (const [p, bound] of bounds.entries()) {
          const most = Math.max(...markings.map((m) => m[p]!));
          if (finite) expect(bound).toBe(most);
          else if (bound < Number.POSITIVE_INFINITY) expect(most).toBeLessThanOrEqual(bound);
          else seen[checkPump(petri, found, p, 40)]++;
        }
      }),
      { numRuns: RUNS },
    );
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
    expect(Math.min(seen.bounded, seen.unbounded, seen.loop)).toBeGreaterThan(atFullEffort(RUNS / 20));
    expect(seen.iterations).toBeGreaterThan(atFullEffort(0));
    expect(seen.givenUp).toBeLessThan(RUNS / 20);
  });

  test('the second pump consumes the tokens of the first', () => {
    // Phase one adds tokens to place 1; phase two turns each of them into two in place 3.
    const petri = petriOf(
      [1, 0, 0, 0],
      [
        { needs: [[0, 1]], change: [[1, 1]] },
        {
          needs: [[0, 1]],
          change: [
            [0, -1],
            [2, 1],
          ],
        },
        {
          needs: [
            [1, 1],
            [2, 1],
          ],
          change: [
            [1, -1],
            [3, 2],
          ],
        },
      ],
    );
    const found = boundedness(petri);
    expect(found.bounds).toEqual([1, Infinity, 1, Infinity]);
    expect(pump(found, 1, 5)).toEqual({ path: [0], loop: 0 });
    const { path, loop } = pump(found, 3, 10)!;
    expect([loop, markingAfter(petri, path)[3]]).toEqual([undefined, 10]);
    expect(path).toEqual([0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2]);
  });

  test('a satisfied limit over an empty sum is ignored', () => {
    const free = petriOf([0], [{ change: [[0, 1]], limits: [{ sum: [], most: 0 }] }]);
    expect(boundedness(free).bounds).toEqual([Infinity]);
  });

  test('with resets, only growth that no reset removes counts', () => {
    const undone = petriOf([0, 0], [{ change: [[0, 2]], resets: [0] }]);
    expect(semiBoundedness(undone).bounds).toEqual([2, 0]);
    const other = petriOf(
      [0, 0],
      [
        {
          change: [
            [0, 2],
            [1, 1],
          ],
          resets: [0],
        },
      ],
    );
    expect(semiBoundedness(other).unbounded).toBe(1);
  });

  test('with resets, results are correct on random nets', () => {
    const seen = { bounded: 0, unbounded: 0 };
    fc.assert(
      fc.property(randomPetri({ resets: true, conserving: 5 }), (petri) => {
        if (petri.transitions.every((t) => t.resets.length === 0)) return;
        const found = semiBoundedness(petri, NODES);
        if (found.bounds !== undefined) {
          const { markings } = plainSpace(petri, 20_000)!;
          expect(found.bounds).toEqual(petri.places.map((_, p) => Math.max(...markings.map((m) => m[p]!))));
          seen.bounded++;
        } else if (found.unbounded !== undefined) {
          expect(checkPump(petri, found, found.unbounded, 10)).toBe('loop');
          seen.unbounded++;
        }
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(seen.bounded, seen.unbounded)).toBeGreaterThan(atFullEffort(RUNS / 20));
  });

  test('capacities are supported', () => {
    const filled = petriOf([0, 0], [{ change: [[0, 1]], limits: [{ sum: [[0, 1]], most: 3 }] }]);
    expect(boundedness(filled).bounds).toEqual([4, 0]);
    const beside = petriOf(
      [0, 0],
      [
        {
          change: [
            [0, 1],
            [1, 1],
          ],
          limits: [{ sum: [[0, 1]], most: 3 }],
        },
        { needs: [[0, 2]], change: [[0, -2]] },
      ],
    );
    const found = boundedness(beside);
    expect(found.bounds).toEqual([4, Infinity]);
    checkPump(beside, found, 1, 40);
  });

  test('undecidable nets are rejected with the name of the transition', () => {
    const inhibited = petriOf(
      [0, 0],
      [{ change: [[0, 1]] }, { change: [[1, 1]], limits: [{ sum: [[0, 1]], most: 0 }] }],
    );
    expect(() => boundedness(inhibited)).toThrow(/COV001 transition t1/);
    const reset = petriOf([1], [{ resets: [0] }]);
    expect(() => boundedness(reset)).toThrow(/COV002 transition t0/);
  });
});

test('removing limits preserves behaviour', () => {
  let limited = 0;
  fc.assert(
    fc.property(randomPetri({ inhibitors: true }), (petri) => {
      const plain = withoutLimits(petri);
      if (plain === undefined || petri.transitions.every((t) => t.limits.length === 0)) return;
      const space = plainSpace(petri, MAX_STATES);
      const same = plainSpace(plain.petri, MAX_STATES);
      expect(same === undefined).toBe(space === undefined);
      if (space === undefined) return;
      limited++;
      expect(same!.markings.map((m) => m.slice(0, plain.given))).toEqual(space.markings);
      expect(same!.firings).toEqual(space.firings);
    }),
    { numRuns: RUNS },
  );
  expect(limited).toBeGreaterThan(atFullEffort(RUNS / 50));
});

describe('backward', () => {
  const demands = (places: number): fc.Arbitrary<Demand> =>
    fc
      .array(fc.tuple(fc.nat({ max: places - 1 }), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 3 })
      .map((list) => new Map(list));
  const meets = (m: readonly number[], demand: Demand): boolean => [...demand].every(([p, n]) => m[p]! >= n);

  test.each([
    ['plain nets', { conserving: 5 }],
    ['resets', { conserving: 4, resets: true }],
  ])('agrees with the explored markings: %s', (_, shape) => {
    const seen = { met: 0, not: 0, infinite: 0 };
    fc.assert(
      fc.property(
        randomPetri(shape).chain((petri) => fc.tuple(fc.constant(petri), demands(petri.places.length))),
        ([petri, demand]) => {
          const found = coverable(petri, [demand], { maxDemands: 3000 });
          if (found.covered === undefined) return;
          const space = plainSpace(petri, MAX_STATES);
          const markings = space?.markings ?? firstMarkings(petri, 300);
          if (found.covered) expect(meets(markingAfter(petri, found.path!), demand)).toBe(true);
          else expect(markings.some((m) => meets(m, demand))).toBe(false);
          if (space === undefined) seen.infinite++;
          else expect(found.covered).toBe(markings.some((m) => meets(m, demand)));
          seen[found.covered ? 'met' : 'not']++;
        },
      ),
      { numRuns: RUNS },
    );
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
    expect(Math.min(seen.met, seen.not, seen.infinite)).toBeGreaterThan(atFullEffort(RUNS / 50));
  });

  test('agrees with the Karp–Miller tree on unbounded nets', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        randomPetri({ conserving: 3 }).chain((petri) => fc.tuple(fc.constant(petri), demands(petri.places.length))),
        ([petri, demand]) => {
          const { bounds, tree } = boundedness(petri, NODES);
          const found = coverable(petri, [demand], { maxDemands: 3000 });
          if (bounds === undefined || found.covered === undefined) return;
          if (bounds.includes(Number.POSITIVE_INFINITY)) compared++;
          expect(found.covered).toBe(tree.nodes.some(({ marking }) => meets([...marking], demand)));
        },
      ),
      { numRuns: RUNS },
    );
    expect(compared).toBeGreaterThan(atFullEffort(RUNS / 10));
  });

  test('a counter with resets never exceeds four', () => {
    // It counts to four; after that only a reset allows further steps.
    const petri = petriOf(
      [1, 0, 4],
      [
        {
          needs: [[2, 1]],
          change: [
            [1, 1],
            [2, -1],
          ],
        },
        { change: [[2, 4]], resets: [1, 2] },
      ],
    );
    expect(coverable(petri, [new Map([[1, 4]])])).toMatchObject({ covered: true, path: [0, 0, 0, 0] });
    expect(coverable(petri, [new Map([[1, 5]])]).covered).toBe(false);
    expect(
      coverable(
        petri,
        [
          new Map([
            [1, 3],
            [2, 2],
          ]),
        ],
        { maxDemands: 1 },
      ).covered,
    ).not.toBe(true);
  });
});

describe('demands of conditions', () => {
  test('are met exactly if the condition holds', () => {
    let upward = 0;
    const petri = petriOf([0, 0, 0], []);
    fc.assert(
      fc.property(
        conditions(3, false),
        fc.array(fc.nat({ max: 6 }), { minLength: 3, maxLength: 3 }),
        (condition, marking) => {
          if (!isUpward(condition)) {
            expect(() => demandsOf(condition)).toThrow(/COV003/);
            return;
          }
          upward++;
          const all = demandsOf(condition);
          expect(all.some((d) => [...d].every(([p, n]) => marking[p]! >= n))).toBe(naive(condition, marking, petri));
        },
      ),
      { numRuns: RUNS * 5 },
    );
    expect(upward).toBeGreaterThan(atFullEffort(RUNS / 10));
  });

  test('too many demands are rejected', () => {
    const sum = Array.from({ length: 30 }, (_, p) => [p, 1] as const);
    expect(() => demandsOf({ op: 'sum', sum, relation: '>=', than: 30 })).toThrow(/COV003/);
  });
});
