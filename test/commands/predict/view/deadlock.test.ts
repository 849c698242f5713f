import { describe, expect, it } from 'vitest';
import type { BlockedRank } from '../../../../src/commands/inputs/document-parts.ts';
import { deadlockSection } from '../../../../src/commands/predict/view/deadlock.ts';
import { misfit } from '../../../../src/commands/predict/view/misfit.ts';
import { styleOf } from '../../../../src/report/style.ts';
import { deadlocked } from '../../../report/documents.ts';
import { predicted } from '../../../report/models.ts';

const stuck = (rank: number, operation: string, line: number, waitsFor: number[] | null): BlockedRank => ({
  rank,
  operation,
  file: '/home/a/model.ts',
  line,
  waitsFor,
  since: 1,
});
const at = (operation: string, line: number, ranks: number[]) => ({
  operation,
  file: '/home/a/model.ts',
  line,
  ranks,
});

describe('mismatched calls', () => {
  it('are found in a cycle of ranks in different collectives, with all ranks stuck there', () => {
    const cycle = [
      stuck(0, 'barrier', 3, [2]),
      stuck(1, 'barrier', 3, [0]),
      stuck(2, 'allreduce in check', 5, [0]),
      stuck(3, 'recv', 9, [2]),
    ];
    expect(misfit(cycle)).toEqual([at('barrier', 3, [0, 1]), at('allreduce', 5, [2])]);
  });

  it('include two calls of one collective on two lines', () => {
    expect(misfit([stuck(0, 'bcast', 3, [1]), stuck(1, 'bcast', 5, [0])])).toHaveLength(2);
  });

  it('are not reported if the ranks are at the same call', () => {
    expect(misfit([stuck(0, 'barrier', 3, [1]), stuck(1, 'barrier', 3, [2])])).toBeUndefined();
  });

  it('are not reported if another operation blocks ranks before the call', () => {
    const held = [stuck(0, 'allreduce', 5, [1]), stuck(1, 'bcast', 3, [2]), stuck(2, 'recv', 1, [7])];
    expect(misfit(held)).toBeUndefined();
  });

  it('are reported with both lines and their ranks', () => {
    const page = deadlockSection(predicted['disagreeing']!(), styleOf({ width: 200, colour: false, unicode: false }));
    expect(page.join('\n')).toMatch(
      /their calls do not match: barrier \(models\.ts:\d+, ranks 0,1\) and allreduce \(models\.ts:\d+, ranks 2,3\)/,
    );
  });
});

describe('many blocked ranks of a model', () => {
  const style = styleOf({ width: 200, colour: false, unicode: false });
  const told = (deadlock: BlockedRank[]): string[] =>
    deadlockSection({ ...deadlocked, options: { model: 'a' }, deadlock }, style);
  const ranks = (count: number, from: number): number[] => Array.from({ length: count }, (_, k) => from + k);

  it('are grouped by source line', () => {
    const deadlock = [
      ...ranks(9, 4).map((r) => stuck(r, 'barrier', 5, [3])),
      ...ranks(2, 1).map((r) => stuck(r, 'recv', 7, null)),
      { ...stuck(0, 'wait', 8, [0]), since: 0.5 },
    ];
    expect(told(deadlock).slice(-3)).toEqual([
      '  ranks 4-12: barrier, model.ts:5, wait for rank 3 (which has ended), since 1.000 s',
      '  ranks 1,2: recv, model.ts:7, wait for any rank, since 1.000 s',
      '  rank 0: wait, model.ts:8, waits for itself, since 500.0 ms',
    ]);
  });

  it('wait for others and each other, since different times', () => {
    const deadlock = ranks(9, 0).map((r) => ({ ...stuck(r, 'barrier', 5, r === 0 ? [1] : [30, 31]), since: 1 + r }));
    expect(told(deadlock).at(-1)).toBe(
      '  ranks 0-8: barrier, model.ts:5, wait for ranks 30,31 and each other, since 1.000 s to 9.000 s',
    );
  });

  it('take at most six lines', () => {
    const lines = told(ranks(50, 0).map((r) => stuck(r, 'recv', r, [60])));
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe('  and 44 more ranks, --json lists all');
  });
});

it('a trace is shown with its path, a model with its file name', () => {
  const style = styleOf({ width: 200, colour: false, unicode: false });
  const document = { ...deadlocked, deadlock: [stuck(0, 'recv', 3, [1])] };
  expect(deadlockSection(document, style).join()).toContain('recv, /home/a/model.ts:3, waits for rank 1');
  const model = { ...document, options: { ...document.options, model: 'a' } };
  expect(deadlockSection(model, style).join()).toContain('recv, model.ts:3, waits for rank 1');
});
