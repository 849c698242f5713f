import { describe, expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import type { VerifyThreadsOptions } from '../../../../src/commands/verify/verify-options.ts';
import { type ThreadModel, threads } from '../../../../src/models/threads/program/threads.ts';

const COOPERATIVE = ['a0', 'a1', 'a2'] as const;
const violated = (model: ThreadModel, options: VerifyThreadsOptions): string[] =>
  verifyThreads(model, options)
    .instances[0]!.properties.filter(({ verdict }) => verdict === false)
    .map(({ id }) => id);

/** Two locks in opposite orders, with a system call or computing between. */
const opposite = (between: 'call' | 'compute') =>
  threads({
    name: 'opposite',
    build(t) {
      const lock = t.mutex('lock', 2);
      t.parallel(2, () => {
        t.lock(lock, ({ thread }) => thread);
        if (between === 'call') t.sleep({ seconds: 1e-3 });
        else t.compute({ seconds: 1e-3 });
        t.lock(lock, ({ thread }) => 1 - thread);
        t.unlock(lock, 0);
        t.unlock(lock, 1);
      });
    },
  }) as ThreadModel;

/** Threads that each wait for a primitive and set it again. */
const users = threads({
  name: 'users',
  build(t) {
    const primitive = t.autoEvent('primitive', { set: true });
    t.parallel(2, () => {
      t.wait(primitive);
      t.set(primitive);
    });
  },
}) as ThreadModel;

/** A thread waits for another one, which computes first, while it holds the lock of the allocator. */
const allocating = threads({
  name: 'allocating',
  build(t) {
    const allocator = t.mutex('allocator');
    const page = t.event('page');
    t.parallel(2, () =>
      t.when(
        ({ thread }) => thread === 0,
        () => t.critical(allocator, () => t.wait(page)),
        () => {
          t.compute({ seconds: 1e-3 });
          t.set(page);
        },
      ),
    );
  },
}) as ThreadModel;

describe.each(COOPERATIVE)('scheduler %s', (scheduler) => {
  test('on one processor, only a system call lets another thread in between', () => {
    expect(violated(opposite('compute'), { scheduler, workers: 1 })).toEqual([]);
    expect(violated(opposite('call'), { scheduler, workers: 1 })).toContain('deadlock-free');
    // On two processors both can happen.
    expect(violated(opposite('compute'), { scheduler, workers: 2 })).toContain('deadlock-free');
  });
});

test('a2 without the retry of releases loses a wake-up, which the operations tell', () => {
  expect(violated(users, { scheduler: 'a2' })).toEqual([]);
  const [instance] = verifyThreads(users, { scheduler: 'a2', retry: false }).instances;
  const [found] = instance!.violations;
  expect(found!.steps.map(({ operation }) => operation)).toEqual([
    'wait primitive',
    'wait primitive: waits',
    'set primitive: not retried, although a waiter is being added or released',
    'wait primitive: is in the queue',
  ]);
});

test.each(['a1', 'a2'] as const)('%s: a shared allocator can deadlock, a buffered one cannot', (scheduler) => {
  expect(violated(allocating, { scheduler })).toEqual([]);
  expect(violated(allocating, { scheduler, allocator: 'buffered' })).toEqual([]);
  expect(violated(allocating, { scheduler, allocator: 'shared' })).toContain('deadlock-free');
});

describe.each(['a1', 'a2'] as const)('%s: strands that a scheduler thread cannot queue', (scheduler) => {
  const options = { scheduler, allocator: 'shared' } as const;

  test.each([1, 2, 3, 4])(
    'predict on %i workers names them, and never takes the run for one that has ended',
    (workers) => {
      const { deadlock, figures } = predict(allocating, { ...options, workers });
      expect(deadlock).toContainEqual(
        expect.objectContaining({
          ...{ strand: expect.stringContaining('thread 0'), operation: 'wait page' },
          ...{ object: 'allocator', waitsFor: [1], rank: 1, unqueued: true },
        }),
      );
      expect(figures.runTime.value).toBeLessThan(predict(allocating, { scheduler, workers }).figures.runTime.value);
    },
  );

  test('verify names them', () => {
    const [found] = verifyThreads(allocating, options).instances[0]!.violations;
    expect(found).toMatchObject({ kind: 'deadlock', held: ['allocator'] });
    expect(found!.stuck.map(({ operation }) => operation)).toContain(
      'wait page, not queued: its scheduler thread needs the lock allocator',
    );
  });
});

test.each([
  [{ scheduler: 'a1', retry: false }, 'VER005 verify: retry: scheduler a1 does not have this option; it belongs to a2'],
  [{ scheduler: 'a0', allocator: 'shared' }, 'VER005 verify: allocator: scheduler a0 does not have this option'],
  [{ allocator: 'shared' }, 'VER005 verify: allocator: expected a scheduler that has this option: a1, a2'],
  [{ scheduler: 'a1', allocator: 'share' }, 'THR010 allocator: expected one of buffered, own, shared, got "share"'],
  [{ scheduler: 'a2', retry: 'no' }, 'VER005 verify: retry: expected a boolean, got "no"'],
  [{ scheduler: 'a2', allocator: 'shared' }, 'THR006'],
])('%j is refused', (options, message) => {
  expect(() => verifyThreads(users, options as never)).toThrow(message);
});
