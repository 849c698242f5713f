import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import '../../src/vitest.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import {
  arbitraryNet,
  arbitraryProgram,
  FAULT_KINDS,
  type FaultKind,
  firingSequence,
  type Operation,
  type Operations,
  type RandomProgram,
} from '../../src/fast-check.ts';
import { randomProgram } from '../../src/testing/arbitrary-program.ts';
import { faultPlaces, planted } from '../../src/testing/planted-fault.ts';
import { endsWell } from './run-program.ts';

/** FORETOKEN_TABLE=1 prints the tables. */
const table = (rows: readonly Record<string, unknown>[]): void => {
  if (process.env['FORETOKEN_TABLE'] === '1') console.table(rows);
};

const size = (operations: Operations): number => operations.reduce((sum, own) => sum + own.length, 0);
const RANKS = 3;
const soundWith = { networkModel: 'simgrid-rendezvous' } as const;

test('the plain interpreter and the matcher agree on faulty and correct programs', () => {
  let wrong = 0;
  for (const mutated of [false, ...FAULT_KINDS])
    for (const program of fc.sample(arbitraryProgram({ ranks: RANKS, events: 3, mutated }), { numRuns: 8, seed: 2 })) {
      const well = endsWell(program.operations);
      if (!well) wrong++;
      if (well) expect(program.model).toBeSound(soundWith);
      else expect(program.model).not.toBeSound(soundWith);
    }
  expect(wrong).toBeGreaterThan(10);
});

/** Minimum number of operations that show a kind of fault; tries all programs of up to two messages among three ranks. */
function smallest(kind: FaultKind): number {
  const messages: { readonly from: number; readonly to: number; readonly send: Operation; readonly recv: Operation }[] =
    [];
  for (let from = 0; from < RANKS; from++)
    for (let to = 0; to < RANKS; to++)
      if (from !== to)
        for (const tag of [0, 1])
          for (const [s, r] of [
            ['send', 'recv'],
            ['isend', 'recv'],
            ['send', 'irecv'],
            ['isend', 'irecv'],
          ] as const)
            messages.push({ from, to, send: { op: s, to, tag, bytes: 8 }, recv: { op: r, from, tag } });
  let least = Number.POSITIVE_INFINITY;
  const tried = (events: readonly (typeof messages)[number][]): void => {
    for (const ranks of [2, RANKS]) {
      if (events.some((e) => Math.max(e.from, e.to) >= ranks)) continue;
      const operations: Operation[][] = Array.from({ length: ranks }, () => []);
      for (const { from, to, send, recv } of events) {
        operations[from]!.push(send);
        operations[to]!.push(recv);
      }
      for (const fault of faultPlaces(operations, kind)) {
        const faulty = planted(operations, fault);
        if (size(faulty) < least && !endsWell(faulty)) least = size(faulty);
      }
    }
  };
  for (const a of messages) tried([a]);
  for (const a of messages) for (const b of messages) tried([a, b]);
  return least;
}

test('50 planted faults in programs: the counter-example and the smallest one that exists', () => {
  const least = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, smallest(kind)]));
  expect(least).toEqual({ removed: 1, tag: 2, peer: 2, swapped: 4 });
  const rows = Array.from({ length: 50 }, (_, k) => {
    const kind = FAULT_KINDS[k % FAULT_KINDS.length]!;
    const arbitrary = arbitraryProgram({ ranks: RANKS, events: 12, mutated: kind });
    const first: RandomProgram[] = [];
    const run = fc.check(
      fc.property(arbitrary, (program) => {
        const well = endsWell(program.operations);
        if (!well) first.push(program);
        return well;
      }),
      { seed: 100 + k, numRuns: 2000 },
    );
    expect(run.failed).toBe(true);
    const [found] = run.counterexample!;
    return {
      kind,
      seed: 100 + k,
      'first found': size(first[0]!.operations),
      reported: size(found.operations),
      smallest: least[kind],
      shrinks: run.numShrinks,
      program: found,
    };
  });
  table(rows.map(({ program: _, ...row }) => row));
  expect(rows.filter((r) => r.reported < r.smallest!)).toEqual([]);
  const exact = rows.filter((r) => r.reported === r.smallest).length;
  const most = Math.max(...rows.map((r) => r.reported - r.smallest!));
  table([{ faults: rows.length, smallest: exact, 'operations more, at most': most }]);
  expect(exact).toBeGreaterThanOrEqual(45);
  expect(most).toBeLessThanOrEqual(2);
  // The reported programs also fail the matcher.
  const different = new Map(rows.map(({ program }) => [JSON.stringify(program.operations), program]));
  for (const { operations } of [...different.values()].slice(0, 12))
    expect(randomProgram(operations).model).not.toBeSound(soundWith);
});

test('50 nets that can stop: the firing sequence reported and the shortest one that exists', () => {
  const nets = fc
    .sample(arbitraryNet({ places: 6, transitions: 6, tokens: 4, with: ['inhibitors', 'reads', 'colours'] }), {
      numRuns: 2000,
      seed: 7,
    })
    .flatMap((net) => {
      const space = explore(net, { maxStates: 3000, engine: 'general' });
      if (!space.complete) return [];
      const dead = space.outDegree(0, space.states).indexOf(0);
      const shortest = dead < 0 ? 0 : space.levels.findLastIndex((first) => first <= dead);
      return shortest < 3 || space.states < 30 ? [] : [{ net, shortest, states: space.states }];
    })
    .slice(0, 50);
  expect(nets).toHaveLength(50);
  const rows = nets.map(({ net, shortest, states }, k) => {
    let first = 0;
    const run = fc.check(
      fc.property(firingSequence(net, { maxLength: 60 }), ({ dead, steps }) => {
        if (dead) first ||= steps.length;
        return !dead;
      }),
      { seed: k, numRuns: 5000 },
    );
    return { net: k, states, 'first found': first, reported: run.counterexample?.[0].steps.length ?? -1, shortest };
  });
  table(rows);
  const found = rows.filter((r) => r.reported >= 0);
  const exact = found.filter((r) => r.reported === r.shortest).length;
  const most = Math.max(...found.map((r) => r.reported / r.shortest));
  table([{ nets: rows.length, found: found.length, shortest: exact, 'times as long, at most': most }]);
  expect(found.filter((r) => r.reported < r.shortest)).toEqual([]);
  expect(found).toHaveLength(50);
  expect(exact).toBeGreaterThanOrEqual(42);
  expect(most).toBeLessThanOrEqual(2);
});
