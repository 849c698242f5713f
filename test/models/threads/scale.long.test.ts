import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { PendingStrands } from '../../../src/models/threads/program/pending-strands.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';

const machine = (cores: number): Parameters<typeof threadNet>[1] => ({ speed: 1e9, cores, costs: NO_COSTS });

test('strands wait in order, each with the numbers of its job, whatever is written meanwhile', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ width: fc.nat({ max: 4 }), count: fc.integer({ min: 1, max: 6000 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
      (batches) => {
        const pending = new PendingStrands();
        const written: string[] = [];
        const wanted: string[] = [];
        let next = 0;
        const add = (width: number): void => {
          const strand = next++;
          const numbers = Array.from({ length: width }, (_, k) => strand + k / 8);
          wanted.push(`${strand}: ${numbers.join()}`);
          pending.add({ width, write: (s, own) => written.push(`${s}: ${own.join()}`) }, strand, numbers);
        };
        for (const { width, count } of batches) {
          for (let k = 0; k < count; k++) add(width);
          for (let k = 0; k < count / 2; k++) pending.writeFirst();
        }
        while (!pending.isEmpty) pending.writeFirst();
        expect(written).toEqual(wanted);
      },
    ),
    { numRuns: effort(30) },
  );
});

test('100,000 tasks that spawn each other', () => {
  const depth = 100_000;
  const model = threads({
    name: 'depth',
    build(t) {
      t.task('down', { n: 0 }, (b) => {
        b.when(
          ({ n }) => n > 1,
          () => {
            b.spawn('down', { n: ({ n }) => n - 1 });
            b.sync();
          },
        );
        b.compute({ seconds: 2 ** -10 });
      });
      t.spawn('down', { n: depth });
      t.sync();
    },
  });
  const program = model.program(1);
  expect(program.strands.count).toBe(depth + 1);
  const { ended, time } = runThreads(threadNet(program, machine(1), { scheduler: 'stealing' }));
  // Each task computes after the one below it. The amounts are exact in binary.
  expect([ended, time]).toEqual([true, depth * 2 ** -10]);
});
