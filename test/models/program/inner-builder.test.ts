import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { counter, spmd } from '../../../src/models.ts';

const machine = cluster({
  ...{ name: 'nodes', nodes: 4, coresPerNode: 4, speed: '1Gf', eagerBelow: 0 },
  link: { latency: '1us', bandwidth: '1GB/s' },
});

const nothing = (): void => undefined;

/** Every statement of `m`, with arguments. */
const STATEMENTS: readonly (readonly [name: string, ...args: unknown[]])[] = [
  ['compute', { seconds: 1 }],
  ['sleep', 1],
  ['readFile', { bytes: 1 }],
  ['writeFile', { bytes: 1 }],
  ['threads', { workers: 1 }, nothing],
  ['let', 'k', 1],
  ['when', () => true, nothing],
  ['chance', 0.5, nothing],
  ['loop', 'k', 2, nothing],
  ['while', () => false, nothing],
  ['repeat', 0.5, nothing],
  ['interval', 'i', nothing],
  ['send', { to: 1, bytes: 8 }],
  ['recv', { from: 1 }],
  ['isend', { to: 1, bytes: 8 }],
  ['irecv', { from: 1 }],
  ['sendrecv', { to: 1, from: 1, bytes: 8 }],
  ['sendInit', { to: 1, bytes: 8 }],
  ['recvInit', { from: 1 }],
  ['barrier'],
  ['bcast', { bytes: 8 }],
  ['allreduce', { bytes: 8 }],
  ['ibarrier'],
  ['split', { color: 0 }],
];

const problemOf = (run: () => unknown): InputError['problems'][number] => {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.problems[0]!;
    throw e;
  }
  throw new Error('no error');
};

test.each(STATEMENTS)('m.%s inside m.threads is refused with its line', (...statement) => {
  const model = spmd({
    name: 'inner',
    vars: { k: counter() },
    build(m) {
      const statements = m as unknown as Record<string, (...args: unknown[]) => unknown>;
      m.threads({ workers: 2 }, (t) => {
        t.parallel(2, () => {
          t.compute({ seconds: 1 });
          const [name, ...args] = statement as [string, ...unknown[]];
          statements[name]!(...args);
        });
      });
    },
  });
  const { code, message, place } = problemOf(() => predict(model, { machine, ranks: 2 }));
  expect([code, message]).toEqual(['MODEL034', expect.stringContaining('in the block of m.threads')]);
  expect(place).toMatchObject({ file: expect.stringContaining('inner-builder.test.ts'), line: expect.any(Number) });
});

test('after the block, and after a block that has failed, statements are recorded again', () => {
  const model = spmd({
    name: 'after',
    build(m) {
      try {
        m.threads({ workers: 2 }, () => {
          throw new Error('no');
        });
      } catch {
        // The block is left out.
      }
      m.threads({ workers: 2 }, (t) => t.parallel(2, () => t.compute({ seconds: 1 })));
      m.compute({ seconds: 1 });
    },
  });
  expect(predict(model, { machine, ranks: 2 }).figures.runTime.value).toBeGreaterThan(2);
});
