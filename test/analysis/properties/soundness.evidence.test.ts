import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { replay } from '../../../src/analysis/properties/replay.ts';
import type { InputError } from '../../../src/base/problem.ts';
import type { PropertyResult } from '../../../src/commands/verify/net/verification.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { type Arcs, sound, workflow } from './workflow-nets.ts';

/** Soundness by its definition; undefined if a marking has more tokens than a sound net of this size can have. */
function soundByDefinition(places: string, arcs: Arcs): boolean | undefined {
  const start = [...places].map((p): number => (p === 'i' ? 1 : 0));
  const change = Object.values(arcs).map(([into, outOf]) => ({
    take: [...places].map((p) => [...into].filter((q) => q === p).length),
    put: [...places].map((p) => [...outOf].filter((q) => q === p).length),
  }));
  const found = new Map([[start.join(), { marking: start, next: [] as string[] }]]);
  const fires = new Set<number>();
  for (const state of found.values())
    for (const [t, { take, put }] of change.entries()) {
      if (take.some((n, p) => state.marking[p]! < n)) continue;
      fires.add(t);
      const marking = state.marking.map((n, p) => n - take[p]! + put[p]!);
      if (marking.some((n) => n > 8)) return undefined;
      state.next.push(marking.join());
      if (!found.has(marking.join())) found.set(marking.join(), { marking, next: [] });
    }
  const end = [...places].map((p) => (p === 'o' ? 1 : 0)).join();
  const completes = new Set([end]);
  for (let size = 0; size < completes.size; ) {
    size = completes.size;
    for (const [key, { next }] of found) if (next.some((n) => completes.has(n))) completes.add(key);
  }
  const proper = [...found].every(([key, { marking }]) => marking[places.indexOf('o')] === 0 || key === end);
  return proper && [...found.keys()].every((key) => completes.has(key)) && fires.size === change.length;
}

test('verdicts of random workflow nets are those of the definition, and counterexamples replay', () => {
  const inner = fc.subarray(['a', 'b', 'c'], { minLength: 1, maxLength: 2 }).map((p) => p.join(''));
  const arcs = fc.tuple(inner, inner, fc.array(fc.tuple(inner, inner), { maxLength: 3 })).map(
    ([first, last, between]): Arcs => ({
      first: ['i', first],
      last: [last, 'o'],
      ...Object.fromEntries(between.map((t, k) => [`t${k}`, t])),
    }),
  );
  const seen = { sound: 0, unsound: 0, unbounded: 0 };
  fc.assert(
    fc.property(arcs, (given) => {
      const places = ['i', ...'abc', 'o']
        .filter((p) => Object.values(given).some((t) => t.join('').includes(p)))
        .join('');
      const net = workflow(places, given);
      let result: PropertyResult;
      try {
        result = sound(net);
      } catch (e) {
        expect((e as InputError).problems[0]!.code).toBe('PROP011');
        return;
      }
      const expected = soundByDefinition(places, given);
      expect(result.verdict).toBe(expected ?? false);
      seen[expected === undefined ? 'unbounded' : expected ? 'sound' : 'unsound']++;
      if (result.witness !== undefined) replay(net, result.witness.steps);
    }),
    { numRuns: effort(1200) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(atFullEffort(3));
});
