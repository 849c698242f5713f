import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { DEFAULT_COSTS, NO_COSTS } from '../../../src/models/threads/costs.ts';
import type { ThreadMachine } from '../../../src/models/threads/net/ports.ts';
import { SCHEDULERS, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';

const free: ThreadMachine = { speed: 1e9, cores: 4, costs: NO_COSTS };

/** The run time of a model on 4 workers, which must end. */
function runTime(
  model: ThreadModel<never> | ThreadModel,
  scheduler: (typeof SCHEDULERS)[number],
  machine = free,
  workers = 4,
): number {
  const run = simulate(threadNet((model as ThreadModel).program(workers), machine, { scheduler }).net);
  expect(run.ended).toBe('quiescent');
  expect(run.game.tokens('ended')).toHaveLength(1);
  return run.time;
}

describe.each(SCHEDULERS)('scheduler %s', (scheduler) => {
  test('without costs, four equal threads on four cores take the time of one', () => {
    const model = threads({ name: 'm', build: (t) => t.parallel(4, () => t.compute({ seconds: 2 })) });
    expect(runTime(model, scheduler)).toBe(2);
  });

  test('a mutex serialises critical sections', () => {
    const model = threads({
      name: 'm',
      build(t) {
        const m = t.mutex('m');
        t.parallel(4, () => t.critical(m, () => t.compute({ seconds: 1 })));
      },
    });
    expect(runTime(model, scheduler)).toBe(4);
  });

  test('a barrier makes all wait for the slowest', () => {
    const model = threads({
      name: 'm',
      build(t) {
        const b = t.barriers('b', 4);
        t.parallel(4, () => {
          t.loop('k', 3, () => {
            t.compute({ seconds: ({ thread, k }) => (thread === k ? 2 : 1) });
            t.barrier(b);
          });
        });
      },
    });
    expect(runTime(model, scheduler)).toBe(6);
  });

  test('recursive tasks: all work is done', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.task('fib', { n: 0 }, (b) =>
          b.when(
            ({ n }) => n < 2,
            () => b.compute({ seconds: 1 }),
            () => {
              b.spawn('fib', { n: ({ n }) => n - 1 });
              b.spawn('fib', { n: ({ n }) => n - 2 });
              b.sync();
            },
          ),
        );
        t.spawn('fib', { n: 7 });
        t.sync();
      },
    });
    // 21 leaves on four processors.
    expect(runTime(model, scheduler)).toBeGreaterThanOrEqual(21 / 4);
    expect(runTime(model, scheduler, { ...free, cores: 1 }, 1)).toBeCloseTo(21, 9);
  });

  test('dependences order tasks', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.task('write', { x: 0 }, (b) => b.compute({ seconds: 1 }));
        for (let k = 0; k < 4; k++) t.spawn('write', { x: 1 }, { writes: 'x' });
        t.spawn('write', { x: 2 }, { writes: 'y' });
        t.sync();
      },
    });
    expect(runTime(model, scheduler)).toBe(4);
  });

  test.each(['static', 'dynamic', 'guided', 'affinity', 'tasks'] as const)(
    'a %s loop executes all iterations',
    (schedule) => {
      const model = threads({
        name: 'm',
        build: (t) =>
          t.parallelFor({ n: 103, chunk: 5, schedule, body: (b) => b.compute({ seconds: ({ count }) => count }) }),
      });
      const time = runTime(model, scheduler);
      expect(time).toBeGreaterThanOrEqual(103 / 4);
      expect(time).toBeLessThan(40);
      expect(runTime(model, scheduler, { ...free, cores: 1 }, 1)).toBeCloseTo(103, 9);
    },
  );

  test('a pipeline with a serial stage', () => {
    const model = threads({
      name: 'm',
      build: (t) =>
        t.pipeline({
          items: 10,
          stages: [
            { name: 'read', serial: true, body: (b) => b.compute({ seconds: 1 }) },
            { name: 'work', body: (b) => b.compute({ seconds: 2 }) },
            { name: 'write', serial: true, body: (b) => b.compute({ seconds: 1 }) },
          ],
        }),
    });
    expect(runTime(model, scheduler)).toBeGreaterThanOrEqual(13);
  });

  test('costs make a program slower', () => {
    const model = threads({
      name: 'm',
      build: (t) => t.parallelFor({ n: 64, body: (b) => b.compute({ seconds: 1e-6 }) }),
    });
    expect(runTime(model, scheduler, { ...free, costs: DEFAULT_COSTS })).toBeGreaterThan(runTime(model, scheduler));
  });
});

test('a bounded buffer with a condition variable ends; without the signal it deadlocks', () => {
  const buffer = (signals: boolean): ThreadModel =>
    threads({
      name: 'buffer',
      build(t) {
        const m = t.mutex('m');
        const c = t.condition('filled');
        const items = t.counter('items');
        t.parallel(2, () =>
          t.when(
            ({ thread }) => thread === 0,
            () => {
              t.lock(m);
              t.waitUntil(c, m, items, 1);
              t.unlock(m);
            },
            () => {
              t.compute({ seconds: 1 });
              t.lock(m);
              t.add(items, 1);
              if (signals) t.signal(c);
              t.unlock(m);
            },
          ),
        );
      },
    }) as ThreadModel;
  const ends = (model: ThreadModel): number =>
    simulate(threadNet(model.program(2), free, { scheduler: 'os' }).net).game.tokens('ended').length;
  expect(ends(buffer(true))).toBe(1);
  expect(ends(buffer(false))).toBe(0);
});

test('workers beyond the number of cores share them', () => {
  const model = threads({
    name: 'm',
    build: (t) => t.parallelFor({ n: 8, body: (b) => b.compute({ seconds: 1 }) }),
  });
  expect(runTime(model, 'stealing', { ...free, cores: 2 }, 8)).toBeCloseTo(4, 9);
});
