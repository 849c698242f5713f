import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../effort.ts';
import { problemsOf } from '../support.ts';
import { type GridProgram, gridPrograms, linesOf, type Phase, scaledLines } from './grid-programs.ts';

const ranksOf = (grid: readonly number[]): number => grid.reduce((a, b) => a * b, 1);

describe('a scaled trace', () => {
  test('is the trace of the same program on the larger grid', () => {
    fc.assert(
      fc.property(gridPrograms, ({ grid, target, program }) => {
        const made = scaledLines(linesOf(program, grid), ranksOf(grid), ranksOf(target));
        expect(made.lines).toEqual(linesOf(program, target));
      }),
      { numRuns: effort(150) },
    );
  });

  test('is the recorded trace for the recorded number of ranks', () => {
    fc.assert(
      fc.property(gridPrograms, ({ grid, program }) => {
        const lines = linesOf(program, grid);
        expect(scaledLines(lines, ranksOf(grid), ranksOf(grid), 'strong').lines).toEqual(lines);
      }),
      { numRuns: effort(100) },
    );
  });

  test('has ranks between two ends that do what both do', () => {
    const phase: fc.Arbitrary<Phase> = fc.oneof(
      fc.record({
        kind: fc.constant('halo' as const),
        tagged: fc.constant(true),
        count: fc.integer({ min: 1, max: 9 }),
      }),
      fc.record({
        kind: fc.constant('sweep' as const),
        dimension: fc.constantFrom(0, 1),
        back: fc.boolean(),
        count: fc.constant(4),
      }),
      fc.constant({ kind: 'allreduce' as const, count: 1 }),
      fc.constant({ kind: 'compute' as const, flops: 77, edge: 0 }),
    );
    const halo = { kind: 'halo', tagged: true, count: 8 } as const;
    fc.assert(
      fc.property(fc.array(phase, { maxLength: 3 }), fc.constantFrom(2, 3), (phases, factor) => {
        // A phase without messages separates the sweeps of two phases.
        const separate = phases.flatMap((one): Phase[] => [one, { kind: 'barrier', count: 0 }]);
        const program: GridProgram = { around: [false, false], phases: [halo, ...separate], turns: 2 };
        const made = scaledLines(linesOf(program, [2, 2]), 4, 4 * factor * factor);
        expect(made.lines).toEqual(linesOf(program, [2 * factor, 2 * factor]));
        expect(made.remarks[1]).toContain('between the first and the last one');
      }),
      { numRuns: effort(100) },
    );
  });

  test('keeps the work of the program with strong scaling, and divides faces', () => {
    const program: GridProgram = {
      around: [false, false],
      phases: [
        { kind: 'halo', tagged: true, count: 600 },
        { kind: 'compute', flops: 36_000, edge: 0 },
        { kind: 'allgather', count: 90 },
        { kind: 'alltoall', total: 9 * 9 * 36 },
        { kind: 'bcast', count: 50 },
      ],
      turns: 1,
    };
    const { lines, remarks } = scaledLines(linesOf(program, [3, 3]), 9, 36, 'strong');
    const words = (name: string): string[] => [
      ...new Set(lines.filter((l) => l.includes(` ${name} `)).map((l) => l.split(' ').slice(2).join(' '))),
    ];
    // A quarter of the cells for each rank, and half of each side.
    expect(words('compute')).toEqual(['9000']);
    expect(new Set(words('isend').map((w) => w.split(' ')[2]))).toEqual(new Set(['300']));
    expect(words('allgather')).toEqual(['23 23 0 0']);
    expect(words('alltoall')).toEqual(['20 20 0 0']);
    expect(words('bcast')).toEqual(['50 0 0']);
    expect(remarks[0]).toBe(
      'strong scaling of 9 recorded ranks, 3 × 3, to 36, 6 × 6: flops of compute × 0.25, messages × 0.5, by their direction, the part of a rank in gather, scatter and allgather × 0.25, the part of a pair of ranks in alltoall × 0.0625, amounts of bcast, reduce, allreduce and scan × 1',
    );
  });

  test('has counts for each of its ranks in collectives with one for each', () => {
    const own = (rank: number): string[] => [
      `${rank} gatherv ${rank + 1} 1 2 3 0 0 0`,
      `${rank} alltoallv 6 ${rank === 0 ? '2 2 2' : '3 3 3'} 8 2 3 3 0 0`,
      `${rank} reducescatter 4 5 6 0 0`,
    ];
    const { lines } = scaledLines(
      [0, 1, 2].flatMap((rank) => [`${rank} init`, ...own(rank)]),
      3,
      6,
    );
    expect(lines.slice(0, 4)).toEqual([
      '0 init',
      '0 gatherv 1 1 1 2 2 3 3 0 0 0',
      '0 alltoallv 6 1 1 1 1 1 1 8 1 1 2 2 2 2 0 0',
      '0 reducescatter 4 4 5 5 6 6 0 0',
    ]);
  });
});

describe('a trace is not scaled', () => {
  const refused = (lines: readonly string[], from: number, to: number): string[] => {
    const { at, messages } = problemsOf(() => scaledLines(lines, from, to));
    return at.map((code, k) => `${code} ${messages[k]}`);
  };
  const row = (ranks: number, of: (rank: number) => readonly string[]): string[] =>
    Array.from({ length: ranks }, (_, rank) => of(rank).map((words) => `${rank} ${words}`)).flat();

  test.each([
    [
      'one rank serves all others',
      5,
      row(5, (r) => (r === 0 ? [1, 2, 3, 4].map((to) => `send ${to} 0 8`) : ['recv 0 0 8'])),
    ],
    [
      'partners differ in a bit of their number',
      8,
      row(8, (r) => [
        `sendRecv 8 ${r ^ 2} 8 ${r ^ 2}`,
        `sendRecv 8 ${r ^ 1} 8 ${r ^ 1}`,
        `sendRecv 8 ${r ^ 4} 8 ${r ^ 4}`,
      ]),
    ],
    ['its own messages do not match', 3, row(3, (r) => (r < 2 ? [`send ${r + 1} 0 8`] : []))],
    [
      'two ranks may be a row or a ring',
      2,
      row(2, (r) => (r === 0 ? ['send 1 0 8', 'recv 1 0 8'] : ['recv 0 0 8', 'send 0 0 8'])),
    ],
    [
      'ranks of the same place take different steps',
      6,
      row(6, (r) => [
        ...(r < 5 ? [`send ${r + 1} 0 8`] : []),
        ...(r === 2 ? ['sleep 1', 'sleep 1', 'barrier'] : ['barrier']),
        ...(r > 0 ? [`recv ${r - 1} 0 8`] : []),
      ]),
    ],
  ])('for this reason: %s', (_, ranks, lines) => {
    const [first, ...more] = refused(lines, ranks, 2 * ranks);
    expect(more).toEqual([]);
    expect(first).toMatch(/^TI060 cannot be scaled: /);
  });

  test('if the parity of places decides its order, and is not known', () => {
    const turns: Phase = { kind: 'turns', dimension: 0, count: 8 };
    const program: GridProgram = { around: [false], phases: [turns, { kind: 'barrier', count: 0 }], turns: 2 };
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 20 }), (from, to) => {
        const isKnown = from === to || (from > 3 && (to - from) % 2 === 0);
        if (isKnown) expect(scaledLines(linesOf(program, [from]), from, to).lines).toEqual(linesOf(program, [to]));
        else expect(refused(linesOf(program, [from]), from, to)[0]).toMatch(/^TI060 cannot be scaled: .* take turns/);
      }),
      { numRuns: effort(100) },
    );
  });

  test('if no grid of the same kind has as many ranks', () => {
    const program: GridProgram = {
      around: [false, false],
      phases: [{ kind: 'halo', tagged: true, count: 8 }],
      turns: 1,
    };
    expect(refused(linesOf(program, [4, 4]), 16, 17)).toEqual([
      'TI061 17 ranks: its ranks stand in a grid of 4 × 4, and 17 ranks form none with as many dimensions; try 32 or 64',
    ]);
  });

  test('if its result would be too large', () => {
    const long = row(3, () => Array.from({ length: 40_000 }, () => 'compute 1'));
    expect(refused(long, 3, 250_000)[0]).toMatch(/^TI062 the trace of 250000 ranks would have about 1\.0e\+10 lines/);
  });
});
