import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { type GridProgram, linesOf } from '../../trace/scale/grid-programs.ts';
import { folder, problemsOf } from '../../trace/support.ts';

const PROGRAM: GridProgram = {
  around: [false, false],
  phases: [
    { kind: 'halo', tagged: true, count: 3000 },
    { kind: 'compute', flops: 900_000, edge: 0 },
    { kind: 'allreduce', count: 2 },
  ],
  turns: 3,
};
const files = folder({
  'small.ti': `${linesOf(PROGRAM, [3, 3]).join('\n')}\n`,
  'large.ti': `${linesOf(PROGRAM, [6, 6]).join('\n')}\n`,
  'stuck.ti': '0 send 1 0 100000\n1 send 2 0 100000\n2 send 0 0 100000\n0 recv 2 0 8\n1 recv 0 0 8\n2 recv 1 0 8\n',
  'machine.yaml':
    'nodes: 64\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 2us, bandwidth: 1GB/s }\nintraNode: { latency: 1us, bandwidth: 5GB/s }\neagerBelow: 64KiB\n',
});
afterAll(files.remove);
const small = files.path('small.ti');
const machine = files.path('machine.yaml');

describe('predict of a scaled trace', () => {
  test('has the figures of the larger trace, and a note with the law', () => {
    const scaled = predict(small, { machine, ranks: 36, scale: 'weak' });
    const larger = predict(files.path('large.ti'), { machine });
    expect(scaled.figures).toEqual(larger.figures);
    expect(scaled.ranks).toEqual(larger.ranks);
    expect(scaled.options).toMatchObject({ ranks: 36, scale: 'weak' });
    expect(scaled.inputs.trace?.path).toContain('small.ti');
    expect(scaled.notes?.map(({ code }) => code)).toContain('TI063');
  });

  test('names recorded lines where ranks are blocked', () => {
    const { deadlock } = predict(files.path('stuck.ti'), {
      machine,
      ranks: 6,
      scale: 'weak',
      networkModel: 'simgrid-rendezvous',
    });
    expect(deadlock.map(({ rank, operation, line }) => [rank, operation, line])).toEqual([
      [0, 'send 1 0 100000', 1],
      [1, 'send 2 0 100000', 2],
      [2, 'send 3 0 100000', 2],
      [3, 'send 4 0 100000', 2],
      [4, 'send 5 0 100000', 2],
      [5, 'send 0 0 100000', 3],
    ]);
  });

  test('is repeated from its document', () => {
    const document = predict(small, { machine, ranks: 18, scale: 'strong' });
    const { input, options } = rerunOf(document, 'result.json');
    expect(predict(input, options as never).figures).toEqual(document.figures);
  });

  test.each([
    [{ scale: 'weak' }, 'TI061 a scaled trace needs its number of ranks: give --ranks'],
    [{ scale: 'wide', ranks: 18 }, 'TI061 scale: expected weak or strong, got wide'],
    [{ scale: 'weak', ranks: 19 }, 'TI061 19 ranks: its ranks stand in a grid of 3 × 3'],
  ])('refuses %j', (options, expected) => {
    const { at, messages } = problemsOf(() => predict(small, { machine, ...options } as never));
    expect(`${at[0]} ${messages[0]}`.startsWith(expected), messages[0]).toBe(true);
  });
});

describe('whatif of a scaled trace', () => {
  test('varies ranks, with the laws of this kind of scaling', async () => {
    const study = await whatif(small, { machine, scale: 'weak', vary: { ranks: [9, 18, 36] } });
    const larger = predict(files.path('large.ti'), { machine });
    expect(study.scenarios.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(study.scenarios[2]!.figures!['runTime']!.value).toBe(larger.figures.runTime.value);
    expect(study.options).toMatchObject({ scale: 'weak', scaling: 'weak' });
    expect(study.scaling[0]!.points.map(({ ranks }) => ranks)).toEqual([9, 18, 36]);
  });

  test('refuses ranks of a trace that is not scaled, and scaling beside scale', async () => {
    await expect(whatif(small, { machine, vary: { ranks: [9, 18] } } as never)).rejects.toThrow(
      /WHAT007.*--scale weak or strong/s,
    );
    await expect(
      whatif(small, { machine, scale: 'weak', scaling: 'strong', vary: { ranks: [9, 18] } } as never),
    ).rejects.toThrow(/APP004/);
  });
});
