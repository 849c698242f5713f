import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesOf } from '../../../src/analysis/reduction/condition.ts';
import { reducedSearch } from '../../../src/analysis/reduction/reduced-search.ts';
import type { PropertyClass } from '../../../src/analysis/reduction/structural/draft.ts';
import { RULES, structurallyReduced } from '../../../src/analysis/reduction/structural/structural.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { bisimilar } from './bisimilar.ts';
import { conditions, naive } from './conditions.ts';
import { isEnabled, markingAfter, type PlainSpace, plainSpace } from './plain-space.ts';
import { plantedPetri } from './planted.ts';
import { petriOf } from './random-petri.ts';

const RUNS = effort(1200);
const MAX_STATES = 400;
const SHAPES = [
  ['plain nets', {}],
  ['inhibitors, capacities and resets', { inhibitors: true, resets: true }],
] as const;

function deadOf({ markings, firings }: PlainSpace): (readonly number[])[] {
  return markings.filter((_, s) => firings[s]!.length === 0);
}

describe.each(SHAPES)('structural rules on %s', (_, shape) => {
  const withCondition = plantedPetri(shape).chain((petri) =>
    fc.tuple(fc.constant(petri), conditions(petri.places.length, false)),
  );
  /** Number of nets that were reduced, and markings before and after. */
  const seen = { nets: 0, smaller: 0, before: 0, after: 0 };
  const applied = new Map<string, number>();

  test.each(['structural', 'all'] as const)(
    '%s: preserves deadlocks, also if some dead markings are final',
    (method) => {
      fc.assert(
        fc.property(withCondition, fc.boolean(), ([petri, unless], ends) => {
          const space = plainSpace(petri, MAX_STATES);
          if (space === undefined) return;
          const wrong = deadOf(space).filter((m) => !ends || !naive(unless, m, petri));
          const found = reducedSearch(petri, ends ? { kind: 'deadlock', unless } : { kind: 'deadlock' }, method);
          expect(found.reached).toBe(wrong.length > 0);
          if (found.reached) expect(wrong.map(String)).toContain(String(markingAfter(petri, found.path!)));
        }),
        { numRuns: RUNS },
      );
    },
  );

  test.each(['structural', 'all'] as const)('%s: preserves reachability of conditions', (method) => {
    let reached = 0;
    fc.assert(
      fc.property(withCondition, ([petri, condition]) => {
        const space = plainSpace(petri, MAX_STATES);
        if (space === undefined) return;
        const wanted = space.markings.some((m) => naive(condition, m, petri));
        const found = reducedSearch(petri, { kind: 'reach', condition }, method);
        expect(found.reached).toBe(wanted);
        if (wanted) {
          reached++;
          expect(naive(condition, markingAfter(petri, found.path!), petri)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
    expect(reached).toBeGreaterThan(atFullEffort(RUNS / 20));
  });

  test('paths: the marking graphs are bisimilar over the visible places', () => {
    fc.assert(
      fc.property(withCondition, ([petri, condition]) => {
        const space = plainSpace(petri, MAX_STATES);
        if (space === undefined) return;
        const visible = placesOf(condition);
        const { petri: smaller, places } = structurallyReduced(petri, { keep: 'paths', visible });
        const after = plainSpace(smaller, MAX_STATES)!;
        expect(after.markings.length).toBeLessThanOrEqual(space.markings.length);
        const label = (m: readonly number[], of: 'a' | 'b'): string =>
          [...visible].map((p) => m[of === 'a' ? p : places.indexOf(p)]).join();
        expect(bisimilar(space, after, label)).toBe(true);
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  });

  test('each rule alone preserves its property classes', () => {
    fc.assert(
      fc.property(withCondition, fc.constantFrom(...RULES), ([petri, condition], rule) => {
        const space = plainSpace(petri, MAX_STATES);
        if (space === undefined) return;
        seen.nets++;
        const visible = placesOf(condition);
        for (const keep of rule.keeps) {
          const smaller = structurallyReduced(petri, { keep, visible }, [rule.name]);
          applied.set(rule.name, (applied.get(rule.name) ?? 0) + smaller.applied[rule.name]!);
          const after = plainSpace(smaller.petri, MAX_STATES)!;
          if (keep === 'deadlock') expect(deadOf(after).length > 0).toBe(deadOf(space).length > 0);
          const shown = (s: PlainSpace, at: (p: number) => number): string[] =>
            s.markings.map((m) => [...visible].map((p) => m[at(p)]).join());
          if (keep === 'reachability')
            expect(new Set(shown(after, (p) => smaller.places.indexOf(p)))).toEqual(new Set(shown(space, (p) => p)));
          if (smaller.applied[rule.name]! > 0) seen.smaller++;
          seen.before += space.markings.length;
          seen.after += after.markings.length;
        }
      }),
      { numRuns: RUNS },
    );
    if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen, applied);
    for (const { name } of RULES)
      expect([name, (applied.get(name) ?? 0) > atFullEffort(RUNS / 100)]).toEqual([name, true]);
    expect(seen.after).toBeLessThan(seen.before);
  });
});

describe('rejects with the name', () => {
  const petri = petriOf(
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
  );
  const none = new Set<number>();

  test('rules that do not preserve the requested class', () => {
    const refused = RULES.flatMap((rule) =>
      (['deadlock', 'reachability', 'paths'] as PropertyClass[])
        .filter((keep) => !rule.keeps.includes(keep))
        .map((keep) => [rule.name, keep] as const),
    );
    expect(refused).toEqual([
      ['idle-transitions', 'paths'],
      ['post-fusion', 'paths'],
      ['pre-fusion', 'paths'],
    ]);
    for (const [name, keep] of refused)
      expect(() => structurallyReduced(petri, { keep, visible: none }, [name])).toThrow(
        `RED003 reduction: rule ${name}`,
      );
  });

  test('unknown rules', () => {
    expect(() => structurallyReduced(petri, { keep: 'deadlock', visible: none }, ['post-fusoin'])).toThrow(
      'Did you mean "post-fusion"?',
    );
  });

  test('conditions that mix dead markings with others', () => {
    const condition = {
      op: 'and',
      of: [{ op: 'dead' }, { op: 'sum', sum: [[1, 1]], relation: '>', than: 0 }],
    } as const;
    expect(() => reducedSearch(petri, { kind: 'reach', condition }, 'structural')).toThrow(/RED002 net random/);
    expect(reducedSearch(petri, { kind: 'reach', condition }, 'stubborn').reached).toBe(true);
  });
});

test('a place that gets several tokens at once is not fused with several consumers', () => {
  const petri = petriOf(
    [1, 0, 0, 0],
    [
      {
        needs: [[0, 1]],
        change: [
          [0, -1],
          [1, 2],
        ],
      },
      {
        needs: [[1, 1]],
        change: [
          [1, -1],
          [2, 1],
        ],
      },
      {
        needs: [[1, 1]],
        change: [
          [1, -1],
          [3, 1],
        ],
      },
    ],
  );
  // Dead with one token in each: the consumers share the two tokens.
  const unless = { op: 'sum', sum: [[2, 1]], relation: '!=', than: 1 } as const;
  expect(reducedSearch(petri, { kind: 'deadlock', unless }, 'structural').reached).toBe(true);
});

test('a line of places becomes one step, and the path is translated to all of its steps', () => {
  const n = 50;
  const line = petriOf(
    [1, ...Array.from({ length: n }, () => 0)],
    Array.from({ length: n }, (_, p) => ({
      needs: [[p, 1] as const],
      change: [[p, -1] as const, [p + 1, 1] as const],
    })),
  );
  const found = reducedSearch(line, { kind: 'deadlock' }, 'structural');
  expect([found.reached, found.places, found.transitions, found.states]).toEqual([true, 1, 1, 2]);
  expect(found.path).toEqual(Array.from({ length: n }, (_, k) => k));
  const last = markingAfter(line, found.path!);
  expect(line.transitions.some((t) => isEnabled(t, last))).toBe(false);
});
