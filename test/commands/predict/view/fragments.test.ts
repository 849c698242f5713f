import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ranges } from '../../../../src/base/listing.ts';
import { binned, fragmentLines } from '../../../../src/commands/predict/view/fragments.ts';
import { styleOf } from '../../../../src/report/style.ts';
import { documentOf } from '../../../report/documents.ts';

describe('ranges', () => {
  it('join neighbours', () => {
    expect(ranges([])).toBe('');
    expect(ranges([5])).toBe('5');
    expect(ranges([0, 1, 2, 3, 7])).toBe('0-3,7');
    expect(ranges([0, 2, 3, 5])).toBe('0,2,3,5');
  });

  it('can be read back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 40 })), (numbers) => {
        const ascending = numbers.sort((a, b) => a - b);
        const parts = ranges(ascending)
          .split(',')
          .filter((part) => part !== '');
        const back = parts.flatMap((part) => {
          const [from, to = from] = part.split('-').map(Number);
          return Array.from({ length: to! - from! + 1 }, (_, k) => from! + k);
        });
        expect(back).toEqual(ascending);
      }),
    );
  });
});

describe('bins of fragment sizes', () => {
  it('are the sizes if there are few', () => {
    expect(binned([0.5, 0.25, 0.25], 6).map(({ from, to }) => [from, to])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ]);
  });

  it('keep the smallest and the largest size separate if there are many', () => {
    const bins = binned(new Array<number>(17).fill(1 / 17), 6);
    expect(bins.map(({ from, to }) => [from, to])).toEqual([
      [0, 0],
      [1, 4],
      [5, 8],
      [9, 12],
      [13, 15],
      [16, 16],
    ]);
    expect(bins[1]!.share).toBeCloseTo(4 / 17, 12);
  });

  it('do not exceed the requested number and contain every size once', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3000 }), fc.integer({ min: 3, max: 8 }), (most, columns) => {
        const bins = binned(new Array<number>(most + 1).fill(1), columns);
        expect(bins.length).toBeLessThanOrEqual(columns);
        expect(bins.reduce((sum, { share }) => sum + share, 0)).toBe(most + 1);
      }),
    );
  });
});

describe('fragments', () => {
  const style = styleOf({ width: 60, colour: false, unicode: false });
  const fragments = (longest: { size: number; share: number; processes: number[] }[], complete = true): string =>
    fragmentLines(
      {
        ...documentOf(1, new Array(100).fill([1, 0, 0, 0])),
        fragments: { count: 3, complete, shareBySize: [0.1, 0.9], longest },
      },
      style,
    ).join('\n');

  it('are named by ranges of ranks', () => {
    expect(fragments([{ size: 5, share: 0.5, processes: [0, 1, 2, 3, 7] }])).toContain('50 %  ranks 0-3,7');
    expect(fragments([{ size: 0, share: 0.5, processes: [] }])).toContain('50 %  no rank');
  });

  it('give the number of ranks if not all are named', () => {
    const processes = Array.from({ length: 64 }, (_, k) => k);
    expect(fragments([{ size: 80, share: 0.5, processes }])).toContain('ranks 0-63,.. (80 ranks)');
  });

  it('report if the count is incomplete', () => {
    expect(fragments([], false)).toMatch(/^Fragments: at least 3 sets/);
  });
});
