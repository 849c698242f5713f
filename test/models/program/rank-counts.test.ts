import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Counts } from '../../../src/models/program/per-rank/execution-counts.ts';
import { RankCounts } from '../../../src/models/program/per-rank/rank-counts.ts';
import { type Statement, statementsIn } from '../../../src/models/program/record/statement.ts';
import { counter, type ProgramModel, range, spmd } from '../../../src/models.ts';
import { atFullEffort, effort } from '../../effort.ts';

/*
 * Operation counts by rank from constant propagation, compared with a plain interpretation of the same program with given
 * draws.
 */

type Item =
  | { readonly is: 'message'; readonly out: boolean; readonly shift: number; readonly tag: 'one' | 'turn' }
  | { readonly is: 'loop'; readonly turns: number; readonly grows: boolean; readonly body: readonly Item[] }
  | { readonly is: 'plain'; readonly turns: number; readonly body: readonly Item[] }
  | { readonly is: 'while'; readonly turns: number; readonly body: readonly Item[] }
  | {
      readonly is: 'when';
      readonly by: 'rank' | 'turn' | 'mark';
      readonly yes: readonly Item[];
      readonly no: readonly Item[];
    }
  | { readonly is: 'chance'; readonly yes: readonly Item[]; readonly no: readonly Item[] }
  | { readonly is: 'mark'; readonly by: 'rank' | 'turn' | 'one more' };

const RANKS = 3;
const DEPTH = 3;

const items = (depth: number): fc.Arbitrary<readonly Item[]> => {
  const message = fc.record({
    is: fc.constant('message' as const),
    out: fc.boolean(),
    shift: fc.integer({ min: 1, max: 2 }),
    tag: fc.constantFrom('one' as const, 'turn' as const),
  });
  const mark = fc.record({
    is: fc.constant('mark' as const),
    by: fc.constantFrom('rank' as const, 'turn' as const, 'one more' as const),
  });
  if (depth === 0) return fc.array(fc.oneof(message, mark), { maxLength: 2 });
  const inner = items(depth - 1);
  const turns = fc.integer({ min: 0, max: 4 });
  return fc.array(
    fc.oneof(
      message,
      mark,
      fc.record({ is: fc.constant('loop' as const), turns, grows: fc.boolean(), body: inner }),
      fc.record({ is: fc.constant('plain' as const), turns, body: inner }),
      fc.record({ is: fc.constant('while' as const), turns, body: inner }),
      fc.record({
        is: fc.constant('when' as const),
        by: fc.constantFrom('rank' as const, 'turn' as const, 'mark' as const),
        yes: inner,
        no: inner,
      }),
      fc.record({ is: fc.constant('chance' as const), yes: inner, no: inner }),
    ),
    { maxLength: 3 },
  );
};

interface Vars {
  readonly rank: number;
  readonly k: number[];
  mark: number;
}

const turnOf = (k: readonly number[], depth: number): number => (depth === 0 ? 0 : k[depth - 1]!);
const peerOf = (rank: number, shift: number): number => (rank + shift) % RANKS;
const countOf = (item: { readonly turns: number; readonly grows: boolean }, mark: number): number =>
  item.grows ? Math.min(4, item.turns + (mark % 2)) : item.turns;

function modelOf(program: readonly Item[]): ProgramModel {
  const vars = {
    k1: counter(9),
    k2: counter(9),
    k3: counter(9),
    w1: range(0, 9),
    w2: range(0, 9),
    w3: range(0, 9),
    mark: range(0, 3),
  };
  return spmd({
    name: 'random',
    vars,
    build(m) {
      type S = Parameters<Extract<Parameters<typeof m.compute>[0]['flops'], (...args: never[]) => unknown>>[0];
      const turn = (s: S, depth: number): number => (depth === 0 ? 0 : s[`k${depth}` as 'k1']);
      const put = (list: readonly Item[], depth: number): void => {
        for (const item of list) {
          const [k, w] = [`k${depth + 1}` as 'k1', `w${depth + 1}` as 'w1'];
          if (item.is === 'message') {
            const peer = (s: S): number => peerOf(s.rank, item.shift);
            const tag = item.tag === 'one' ? 1 : (s: S): number => 10 + turn(s, depth);
            if (item.out) m.send({ to: peer, tag, bytes: 8 });
            else m.recv({ from: peer, tag });
          } else if (item.is === 'mark')
            m.let('mark', (s) =>
              item.by === 'rank' ? s.rank : item.by === 'turn' ? turn(s, depth) % 4 : (s.mark + 1) % 4,
            );
          else if (item.is === 'loop')
            m.loop(k, item.grows ? (s: S) => countOf(item, s.mark) : item.turns, () => put(item.body, depth + 1));
          else if (item.is === 'plain') m.loop(item.turns, () => put(item.body, depth));
          else if (item.is === 'while') {
            m.let(w, 0);
            m.while(
              (s) => s[w] < item.turns,
              () => {
                put(item.body, depth + 1);
                m.let(w, (s) => s[w] + 1);
              },
            );
          } else if (item.is === 'chance')
            m.chance(
              0.5,
              () => put(item.yes, depth),
              () => put(item.no, depth),
            );
          else
            m.when(
              (s) =>
                item.by === 'rank' ? s.rank === 1 : item.by === 'turn' ? turn(s, depth) % 2 === 1 : s.mark % 2 === 1,
              () => put(item.yes, depth),
              () => put(item.no, depth),
            );
        }
      };
      put(program, 0);
    },
  }) as unknown as ProgramModel;
}

/** Counts of a rank's messages by `number of the statement, peer, tag`, by interpretation. */
function walked(program: readonly Item[], rank: number, draw: () => boolean): Map<string, number> {
  const numbers = new Map<Item, number>();
  const number = (list: readonly Item[]): void => {
    for (const item of list) {
      if (item.is === 'message') numbers.set(item, numbers.size);
      if ('body' in item) number(item.body);
      if ('yes' in item) {
        number(item.yes);
        number(item.no);
      }
    }
  };
  number(program);
  const seen = new Map<string, number>();
  const vars: Vars = { rank, k: [0, 0, 0, 0, 0], mark: 0 };
  const run = (list: readonly Item[], depth: number): void => {
    for (const item of list) {
      const turn = turnOf(vars.k, depth);
      if (item.is === 'message') {
        const key = `${numbers.get(item)} ${peerOf(rank, item.shift)} ${item.tag === 'one' ? 1 : 10 + turn}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      } else if (item.is === 'mark')
        vars.mark = item.by === 'rank' ? rank : item.by === 'turn' ? turn % 4 : (vars.mark + 1) % 4;
      else if (item.is === 'loop') {
        vars.k[depth] = 0;
        // The count is evaluated before every iteration, when the variable still has its previous value.
        if (countOf(item, vars.mark) > 0)
          for (;;) {
            run(item.body, depth + 1);
            const last = vars.k[depth]! + 1 >= countOf(item, vars.mark);
            vars.k[depth]!++;
            if (last) break;
          }
      } else if (item.is === 'plain') for (let k = 0; k < item.turns; k++) run(item.body, depth);
      else if (item.is === 'while') for (let k = 0; k < item.turns; k++) run(item.body, depth + 1);
      else if (item.is === 'chance') run(draw() ? item.yes : item.no, depth);
      else {
        const holds = item.by === 'rank' ? rank === 1 : item.by === 'turn' ? turn % 2 === 1 : vars.mark % 2 === 1;
        run(holds ? item.yes : item.no, depth);
      }
    }
  };
  run(program, 0);
  return seen;
}

/** The same from propagated counts: minimum and maximum if known, and the maximum of unknown ones by statement. */
function told(counts: Counts): { by: Map<string, [number, number]>; open: Map<number, number> } {
  const by = new Map<string, [number, number]>();
  const open = new Map<number, number>();
  for (const [s, { variants: ways }] of counts) {
    const k = numberIn.get(s);
    if (k === undefined) continue;
    for (const { peer, tag, turns } of ways.values()) {
      if (peer === undefined || peer === null || tag === undefined) open.set(k, (open.get(k) ?? 0) + turns.most);
      else by.set(`${k} ${peer} ${tag}`, [turns.least, turns.most]);
    }
  }
  return { by, open };
}

const numberIn = new WeakMap<Statement, number>();

function hasDraws(list: readonly Item[]): boolean {
  return list.some(
    (item) =>
      item.is === 'chance' ||
      ('body' in item && hasDraws(item.body)) ||
      ('yes' in item && (hasDraws(item.yes) || hasDraws(item.no))),
  );
}

test('operation counts of a rank agree with a walk through every iteration', { timeout: 60_000 }, () => {
  const seen = { exact: 0, drawn: 0, short: 0, messages: 0 };
  fc.assert(
    fc.property(
      items(DEPTH),
      fc.integer({ min: 0, max: RANKS - 1 }),
      fc.constantFrom(1e6, 1e6, 1e6, 0, 5, 30),
      fc.infiniteStream(fc.boolean()),
      (program, rank, effort, draws) => {
        const [recorded] = modelOf(program).record(RANKS);
        let next = 0;
        for (const s of statementsIn(recorded!.body))
          if (s.kind === 'send' || s.kind === 'recv') numberIn.set(s, next++);
        const { by, open } = told(new RankCounts(recorded!, rank, effort).counts);
        const expected = walked(program, rank, () => draws.next().value!);
        const exact = effort === 1e6 && !hasDraws(program);
        if (exact) {
          expect(open.size).toBe(0);
          expect(new Map([...by].map(([key, [least, most]]) => [key, least === most ? least : [least, most]]))).toEqual(
            expected,
          );
        }
        for (const key of new Set([...by.keys(), ...expected.keys()])) {
          const [least, most] = by.get(key) ?? [0, 0];
          const count = expected.get(key) ?? 0;
          seen.messages += count;
          expect(count).toBeGreaterThanOrEqual(least);
          expect(count).toBeLessThanOrEqual(most + (open.get(Number(key.split(' ')[0])) ?? 0));
        }
        seen[exact ? 'exact' : effort === 1e6 ? 'drawn' : 'short']++;
      },
    ),
    { numRuns: effort(400) },
  );
  expect(Object.values(seen).every((n) => n > atFullEffort(20))).toBe(true);
});

test('a million equal iterations are evaluated once', () => {
  const model = spmd({
    name: 'long',
    vars: { k: counter() },
    build(m) {
      m.loop('k', 1e6, () => m.loop(1000, () => m.send({ to: 0, bytes: 8 })));
    },
  });
  const { counts } = new RankCounts(model.record(2)[0]!, 1, 10);
  const [, { variants: ways }] = [...counts].find(([s]) => s.kind === 'send')!;
  expect([...ways.values()]).toEqual([{ peer: 0, tag: 0, turns: { least: 1e9, most: 1e9 } }]);
});

test('the index of a waitAny is unknown after it', () => {
  const model = spmd({
    name: 'either',
    vars: { k: range(0, 1) },
    build(m) {
      m.let('k', 0);
      m.waitAny([m.irecv({ from: 0 }), m.irecv({ from: 1 })], { index: 'k' });
      m.when(
        (s) => s.k === 0,
        () => m.send({ to: 0, bytes: 8 }),
        () => m.send({ to: 1, bytes: 8 }),
      );
    },
  });
  const { counts } = new RankCounts(model.record(2)[0]!, 1, 1e6);
  const sends = [...counts].filter(([s]) => s.kind === 'send').flatMap(([, { variants: ways }]) => [...ways.values()]);
  expect(sends).toEqual([0, 1].map((peer) => ({ peer, tag: 0, turns: { least: 0, most: 1 } })));
});
