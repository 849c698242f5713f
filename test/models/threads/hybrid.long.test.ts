import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import type { SchedulerName } from '../../../src/models/threads/net/thread-net.ts';
import type { ThreadBuilder } from '../../../src/models/threads/program/builder-types.ts';
import { counter, spmd, threads } from '../../../src/models.ts';

const machine = cluster({
  nodes: 2,
  coresPerNode: 4,
  speed: 1e9,
  link: { latency: 1e-6, bandwidth: 1e10 },
  eagerBelow: 65536,
});

/** A model that executes a region of two threads `n` times in every rank. */
const repeated = (
  n: number,
  region: (t: ThreadBuilder<Record<never, never>, string>) => void,
  scheduler: SchedulerName = 'os',
) =>
  spmd({
    name: 'hybrid',
    vars: { k: counter() },
    build: (m) => m.loop('k', n, () => m.threads({ workers: 2, scheduler }, region)),
  });

describe('threads in ranks', () => {
  test('ranks get cores for all their threads', () => {
    const document = predict(
      repeated(1, (t) => t.parallel(2, () => t.compute({ flops: 1e9 }))),
      { machine },
    );
    expect(document.ranks.map((r) => r.host)).toEqual(['node0', 'node0', 'node1', 'node1']);
    expect(document.figures.runTime.value).toBeGreaterThan(1);
    expect(document.figures.runTime.value).toBeLessThan(1.001);
  });

  test('more threads than cores are refused', () => {
    const model = repeated(1, (t) => t.compute({ flops: 1 }));
    expect(() => predict(model, { machine, ranks: 5 })).toThrow(/MACH021 5 ranks of 2 threads, and machine .* 8 cores/);
  });

  test.each<[string, (t: ThreadBuilder<Record<never, never>, string>) => void]>([
    [
      'barriers',
      (t) => {
        const b = t.barriers('b', 2);
        t.parallel(2, () => {
          t.compute({ seconds: ({ thread }) => 1 + thread });
          t.barrier(b);
          t.compute({ seconds: ({ thread }) => 2 - thread });
        });
      },
    ],
    ['dynamic loops', (t) => t.parallelFor({ n: 6, schedule: 'dynamic', body: (b) => b.compute({ seconds: 1 }) })],
    [
      'dependences and futures',
      (t) => {
        t.task('work', { time: 0 }, (b) => b.compute({ seconds: ({ time }) => time }));
        const first = t.spawn('work', { time: 1 }, { writes: 'x' });
        t.spawn('work', { time: 2 }, { reads: 'x' });
        t.get(first);
        t.compute({ seconds: 0.5 });
        t.sync();
      },
    ],
    [
      'events',
      (t) => {
        const e = t.event('e');
        t.parallel(2, () =>
          t.when(
            ({ thread }) => thread === 0,
            () => t.wait(e),
            () => {
              t.compute({ seconds: 3 });
              t.set(e);
            },
          ),
        );
      },
    ],
  ])('a region executed again takes the same time: %s', (_, region) => {
    for (const scheduler of ['os', 'a0', 'a1', 'a2'] as const) {
      const time = (n: number): number =>
        predict(repeated(n, region, scheduler), { machine, ranks: 2 }).figures.runTime.value;
      const once = time(1);
      expect(once).toBeGreaterThan(1);
      // Cooperative schedulers remove threads that have ended while the next execution runs: some microseconds.
      const digits = scheduler === 'os' ? 9 : 4;
      expect([scheduler, time(3)]).toEqual([scheduler, expect.closeTo(3 * once, digits)]);
      const alone = predict(threads({ name: 'alone', build: region as never }), { machine, workers: 2, scheduler });
      expect([scheduler, once]).toEqual([scheduler, expect.closeTo(alone.figures.runTime.value, digits)]);
    }
  });

  test.each(['a0', 'a1', 'a2'] as const)('%s: equal ranks deal their threads alike', (scheduler) => {
    const region = (t: ThreadBuilder<Record<never, never>, string>): void => {
      const lock = t.rwlock('lock');
      t.parallel(5, () =>
        t.when(
          ({ thread }) => thread === 2,
          () => {
            t.writeLock(lock);
            t.compute({ seconds: 1 });
            t.writeUnlock(lock);
          },
          () => {
            t.readLock(lock);
            t.compute({ seconds: 1 });
            t.readUnlock(lock);
          },
        ),
      );
    };
    const ends = predict(repeated(1, region, scheduler), { machine, ranks: 3 }).ranks.map((r) => r.endTime!);
    const alone = predict(threads({ name: 'alone', build: region as never }), { machine, workers: 2, scheduler });
    for (const end of ends) expect(end).toBeCloseTo(alone.figures.runTime.value, 9);
  });

  test('ranks of different speed of work', () => {
    const model = spmd({
      name: 'uneven',
      build(m) {
        m.threads({ workers: 2 }, (t) =>
          t.parallel(2, () => t.compute({ seconds: ({ rank, thread }) => 1 + rank + thread })),
        );
        m.barrier();
      },
    });
    const { ranks } = predict(model, { machine, ranks: 2 });
    expect(ranks[0]!.computing).toBeCloseTo(2, 3);
    expect(ranks[1]!.computing).toBeCloseTo(3, 3);
    expect(ranks[0]!.waiting).toBeCloseTo(1, 3);
  });

  test('verification explores the orders of threads', () => {
    const crossed = (order: boolean, scheduler: SchedulerName) =>
      repeated(
        1,
        (t) => {
          const [a, b] = [t.mutex('a'), t.mutex('b')];
          const both = (first: typeof a, second: typeof a) => (): void => {
            t.lock(first);
            t.lock(second);
            t.unlock(second);
            t.unlock(first);
          };
          t.parallel(2, () => t.when(({ thread }) => thread === 0 || order, both(a, b), both(b, a)));
        },
        scheduler,
      );
    const verdict = (order: boolean, scheduler: SchedulerName) =>
      verifyProgram(crossed(order, scheduler), { ranks: 1, sends: 'eager' }).instances[0]!.properties.find(
        ({ id }) => id === 'deadlock-free',
      )!.verdict;
    for (const scheduler of ['os', 'a0', 'a1', 'a2'] as const) {
      expect([scheduler, verdict(true, scheduler)]).toEqual([scheduler, true]);
      expect([scheduler, verdict(false, scheduler)]).toEqual([scheduler, false]);
    }
  });

  test('invalid options have a code and a line', () => {
    const model = (options: object) =>
      spmd({ name: 'm', build: (m) => m.threads(options as never, (t) => t.compute({ flops: 1 })) });
    expect(() => model({ workers: 0 }).record(1)).toThrow(/MODEL012 threads: workers: expected an integer from 1/);
    expect(() => model({ workers: 1, scheduler: 'x' }).record(1)).toThrow(
      /MODEL012 threads: scheduler: expected one of/,
    );
    expect(() => model({ worker: 1 }).record(1)).toThrow(/MODEL018/);
  });
});
