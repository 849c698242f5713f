import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { CollectiveFigures } from '../../../../src/commands/predict/prediction.ts';
import { renderPrediction } from '../../../../src/commands/predict/view/terminal.ts';
import { COLLECTIVES } from '../../../../src/models/collectives/choice.ts';
import type { Collective } from '../../../../src/trace/collective.ts';
import { effort } from '../../../effort.ts';
import { callsItself } from '../../../models/collectives/calls-itself.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-collectives-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** A trace whose ranks all have the same lines, or lines of their number. */
function trace(name: string, ranks: number, lines: readonly string[] | ((rank: number) => readonly string[])): string {
  const path = join(dir, `${name}.ti`);
  const of = typeof lines === 'function' ? lines : () => lines;
  const text = Array.from({ length: ranks }, (_, r) => ['init', ...of(r), 'finalize'].map((line) => `${r} ${line}\n`));
  writeFileSync(path, text.flat().join(''));
  return path;
}

const machine = 'simgrid-fat-tree';
const taken = (path: string, collectives: string): CollectiveFigures =>
  predict(path, { machine, collectives }).collectives![0]!;

/** A line of n elements of 8 bytes, which is MPI_DOUBLE with SimGrid's number 0; without a type for barriers. */
const LINES: Readonly<Record<string, (n: number, ranks: number) => string>> = {
  barrier: () => 'barrier',
  bcast: (n) => `bcast ${n} 0 0`,
  reduce: (n) => `reduce ${n} 1000 0 0`,
  allreduce: (n) => `allreduce ${n} 1000 0`,
  gather: (n) => `gather ${n} ${n} 0 0 0`,
  scatter: (n) => `scatter ${n} ${n} 0 0 0`,
  allgather: (n) => `allgather ${n} ${n} 0 0`,
  alltoall: (n) => `alltoall ${n} ${n} 0 0`,
  allgatherv: (n, ranks) => `allgatherv ${n} ${Array(ranks).fill(n).join(' ')} 0 0`,
  reducescatter: (n, ranks) => `reducescatter ${Array(ranks).fill(n).join(' ')} 1000 0`,
};

describe('the algorithms of the largest calls', () => {
  test('a call takes as long by the name of its algorithm as by the selector', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...COLLECTIVES),
        fc.constantFrom(...Object.keys(LINES)),
        fc.integer({ min: 2, max: 16 }),
        fc.oneof(fc.nat(100), fc.nat(5000), fc.nat(200_000)),
        (collectives, operation, ranks, elements) => {
          const path = trace('random', ranks, [LINES[operation]!(elements, ranks)]);
          const by = predict(path, { machine, collectives });
          expect(by.collectives).toHaveLength(1);
          const { option, ...figures } = by.collectives![0]!;
          expect(figures).toMatchObject({ operation, ranks, calls: 1, selector: collectives });
          const named = predict(path, { machine, collectives: `${collectives},${option!}` });
          const size = { bytes: 8 * elements, elementBytes: 8, flops: 1000 };
          const call: Collective =
            operation === 'bcast' ? { ...size, kind: operation, root: 0 } : { ...size, kind: 'allreduce' };
          // Operations whose algorithms may call themselves: a name applies to the inner call, too.
          const splits = operation === call.kind && callsItself(call, 0, ranks, collectives);
          expect(named.collectives![0]).toMatchObject({ algorithm: figures.algorithm });
          if (splits) return;
          expect(named.figures.runTime).toEqual(by.figures.runTime);
          expect(named.collectives![0]).toMatchObject({ bytes: figures.bytes });
        },
      ),
      { numRuns: effort(300) },
    );
  });

  test('groups by operation, algorithm and size; bytes are those of the messages, their share that of all', () => {
    const path = trace('groups', 4, (r) => [
      'allreduce 1 0 0',
      ...Array<string>(3).fill('bcast 1000 0 0'),
      'bcast 1001 0 0',
      'bcast 100000 0 0',
      ...(r === 0 ? ['send 1 0 1200 0'] : r === 1 ? ['recv 0 0 1200 0'] : []),
      'barrier',
    ]);
    const { collectives } = predict(path, { machine, collectives: 'simgrid' });
    // A bcast on 4 ranks takes three messages; SimGrid's allreduce is a reduce, three messages to rank 0, and a bcast.
    const bytes = [3 * 8e5, 3 * (3 * 8000 + 8008), 6 * 8];
    const all = bytes.reduce((a, b) => a + b, 0) + 9600;
    expect(collectives?.map((c) => [c.operation, c.calls, c.minimum.value, c.maximum.value, c.bytes.value])).toEqual([
      ['bcast', 1, 8e5, 8e5, bytes[0]],
      ['bcast', 4, 8000, 8008, bytes[1]],
      ['allreduce', 1, 8, 8, bytes[2]],
      ['barrier', 1, 0, 0, 0],
    ]);
    expect(collectives?.map(({ share }) => share)).toEqual([...bytes.map((b) => b / all), 0]);
  });

  test('at most five groups; several programs have their own', () => {
    const many = trace(
      'many',
      2,
      [1, 10, 100, 1000, 10_000, 100_000].map((n) => `bcast ${n} 0 0`),
    );
    const figures = predict(many, { machine }).collectives!;
    expect(figures.map(({ maximum }) => maximum.value)).toEqual([800_000, 80_000, 8000, 800, 80]);
    const one = trace('one', 3, ['alltoall 1000 1000 0 0']);
    const two = trace('two', 2, ['allgather 500 500 0 0']);
    const both = predict(one, { machine, otherPrograms: [two] }).collectives!;
    expect(both.map(({ job, operation, ranks, calls }) => [job, operation, ranks, calls])).toEqual([
      ['one', 'alltoall', 3, 1],
      ['two', 'allgather', 2, 1],
    ]);
  });

  test('traces without collectives have none; non-blocking calls have no choice', () => {
    expect(predict(trace('none', 2, ['compute 1e6']), { machine }).collectives).toBeUndefined();
    const path = trace('nonblocking', 4, ['iallreduce 1000 0 0', 'wait 0 0 -4446']);
    expect(taken(path, 'ompi')).toMatchObject({ operation: 'iallreduce', algorithm: 'posted', selector: 'simgrid' });
    expect(taken(path, 'ompi').option).toBeUndefined();
  });

  test('the page lists groups with at least 1 % of all bytes', () => {
    const path = trace('page', 4, ['allreduce 100000 0 0', 'bcast 10 0 0', 'barrier']);
    const shown = (collectives: string): string[] => {
      const lines = renderPrediction(predict(path, { machine, collectives }), {
        width: 100,
        colour: false,
        unicode: true,
      }).split('\n');
      const at = lines.findIndex((line) => line.startsWith('Collectives'));
      return at < 0 ? [] : lines.slice(at + 1, lines.indexOf('', at));
    };
    expect(shown('ompi')).toEqual([
      'operation  algorithm  by    size    ranks  calls  of all bytes',
      'allreduce  rab_rdb    ompi  800 kB      4      1         100 %',
    ]);
    expect(shown('ompi,allreduce=rdb').at(-1)).toMatch(/^allreduce {2}rdb +name /);
  });
});
