import { expect, test } from 'vitest';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { type Build, type Builder, modelOf, predicted, type State } from './predicted-tries.ts';

const timeOf = (build: Build, options: object = {}, costs = {}): number =>
  predicted(build, options, costs).figures.runTime.value;

type Make = (t: Builder) => readonly [object: unknown, take: string, call: string, release: string];
const MUTEXES = ['barging', 'handed-over', 'spin', 'spin-then-park'].map((kind): readonly [string, Make] => [
  `mutex, ${kind}`,
  (t) => [t.mutex('m', 1, { kind }), 'lock', 'tryLockFor', 'unlock'],
]);
const OBJECTS: readonly (readonly [string, Make])[] = [
  ...MUTEXES,
  ...['barging', 'handed-over'].map((kind): readonly [string, Make] => [
    `writing, ${kind}`,
    (t) => [t.rwlock('l', 1, { kind }), 'writeLock', 'tryWriteLockFor', 'writeUnlock'],
  ]),
  ['semaphore', (t) => [t.semaphore('s', 1), 'acquire', 'tryAcquireFor', 'release']],
  ['automatic event', (t) => [t.autoEvent('e', { set: true }), 'wait', 'tryWaitFor', 'set']],
];
const SCHEDULERS = ['os', 'stealing', 'central', 'static'] as const;

/** Thread 0 holds an object for 10 s; thread 1 waits from 1 s on for at most d; 1 s with the object, 20 s without. */
const twoThreads =
  (d: number, make: Make): Build =>
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
          t.compute({ seconds: 1 });
          t[call](
            object,
            d,
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

test.each(OBJECTS)('a strand waits for at most its time: %s', (_, make) => {
  for (const scheduler of SCHEDULERS) {
    const time = (d: number): number => timeOf(twoThreads(d, make), { scheduler });
    // The object is free after 9 s of waiting.
    expect(time(0)).toBe(1 + 20);
    expect(time(4)).toBe(1 + 4 + 20);
    expect(time(9)).toBe(10 + 1);
    expect(time(12)).toBe(10 + 1);
  }
});

/** Thread 0 reads until 10 s; thread 1 wants to write from 1 s on for at most d; thread 2 wants to read from 2 s on for at most e, for 1 s. */
const behindWriter =
  (kind: string, d: number, e: number): Build =>
  (t) => {
    const l = t.rwlock('l', 1, { kind });
    const readFor = (seconds: number): void => {
      t.compute({ seconds });
      t.readUnlock(l);
    };
    t.parallel(3, () =>
      t.when(
        (s: State) => s.thread === 0,
        () => {
          t.readLock(l);
          readFor(10);
        },
        () =>
          t.when(
            (s: State) => s.thread === 1,
            () => {
              t.compute({ seconds: 1 });
              t.tryWriteLockFor(l, d, () => {
                t.compute({ seconds: 20 });
                t.writeUnlock(l);
              });
            },
            () => {
              t.compute({ seconds: 2 });
              t.tryReadLockFor(
                l,
                e,
                () => readFor(30),
                () => t.compute({ seconds: 50 }),
              );
            },
          ),
      ),
    );
  };

test.each(SCHEDULERS)('a writer that gives up lets the readers behind it in: %s', (scheduler) => {
  const time = (kind: string, d: number, e: number): number =>
    timeOf(behindWriter(kind, d, e), { scheduler, workers: 3 });
  // The reader passes a waiting writer.
  expect(time('barging', 4, 1)).toBe(2 + 30);
  // The writer gives up after 5 s; the reader reads from then on.
  expect(time('handed-over', 4, 9)).toBe(5 + 30);
  // The reader gives up before the writer does, so it never reads.
  expect(time('handed-over', 4, 1)).toBe(3 + 50);
  // The writer has the lock from 10 s to 30 s.
  expect(time('handed-over', 9, 40)).toBe(30 + 30);
  expect(time('handed-over', 9, 10)).toBe(12 + 50);
  // At the instant at which both end, the writer has the lock.
  expect(time('handed-over', 12, 28)).toBe(30 + 30);
  // Writers have a queue of their own, which readers pass or which stops them.
  for (const [d, e] of [
    [4, 9],
    [4, 1],
    [9, 40],
    [9, 10],
    [12, 28],
  ] as const)
    expect(time('writers-first', d, e)).toBe(time('handed-over', d, e));
  expect(time('readers-first', 4, 1)).toBe(2 + 30);
  // The reader has the lock from 2 s to 32 s; the writer gives up at 31 s, or has it then.
  expect(time('readers-first', 30, 1)).toBe(32);
  expect(time('readers-first', 31, 1)).toBe(32 + 20);
});

test('readers and writers wait within a time in queues of their own', () => {
  // A writer holds the lock until 10 s. Thread 1 writes for 5 s, thread 2 reads for 7 s; they come at 1 s and 2 s, and wait for at most d and e.
  const build =
    (kind: string, d: number, e: number): Build =>
    (t) => {
      const l = t.rwlock('l', 1, { kind });
      const holding =
        (release: string, seconds: number): (() => void) =>
        () => {
          t.compute({ seconds });
          t[release](l);
        };
      t.parallel(3, () =>
        t.when(
          (s: State) => s.thread === 0,
          () => {
            t.writeLock(l);
            holding('writeUnlock', 10)();
          },
          () => {
            t.compute({ seconds: (s: State) => s.thread });
            t.when(
              (s: State) => s.thread === 1,
              () => t.tryWriteLockFor(l, d, holding('writeUnlock', 5), () => t.compute({ seconds: 100 })),
              () => t.tryReadLockFor(l, e, holding('readUnlock', 7), () => t.compute({ seconds: 200 })),
            );
          },
        ),
      );
    };
  const time = (kind: string, d: number, e: number): number => timeOf(build(kind, d, e), { workers: 3 });
  expect(time('writers-first', 50, 50)).toBe(10 + 5 + 7);
  expect(time('readers-first', 50, 50)).toBe(10 + 7 + 5);
  // Who comes second gives up while the first one has the lock; who gives up first is not waited for.
  expect(time('writers-first', 50, 12)).toBe(14 + 200);
  expect(time('writers-first', 50, 13)).toBe(15 + 7);
  expect(time('readers-first', 15, 50)).toBe(16 + 100);
  expect(time('readers-first', 16, 50)).toBe(17 + 5);
  expect(time('writers-first', 3, 50)).toBe(4 + 100);
  expect(time('readers-first', 50, 3)).toBe(5 + 200);
  const { objects } = predicted(build('writers-first', 50, 12), { workers: 3 });
  expect(objects).toMatchObject([{ name: 'l', acquisitions: 3, failed: 1, blocked: 2, seconds: 9 + 12 }]);
});

/** The main strand reads all the time. A mutex stays locked if a reader that tries once fails, as it does only behind a writer that waits. */
const heldUp =
  (kind: string): Build =>
  (t) => {
    const [l, m] = [t.rwlock('l', 1, { kind }), t.mutex('m')];
    t.readLock(l);
    t.parallel(2, () =>
      t.when(
        (s: State) => s.thread === 0,
        () => t.tryWriteLockFor(l, 1, () => t.writeUnlock(l)),
        () =>
          t.tryReadLock(
            l,
            () => t.readUnlock(l),
            () => t.lock(m),
          ),
      ),
    );
    t.readUnlock(l);
  };

test.each([
  ['barging', true],
  ['readers-first', true],
  ['handed-over', false],
  ['writers-first', false],
] as const)('verify: writers that wait within a time hold up readers, %s', (kind, free) => {
  const verdicts = (build: Build, reduce: boolean): Record<string, boolean | null> =>
    Object.fromEntries(
      verifyThreads(modelOf(build), { workers: 3, scheduler: 'os', ...(reduce ? {} : { reduce: false }) })
        .instances.flatMap((i) => i.properties)
        .map(({ id, verdict }) => [id, verdict]),
    );
  for (const reduce of [true, false]) {
    expect(verdicts(behindWriter(kind, 1, 1), reduce)).toMatchObject({ 'deadlock-free': true, 'locks-free': true });
    expect(verdicts(heldUp(kind), reduce)).toMatchObject({ 'deadlock-free': true, 'locks-free': free });
  }
});

test('an event that is set releases all whose time is not over', () => {
  // Threads 1 to 5 wait for their number of seconds; the event comes after 3.
  const build: Build = (t) => {
    const e = t.event('e');
    t.parallel(6, () =>
      t.when(
        (s: State) => s.thread === 0,
        () => {
          t.compute({ seconds: 3 });
          t.set(e);
        },
        () =>
          t.tryWaitFor(
            e,
            (s: State) => s.thread,
            () => t.compute({ seconds: 100 }),
            () => t.compute({ seconds: 10 }),
          ),
      ),
    );
  };
  const result = predicted(build);
  expect(result.figures.runTime.value).toBe(103);
  // Waited: 1 + 2 by those that give up, 3 each by the three others.
  expect(result.objects).toMatchObject([{ name: 'e', acquisitions: 5, failed: 2, blocked: 5, seconds: 12 }]);
});

test('costs: the operation, and a wake-up by the clock', () => {
  const result = predicted(twoThreads(4, MUTEXES[0]![1]), {}, { lock: 0.5, wakeUp: 0.25 });
  // The clock starts with the call, and the strand is blocked at the end of its operation. Threads begin after a wake-up, and the main strand goes on after one.
  expect(result.figures.runTime.value).toBe(0.25 + 1 + 4 + 0.25 + 20 + 0.25);
  expect(result.objects).toMatchObject([{ acquisitions: 2, failed: 1, blocked: 1, seconds: 3.5 }]);
});

test.each(MUTEXES)('who gives up in the middle leaves the others in their order: %s', (_, make) => {
  // Threads 1, 2, 3 come at 1, 2, 3 s. Thread 2 gives up at 5 s; the object is free at 10 s.
  const build: Build = (t) => {
    const [m, , call] = make(t);
    t.parallel(4, () =>
      t.when(
        (s: State) => s.thread === 0,
        () => t.critical(m, () => t.compute({ seconds: 10 })),
        () => {
          t.compute({ seconds: (s: State) => s.thread });
          t[call](
            m,
            (s: State) => (s.thread === 2 ? 3 : 100),
            () => {
              t.compute({ seconds: 5 });
              t.unlock(m);
            },
            () => {
              t.compute({ seconds: 1 });
              // Again, behind the one that came third.
              t[call](m, 100, () => {
                t.compute({ seconds: 7 });
                t.unlock(m);
              });
            },
          );
        },
      ),
    );
  };
  const result = predicted(build);
  expect(result.figures.runTime.value).toBe(10 + 5 + 5 + 7);
  expect(result.objects).toMatchObject([
    { acquisitions: 5, failed: 1, blocked: 4, seconds: 10 - 1 + 3 + (15 - 3) + (20 - 6) },
  ]);
});

test('a strand that is woken after its time takes a barging lock that is free, and fails if it is not', () => {
  const build =
    (comes: number): Build =>
    (t) => {
      const m = t.mutex('m');
      t.parallel(3, () => {
        t.when(
          (s: State) => s.thread === 0,
          () => t.critical(m, () => t.compute({ seconds: 10 })),
          () =>
            t.when(
              (s: State) => s.thread === 1,
              () => {
                t.compute({ seconds: 1 });
                t.tryLockFor(
                  m,
                  10,
                  () => {
                    t.compute({ seconds: 1 });
                    t.unlock(m);
                  },
                  () => t.compute({ seconds: 100 }),
                );
              },
              () => {
                t.compute({ seconds: comes });
                t.critical(m, () => t.compute({ seconds: 5 }));
              },
            ),
        );
      });
    };
  // Woken at 10 s, it runs at 12 s; its time is over at 11 s. Threads begin and join after a wake-up of 2 s each.
  const costs = { wakeUp: 2 };
  expect(timeOf(build(30), {}, costs)).toBe(2 + 30 + 5 + 2);
  expect(timeOf(build(11), {}, costs)).toBe(2 + 12 + 100 + 2);
});

/** Two threads take two locks in opposite order, the second one within a time. */
const opposite: Build = (t) => {
  const m = t.mutex('m', 2);
  const second = (s: State): number => 1 - s.thread;
  t.parallel(2, () => {
    t.lock(m, (s: State) => s.thread);
    t.tryLockFor(m, 1e-3, () => t.unlock(m, second), undefined, second);
    t.unlock(m, (s: State) => s.thread);
  });
};
/** Only a strand whose time is over sets the event. */
const lost: Build = (t) => {
  const [permits, e] = [t.semaphore('permits', 0), t.event('e')];
  t.parallel(2, () =>
    t.when(
      (s: State) => s.thread === 0,
      () => {
        t.release(permits);
        t.wait(e);
      },
      () => t.tryAcquireFor(permits, 1, undefined, () => t.set(e)),
    ),
  );
};
/** The second thread unlocks whether or not it has the lock. */
const ignores: Build = (t) => {
  const m = t.semaphore('s', 0);
  const l = t.mutex('m');
  t.parallel(2, () =>
    t.when(
      (s: State) => s.thread === 0,
      () => t.release(m),
      () => {
        t.tryAcquireFor(m, 1, () => t.lock(l));
        t.unlock(l);
      },
    ),
  );
};

// Thieves begin later than the strand that spawns: not under `stealing`.
test.each(['os', 'central', 'static'] as const)(
  'who spins before parking gives up at once, who has parked after a wake-up: %s',
  (scheduler) => {
    const make: Make = (t) => [t.mutex('m', 1, { kind: 'spin-then-park' }), 'lock', 'tryLockFor', 'unlock'];
    const time = (d: number): number =>
      timeOf(twoThreads(d, make), { scheduler }, { spinFor: 3, spin: 0.5, wake: 0.25, wakeUp: 2 }) - start;
    // Threads and workers begin after a wake-up.
    const start = timeOf(twoThreads(0, make), { scheduler }, { wakeUp: 2 }) - 21;
    // Spinning from 1 s until 3 s.
    expect(time(2)).toBe(1 + 2 + 20);
    // Parked from 4 s on, gives up at 6 s.
    expect(time(5)).toBe(1 + 5 + 2 + 20);
  },
);

test('verify takes times to be over at any instant: with and without reductions', () => {
  const verdicts = (build: Build, scheduler: 'os' | 'stealing', reduce: boolean): Record<string, boolean | null> =>
    Object.fromEntries(
      verifyThreads(modelOf(build), { workers: 2, scheduler, ...(reduce ? {} : { reduce: false }) })
        .instances.flatMap((i) => i.properties)
        .map(({ id, verdict }) => [id, verdict]),
    );
  for (const scheduler of ['os', 'stealing'] as const)
    for (const reduce of [true, false]) {
      expect(verdicts(opposite, scheduler, reduce)).toMatchObject({ 'deadlock-free': true, 'no-fault': true });
      expect(verdicts(lost, scheduler, reduce)['no-lost-wake-up']).toBe(false);
      expect(verdicts(ignores, scheduler, reduce)['no-fault']).toBe(false);
    }
});

test('cooperative schedulers and invalid times are refused', () => {
  const once =
    (kind: string, seconds: unknown = 1): Build =>
    (t) =>
      t.tryLockFor(t.mutex('m', 1, { kind }), seconds, () => t.unlock(t.mutex('other')));
  expect(() => predicted((t) => t.tryReadLockFor(t.rwlock('l'), () => t.compute(1)))).toThrow(
    /THR002.*tryReadLockFor: expected the time in seconds, then the block of a success/,
  );
  expect(() => predicted((t) => t.tryWriteLockFor(t.mutex('m'), 1))).toThrow(/expected rwlock of this program/);
  for (const scheduler of ['a0', 'a1', 'a2'])
    expect(() => predicted(once('barging'), { scheduler })).toThrow(
      /THR010.*tryLockFor m under scheduler a.: expected os, stealing, central or static/s,
    );
  expect(() => predicted(once('barging', -1))).toThrow(/seconds/);
  expect(() => predicted(once('barging', 'soon'))).toThrow(/seconds/);
  expect(() => predicted((t) => t.tryLockFor(t.mutex('m')))).toThrow(/seconds/);
  expect(() => predicted((t) => t.tryLockFor(t.mutex('m'), () => t.compute(1)))).toThrow(
    /THR002.*tryLockFor: expected the time in seconds, then the block of a success/,
  );
  expect(() => predicted((t) => t.tryLockFor(t.rwlock('l'), 1))).toThrow(/expected mutex of this program/);
});
