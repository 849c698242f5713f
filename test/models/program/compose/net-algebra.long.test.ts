import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { compose } from '../../../../src/models.ts';
import type { Net } from '../../../../src/net/net.ts';
import { effort } from '../../../effort.ts';
import { label, net, num, place, put, take, transition } from '../../../net/merge-nets.ts';

/** An automaton: a step from one of its states to another one, alone or together with the neighbour. */
interface Step {
  readonly from: number;
  readonly to: number;
  /** `left` and `right` fire together with a step of that neighbour. */
  readonly with: 'alone' | 'left' | 'right';
}
const STATES = 3;
const steps = fc.array(
  fc.record({
    from: fc.nat(STATES - 1),
    to: fc.nat(STATES - 1),
    with: fc.constantFrom('alone' as const, 'left' as const, 'right' as const),
  }),
  { minLength: 2, maxLength: 5 },
);
/** In a row: the first has no left neighbour and the last no right one; the others offer both labels. */
const rows = fc
  .array(steps, { minLength: 3, maxLength: 4 })
  .map((row) =>
    row.map((own, k): readonly Step[] => [
      ...own.filter((s) => !(k === 0 && s.with === 'left') && !(k === row.length - 1 && s.with === 'right')),
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

const joint = (a: string, b: string): string[] => [`${a}.right`, `${b}.left`];

test('composed nets have the states of the product, in every order and nesting', { timeout: 300_000 }, () => {
  let withDead = 0;
  fc.assert(
    fc.property(rows, fc.nat(100), (row, where) => {
      const all = row.map(moduleOf);
      const joints = all.slice(1).map((_, k) => joint(`m${k}`, `m${k + 1}`));
      const expected = product(row);
      if (expected[1] > 0) withDead++;
      expect(explored(compose(all, { synchronise: joints }))).toEqual(expected);
      // Commutative.
      expect(explored(compose([...all].reverse(), { synchronise: [...joints].reverse() }))).toEqual(expected);
      // Associative: the joint between two halves is offered by both.
      const at = 1 + (where % (all.length - 1));
      const left = compose(all.slice(0, at), {
        name: 'l',
        synchronise: joints.slice(0, at - 1),
        expose: { right: `m${at - 1}.right` },
      });
      const right = compose(all.slice(at), {
        name: 'r',
        synchronise: joints.slice(at),
        expose: { left: `m${at}.left` },
      });
      expect(explored(compose([left, right], { synchronise: [joint('l', 'r')] }))).toEqual(expected);
      // Neutral element.
      expect(explored(compose([...all, net('empty')], { synchronise: joints }))).toEqual(expected);
    }),
    { numRuns: effort(60) },
  );
  expect(withDead).toBeGreaterThan(0);
});
