import { expect, test } from 'vitest';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { SCHEDULERS } from '../../../src/models/threads/net/thread-net.ts';
import { type Build, type Builder, modelOf, predicted, type State } from './predicted-tries.ts';

/** Thread 0 holds an object for 10 s; thread 1 tries after `after` s, and computes 1 s with it or 20 s without it. */
const twoThreads =
  (after: number, make: (t: Builder) => [object: unknown, take: string, call: string, release: string]): Build =>
  (t) => {
    const [object, take, call, release] = make(t);
    t.parallel(2, () =>
      t.when(
        (s: State) => s.thread === 0,
        () => {
          t[take](object);
          t.compute({ seconds: 10 });
          t[release](object);
        },
        () => {
          t.compute({ seconds: after });
          t[call](
            object,
            () => {
              t.compute({ seconds: 1 });
              t[release](object);
            },
            () => t.compute({ seconds: 20 }),
          );
        },
      ),
    );
  };

const KINDS = ['barging', 'handed-over', 'spin', 'spin-then-park'].map(
  (kind) => [`mutex, ${kind}`, (t: Builder) => [t.mutex('m', 1, { kind }), 'lock', 'tryLock', 'unlock']] as const,
);
const OTHERS = [
  ['writers', (t: Builder) => [t.rwlock('l'), 'writeLock', 'tryWriteLock', 'writeUnlock']],
  ['semaphore', (t: Builder) => [t.semaphore('s', 1), 'acquire', 'tryAcquire', 'release']],
] as const;

test.each([...KINDS, ...OTHERS])('a try takes what is free and does not wait: %s', (_, make) => {
  for (const scheduler of SCHEDULERS) {
    // Tried at 5 s in vain; then 20 s. Tried at 12 s with success; then 1 s.
    expect(predicted(twoThreads(5, make as never), { scheduler }).figures.runTime.value).toBe(25);
    expect(predicted(twoThreads(12, make as never), { scheduler }).figures.runTime.value).toBe(13);
  }
});

test('readers try while others read, and fail while a writer waits before them', () => {
  const build =
    (writer: boolean): Build =>
    (t) => {
      const l = t.rwlock('l');
      t.parallel(3, () => {
        t.compute({ seconds: (s: State) => s.thread });
        t.when(
          (s: State) => s.thread === 0,
          () => {
            t.readLock(l);
            t.compute({ seconds: 10 });
            t.readUnlock(l);
          },
          () =>
            t.when(
              (s: State) => s.thread === 1 && writer,
              () => {
                t.writeLock(l);
                t.writeUnlock(l);
              },
              () =>
                t.tryReadLock(
                  l,
                  () => t.readUnlock(l),
                  () => t.compute({ seconds: 100 }),
                ),
            ),
        );
      });
    };
  expect(predicted(build(false)).figures.runTime.value).toBe(10);
  expect(predicted(build(true)).figures.runTime.value).toBe(102);
});

test('a try costs one operation, and results count those that fail', () => {
  const build = twoThreads(5, (t) => [t.mutex('m'), 'lock', 'tryLock', 'unlock']);
  const result = predicted(build, {}, { lock: 0.5 });
  expect(result.figures.runTime.value).toBe(25.5);
  expect(result.objects).toMatchObject([{ name: 'm', acquisitions: 2, failed: 1, blocked: 0, seconds: 0 }]);
});

test('an event is tried, too', () => {
  for (const [at, ends] of [
    [1, 21],
    [3, 4],
  ] as const)
    expect(
      predicted((t) => {
        const e = t.autoEvent('e');
        t.parallel(2, () =>
          t.when(
            (s: State) => s.thread === 0,
            () => {
              t.compute({ seconds: 2 });
              t.set(e);
            },
            () => {
              t.compute({ seconds: at });
              t.tryWait(
                e,
                () => t.compute({ seconds: 1 }),
                () => t.compute({ seconds: 20 }),
              );
            },
          ),
        );
      }).figures.runTime.value,
    ).toBe(ends);
});

/** Thread 1 ignores the result of its try, and unlocks. */
const ignores: Build = (t) => {
  const m = t.mutex('m');
  t.parallel(2, () =>
    t.when(
      (s: State) => s.thread === 0,
      () => t.critical(m, () => t.compute({ seconds: 10 })),
      () => {
        t.compute({ seconds: 5 });
        t.tryLock(m);
        t.compute({ seconds: 1 });
        t.unlock(m);
      },
    ),
  );
};

test('an unlock after a try in vain is a fault while another one holds the lock', () => {
  expect(() => predicted(ignores)).toThrow(/THR009.*unlock m: it is not held, in thread 1/s);
  const late: Build = (t) => {
    const m = t.mutex('m');
    t.tryLock(m);
    t.unlock(m);
  };
  expect(predicted(late).figures.runTime.value).toBe(0);
});

const verdicts = (build: Build, scheduler: 'os' | 'stealing', reduce = true): Record<string, boolean | null> =>
  Object.fromEntries(
    verifyThreads(modelOf(build), { workers: 2, scheduler, ...(reduce ? {} : { reduce: false }) })
      .instances.flatMap((i) => i.properties)
      .map(({ id, verdict }) => [id, verdict]),
  );

/** Two threads take two locks in opposite order. */
const opposite =
  (tries: boolean): Build =>
  (t) => {
    const m = t.mutex('m', 2);
    const second = (s: State): number => 1 - s.thread;
    const first = (s: State): number => s.thread;
    t.parallel(2, () => {
      t.lock(m, first);
      if (tries) t.tryLock(m, () => t.unlock(m, second), undefined, second);
      else t.critical(m, () => {}, second);
      t.unlock(m, first);
    });
  };

test('verify explores the success and the failure of a try, with and without reductions', () => {
  for (const scheduler of ['os', 'stealing'] as const)
    for (const reduce of [true, false]) {
      expect(verdicts(ignores, scheduler, reduce)['no-fault']).toBe(false);
      expect(verdicts(opposite(true), scheduler, reduce)).toMatchObject({ 'deadlock-free': true, 'no-fault': true });
      expect(verdicts(opposite(false), scheduler, reduce)['deadlock-free']).toBe(false);
      // Only a failed try leaves the event unset.
      const lost: Build = (t) => {
        const [m, e] = [t.mutex('m'), t.event('e')];
        t.parallel(3, () =>
          t.when(
            (s: State) => s.thread === 2,
            () => t.wait(e),
            () =>
              t.tryLock(
                m,
                () => t.unlock(m),
                () => t.set(e),
              ),
          ),
        );
      };
      expect(verdicts(lost, scheduler, reduce)['no-lost-wake-up']).toBe(false);
    }
});

test('locks taken in one block only are remembered', () => {
  const either =
    (fails: boolean): Build =>
    (t) => {
      const [m, other] = [t.mutex('m'), t.mutex('other')];
      t.parallel(2, () =>
        t.when(
          (s: State) => s.thread === 0,
          () => t.critical(m, () => t.compute({ seconds: 10 })),
          () => {
            t.compute({ seconds: fails ? 5 : 15 });
            t.tryLock(
              m,
              () => t.unlock(m),
              () => t.lock(other),
            );
            t.unlock(other);
          },
        ),
      );
    };
  expect(predicted(either(true)).figures.runTime.value).toBe(10);
  expect(() => predicted(either(false))).toThrow(/unlock other: it is not held/);
});

test('threads, tasks, waits for tasks and barriers in a block of a try are refused', () => {
  const inTry =
    (body: Build): Build =>
    (t) => {
      const m = t.mutex('m');
      t.task('task', {}, () => {});
      t.tryLock(m, () => body(t));
    };
  for (const body of [
    (t: Builder) => t.parallel(2, () => {}),
    (t: Builder) => t.spawn('task'),
    (t: Builder) => t.sync(),
    (t: Builder) => t.barrier(t.barriers('b', 1)),
    (t: Builder) => t.loop('k', 2, () => t.parallelFor({ n: 2, body: () => {} })),
  ])
    expect(() => predicted(inTry(body))).toThrow(/THR006.*in a block of a try/s);
  expect(() => predicted((t) => t.tryLock(t.semaphore('s', 1)))).toThrow(/expected mutex of this program/);
});
