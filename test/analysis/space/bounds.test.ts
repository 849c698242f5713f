import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupIndices, largestSums, parseGroups } from '../../../src/analysis/space/bounds.ts';
import { InputError } from '../../../src/base/problem.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { tables } from './random-table.ts';
import { tableSpace } from './table-space.ts';

function netOf(...names: string[]) {
  const n = new NetBuilder('names');
  for (const name of names) n.place(name, {});
  return n.build();
}

function problem(run: () => unknown): string {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.message;
    throw e;
  }
  return 'none';
}

describe('largest sums', () => {
  test('are maxima over all states', () => {
    fc.assert(
      fc.property(tables, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (table, picks) => {
        const places = table.tokens[0]!.length;
        const groups = [[...new Set(picks.map((p) => p % places))], [0]];
        const sums = groups.map((g) => Math.max(...table.tokens.map((row) => g.reduce((sum, p) => sum + row[p]!, 0))));
        expect(largestSums(tableSpace(table), groups)).toEqual(sums);
      }),
    );
  });

  test('are empty without groups, and undefined if stopped', () => {
    const space = tableSpace({ transitions: 0, tokens: [[3]], firings: [[]] });
    expect(largestSums(space, [])).toEqual([]);
    expect(largestSums(space, [[0]], () => true)).toBeUndefined();
  });
});

describe('groups of places', () => {
  const net = netOf('a', 'b', 'a,b', 'with blank', 'f(x,y,z)');

  test.each([
    ['a,b;b', [[0, 1], [1]]],
    [' a , b ; with blank', [[0, 1], [3]]],
    ['a,a', [[0]]],
    ['f(x,y,z),a', [[4, 0]]],
  ])('the groups %j are parsed', (text, groups) => {
    expect(parseGroups(text, net)).toEqual(groups);
  });

  test('unknown places are reported with the nearest name', () => {
    const nearest = 'EXPL001 group 2: the net has no place "withblank". Did you mean "with blank"?';
    expect(problem(() => parseGroups('a;withblank', net))).toContain(nearest);
    expect(problem(() => groupIndices(net, [['a', 'q']]))).toContain('EXPL001 group 1: the net has no place "q".');
  });

  test.each(['', ';a', 'a;;b', ' , '])('empty groups are rejected: %j', (text) => {
    expect(problem(() => parseGroups(text, net))).toMatch(/^EXPL002 group \d/);
  });
});
