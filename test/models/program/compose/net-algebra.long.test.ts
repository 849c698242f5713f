import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { type ComposeNetsOptions, compose } from '../../../../src/models.ts';
import type { Net } from '../../../../src/net/net.ts';
import { effort } from '../../../effort.ts';
import { label, net, num, place, put, take, transition } from '../../../net/merge-nets.ts';

/** An automaton: a step from one of its states to another one, alone or together with others. */
interface Step {
  readonly from: number;
  readonly to: number;
  /** `left` and `right` fire together with a step of that neighbour, `all` with one of every automaton that has such steps. */
  readonly with: 'alone' | 'left' | 'right' | 'all';
}
const STATES = 3;
const steps = fc.array(
  fc.record({
    from: fc.nat(STATES - 1),
    to: fc.nat(STATES - 1),
    with: fc.constantFrom('alone' as const, 'left' as const, 'right' as const, 'all' as const),
  }),
  { minLength: 2, maxLength: 5 },
);
const hasAll = (own: readonly Step[]): boolean => own.some((s) => s.with === 'all');
/** In a row: the first has no left neighbour and the last no right one; the others offer both labels. Nobody is "all" alone. */
const rows = fc
  .array(steps, { minLength: 3, maxLength: 4 })
  .map((row) =>
    row.map((own, k): readonly Step[] => [
      ...own.filter(
        (s) =>
          !(k === 0 && s.with === 'left') &&
          !(k === row.length - 1 && s.with === 'right') &&
          !(s.with === 'all' && row.filter(hasAll).length < 2),
      ),
      ...(k > 0 ? [{ from: 0, to: 1, with: 'left' } as const] : []),
      ...(k < row.length - 1 ? [{ from: 1, to: 2, with: 'right' } as const] : []),
    ]),
  );

const moduleOf = (own: readonly Step[], k: number): Net =>
  net(`m${k}`, {
    places: Array.from({ length: STATES }, (_, n) =>
      place(`s${n}`, {}, { initial: [{ values: [], count: n === 0 ? 1 : 0 }] }),
    ),
    transitions: own.map((s, n) =>
      transition(`t${n}`, [take(`s${s.from}`)], [put(`s${s.to}`, {}, num(1))], {
        ...(s.with === 'alone' ? {} : { label: label(s.with) }),
      }),
    ),
  });

/** States and dead states of the product, found without nets. */
function product(row: readonly (readonly Step[])[]): readonly [number, number] {
  const seen = new Set<string>();
  const open = [row.map(() => 0)];
  seen.add(String(open[0]));
  let dead = 0;
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const now = state;
    const at = (k: number, kind: Step['with']): readonly Step[] =>
      (row[k] ?? []).filter((s) => s.with === kind && s.from === now[k]);
    const next = row.flatMap((_, k) => [
      ...at(k, 'alone').map((s) => now.with(k, s.to)),
      ...at(k, 'right').flatMap((a) => at(k + 1, 'left').map((b) => now.with(k, a.to).with(k + 1, b.to))),
    ]);
    const together = [...row.keys()].filter((k) => hasAll(row[k]!));
    if (together.length > 0)
      next.push(
        ...together.reduce<number[][]>(
          (some, k) => some.flatMap((one) => at(k, 'all').map((s) => one.with(k, s.to))),
          [now],
        ),
      );
    if (next.length === 0) dead++;
    for (const one of next)
      if (!seen.has(String(one))) {
        seen.add(String(one));
        open.push(one);
      }
  }
  return [seen.size, dead];
}

function explored(composed: Net): readonly (number | null)[] {
  const { complete, figures } = explore(composed);
  expect(complete).toBe(true);
  return [figures.states.value, figures.deadlockStates.value];
}

/** Connections of the modules from `from` up to `to` with each other, and what they offer to the rest of the row. */
function connections(row: readonly (readonly Step[])[], from: number, to: number): ComposeNetsOptions {
  const ends = [...row.keys()].filter((k) => k >= from && k < to && hasAll(row[k]!)).map((k) => `m${k}.all`);
  const offers = ends.length < row.filter(hasAll).length;
  return {
    synchronise: [
      ...Array.from({ length: to - from - 1 }, (_, k) => joint(`m${from + k}`, `m${from + k + 1}`)),
      ...(ends.length > 1 ? [ends] : []),
    ],
    expose: {
      ...(from > 0 ? { left: `m${from}.left` } : {}),
      ...(to < row.length ? { right: `m${to - 1}.right` } : {}),
      ...(ends.length > 0 && offers ? { all: ends.at(-1)! } : {}),
    },
  };
}

const joint = (a: string, b: string): string[] => [`${a}.right`, `${b}.left`];

test('composed nets have the states of the product, in every order and nesting', { timeout: 300_000 }, () => {
  let [withDead, across] = [0, 0];
  fc.assert(
    fc.property(rows, fc.nat(100), (row, where) => {
      const all = row.map(moduleOf);
      const flat = connections(row, 0, all.length);
      const expected = product(row);
      if (expected[1] > 0) withDead++;
      expect(explored(compose(all, flat))).toEqual(expected);
      // Commutative.
      expect(explored(compose([...all].reverse(), { synchronise: [...flat.synchronise!].reverse() }))).toEqual(
        expected,
      );
      // Associative: the joints between two halves are offered by both.
      const at = 1 + (where % (all.length - 1));
      const left = compose(all.slice(0, at), { name: 'l', ...connections(row, 0, at) });
      const right = compose(all.slice(at), { name: 'r', ...connections(row, at, all.length) });
      const shared = [left, right].every((half) => half.transitions.some((t) => t.label?.name === 'all'));
      if (shared) across++;
      const synchronise = [joint('l', 'r'), ...(shared ? ['all'] : [])];
      expect(explored(compose([left, right], { synchronise }))).toEqual(expected);
      // Neutral element.
      expect(explored(compose([...all, net('empty')], flat))).toEqual(expected);
    }),
    { numRuns: effort(60) },
  );
  expect(withDead).toBeGreaterThan(0);
  expect(across).toBeGreaterThan(0);
});
