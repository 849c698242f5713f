import { expect, test, vi } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { structure } from '../../../src/commands/structure/structure.ts';
import { netOf, ring } from '../../analysis/structure/large-nets.ts';
import { philosophers } from '../../net/contest-nets.ts';

vi.mock('highs', () => {
  throw new Error('Cannot find package');
});

test('without the package highs everything else works, and the document says so', async () => {
  const { solver, proved, unreachable } = await structure(philosophers(4), {
    unreachable: ['tokens(Eat) >= 3', 'tokens(Eat[0], Eat[1]) >= 2'],
  });
  expect(solver).toBe('absent');
  expect(proved.every((p) => p.bound === 1)).toBe(true);
  expect(unreachable?.map((t) => t.unreachable)).toEqual([null, true]);
  expect(unreachable?.[0]?.because).toBe('not proved; the state equation was not solved');
});

test('targets and answers use the same names for tokens of one colour', async () => {
  const asked = ['Eat[0] >= 1 & Eat[1] >= 1', 'tokens(Eat[0]) >= 1 & tokens(Eat[1]) >= 1', 'Eat[0] >= 1'];
  const { unreachable } = await structure(philosophers(4), { unreachable: asked });
  expect(unreachable?.map((t) => t.unreachable)).toEqual([true, true, null]);
  expect(unreachable?.[0]).toEqual(unreachable?.[1]);
});

test('the solver is not loaded if no linear program is needed', async () => {
  expect((await structure(philosophers(4))).solver).toBe('not needed');
});

test.each([
  [{ sets: 0 }, 'STR001'],
  [{ unreachable: 'Eat >= 1' as unknown as string[] }, 'STR001'],
  [{ unreachable: [3 as unknown as string] }, 'STR002'],
  [{ unreachable: [{ op: 'EF', of: { op: 'dead' } }] as const }, 'STR002'],
  [{ unreachable: ['Eat >= 1) & (Eat'] }, 'PROP001'],
])('rejects %j', async (options, code) => {
  const problem = await structure(philosophers(2), options).catch((e: unknown) => e);
  expect(problem).toBeInstanceOf(InputError);
  expect((problem as InputError).problems[0]!.code).toBe(code);
});

test('a sum that bounds many places is written once if all of them would need many terms', async () => {
  const places = 900;
  const net = netOf(ring(2 * places));
  const { proved, sums } = await structure(net);
  const terms = proved.map(({ weights }) => Object.keys(weights ?? {}).length);
  expect(terms.reduce((a, b) => a + b)).toBeLessThanOrEqual(200_000 + 8 * places);
  expect(terms[0]).toBe(places);
  for (const { weights, sum, bound } of proved) {
    expect(bound).toBe(1);
    expect(Object.keys(weights ?? sums![sum!]!)).toHaveLength(places);
  }
  expect(sums).toHaveLength(1);
});
