import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import { cluster } from '../../src/machine/cluster.ts';
import { type PlacementList, placeByList } from '../../src/machine/placement.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';

const link = { latency: 0, bandwidth: 1 } as const;
const groups = [
  { name: 'thin', nodes: 2 },
  { name: 'fat', nodes: 2 },
];
const platform = machinePlatform(cluster({ coresPerNode: 4, speed: 1, link, groups, eagerBelow: 0 }));

function problems(ranks: number, list: unknown): string[] {
  try {
    placeByList(platform, ranks, list as PlacementList);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem);
  }
  return [];
}

describe('ranks are placed by a list', () => {
  it('of numbers, of names, or of both', () => {
    expect([...placeByList(platform, 4, [0, 0, 3, 1])]).toEqual([0, 0, 3, 1]);
    expect([...placeByList(platform, 3, ['fat1', 'thin0', 2])]).toEqual([3, 0, 2]);
  });

  it.each<[string, number, unknown, string[]]>([
    ['too short', 4, [0, 0, 1], ['MACH024 the placement has 3 entries for 4 ranks']],
    ['too long, and wrong', 1, [7, 0], ['MACH024 the placement has 2 entries for 1 ranks', 'MACH025']],
    [
      'of names misspelt',
      2,
      ['thin0', 'fatt1'],
      ['MACH025 placement of rank 1: unknown host "fatt1" on platform cluster. Did you mean "fat1"? Known: thin0'],
    ],
    [
      'of invalid node numbers',
      5,
      [4, -1, 0.5, Number.NaN, undefined],
      [
        'MACH025 placement of rank 0: expected the name of a node or its number from 0 to 3, got 4',
        'got -1',
        'got 0.5',
        'got NaN',
        'got nothing',
      ],
    ],
  ])('%s: rejected', (_, ranks, list, expected) => {
    const found = problems(ranks, list);
    expect(found).toHaveLength(expected.length);
    for (const [k, part] of expected.entries()) expect(found[k]).toContain(part);
  });

  it('with many mistakes reports a hundred', () => expect(problems(1000, Array(1000).fill('x'))).toHaveLength(100));
});

describe('ranks are placed by a function', () => {
  it('of the rank and their number', () => {
    expect([...placeByList(platform, 6, (rank, ranks) => Math.floor((4 * rank) / ranks))]).toEqual([0, 0, 1, 2, 2, 3]);
    expect([...placeByList(platform, 3, (rank) => (rank === 1 ? 'fat0' : 'thin1'))]).toEqual([1, 2, 1]);
  });

  it('called once for each rank, in order', () => {
    const calls: number[][] = [];
    placeByList(platform, 3, (...call) => {
      calls.push(call);
      return 0;
    });
    expect(calls).toEqual([
      [0, 3],
      [1, 3],
      [2, 3],
    ]);
  });

  it('rejected if it names no node', () => {
    expect(problems(2, async () => 0)[0]).toContain('MACH025 placement of rank 0: expected the name');
    expect(problems(2, (rank: number) => rank / 2)).toHaveLength(1);
  });

  it('as by the list of its results', () => {
    const node = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('thin0', 'thin1', 'fat0', 'fat1'));
    fc.assert(
      fc.property(fc.array(node), (list) => {
        expect(placeByList(platform, list.length, (rank) => list[rank]!)).toEqual(
          placeByList(platform, list.length, list),
        );
      }),
    );
  });
});
