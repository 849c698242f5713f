import { describe, expect, it } from 'vitest';
import { membersOf } from '../../src/page/parts/members.ts';

const shown = (document: Record<string, unknown>) => {
  const { groups, listings } = membersOf(document);
  return {
    groups: Object.fromEntries(
      groups.map(({ name, cells }) => [
        name,
        Object.fromEntries([...cells].map(([label, { value, unit }]) => [label, [value, unit]])),
      ]),
    ),
    tables: Object.fromEntries(
      listings.map(({ name, columns, rows, more }) => [
        name,
        [
          columns,
          ...rows.map((row) => columns.map((column) => row.get(column)?.value ?? '–')),
          ...(more > 0 ? [more] : []),
        ],
      ]),
    ),
  };
};

describe('the members of a document that a page shows', () => {
  it('have labels and units, and leave out what is absent', () => {
    const { groups } = shown({
      complete: true,
      solver: null,
      figures: { runTime: { value: null, unit: 's' }, states: { value: 7, unit: '1', lower: 6 } },
      runTime: { mean: 0.5, halfWidth: null, lower: null, upper: null, certainty: 0, because: 'the same in every run' },
      replications: { seconds: [0.001, 0.00123456789], shareBySize: [1 / 3] },
    });
    expect(groups).toEqual({
      '': { Complete: ['yes', ''], 'Run time': [null, 's'], States: [7, '1'], 'States, lower end': [6, '1'] },
      'Run time': { Mean: [0.5, 's'], Reason: ['the same in every run', ''] },
      Replications: {
        Time: ['1.000 ms, 1.235 ms', ''],
        'Share of the run time by number of active processes': ['33 %', ''],
      },
    });
  });

  it('are one table of verdicts and reasons', () => {
    expect(
      shown({ verdicts: { oneSafe: true, live: null }, because: { oneSafe: 'bounded', live: 'a limit' } }).tables,
    ).toEqual({
      Verdicts: [
        ['Name', 'Verdicts', 'Reason'],
        ['One-safe', 'yes', 'bounded'],
        ['Live', 'not known', 'a limit'],
      ],
    });
  });

  it('have a table for the lists inside rows, which names the row', () => {
    const properties = [{ id: 'deadlock-free', verdict: false }];
    const { tables } = shown({
      instances: [
        { ranks: 2, sends: 'eager', parameters: { 'my.size': 3 }, properties },
        { ranks: 2, sends: 'rendezvous', parameters: { 'my.size': 3 }, properties },
      ],
    });
    expect(tables).toEqual({
      Instances: [
        ['Ranks', 'Sends', 'my.size'],
        [2, 'eager', 3],
        [2, 'rendezvous', 3],
      ],
      'Instances, properties': [
        ['Of', 'Property', 'Verdict'],
        ['eager', 'deadlock-free', 'violated'],
        ['rendezvous', 'deadlock-free', 'violated'],
      ],
    });
  });

  it('have names that differ from row to row in one cell, and say how many columns are left out', () => {
    const many = Object.fromEntries(Array.from({ length: 43 }, (_, k) => [`member${k}`, k]));
    const { tables } = shown({ siphons: [{ weights: { p: 1, q: 2 } }, { weights: { r: 1 } }], rows: [many] });
    expect(tables['Siphons']).toEqual([['Weights'], ['p 1, q 2'], ['r 1']]);
    expect(tables['Rows']!.at(-1)).toBe(3);
  });
});
