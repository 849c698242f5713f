import { describe, expect, test } from 'vitest';
import type { ThreadInstance } from '../../../../src/commands/verify/threads/thread-verification.ts';
import { renderThreadVerification } from '../../../../src/commands/verify/threads/thread-verify-view.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import type { VerifyThreadsOptions } from '../../../../src/commands/verify/verify-options.ts';
import type { ThreadModel } from '../../../../src/models/threads/program/threads.ts';
import { model, philosophers } from './cases.ts';

function verified(given: ThreadModel, options: VerifyThreadsOptions = {}): ThreadInstance {
  const isPool = options.scheduler !== undefined && ['stealing', 'central', 'static'].includes(options.scheduler);
  const pool = isPool ? ({ pool: 'migrating' } as const) : {};
  const { instances } = verifyThreads(given, { scheduler: 'os', workers: 2, ...pool, ...options });
  expect(instances).toHaveLength(1);
  return instances[0]!;
}

/** The violated properties. */
const violated = ({ properties }: ThreadInstance): string[] =>
  properties.filter(({ verdict }) => verdict === false).map(({ id }) => id);
const kinds = ({ violations }: ThreadInstance): string[] => violations.map(({ kind }) => kind);
const stuck = ({ violations }: ThreadInstance): string[] =>
  violations
    .flatMap((v) => v.stuck.map(({ strand, operation }) => `${strand.replace(/ of .*/, '')}: ${operation}`))
    .sort();

/** Holds with and without reductions, for threads and for a pool with a worker for every thread. */
function holds(given: ThreadModel, workers = 3): void {
  const central = { scheduler: 'central' as const, workers };
  for (const options of [{}, { reduce: false }, central, { ...central, pool: 'stack' as const }])
    expect(violated(verified(given, options)), JSON.stringify(options)).toEqual([]);
}

/** Violated in the same way with and without reductions. */
function violates(given: ThreadModel, kind: string, waiting: readonly string[]): ThreadInstance {
  const [reduced, full] = [verified(given), verified(given, { reduce: false })];
  expect(kinds(reduced)).toContain(kind);
  expect(kinds(full)).toEqual(kinds(reduced));
  expect(stuck(reduced)).toEqual([...waiting].sort());
  expect(full.states).toBeGreaterThanOrEqual(reduced.states);
  return reduced;
}

describe('dining philosophers', () => {
  // The states of the reduced net of n philosophers, and the firings to the deadlock.
  test.each([
    [2, 19, 32, 10],
    [3, 26, 134, 14],
    [4, 33, 548, 18],
    [5, 40, undefined, 22],
  ])('n = %i', (n, states, withDeadlock, firings) => {
    const good = verified(philosophers(n, true));
    expect(violated(good)).toEqual([]);
    expect(good.states).toBe(states);
    const bad = verified(philosophers(n, false));
    expect(kinds(bad)).toEqual(['deadlock']);
    if (withDeadlock !== undefined) expect(bad.states).toBe(withDeadlock);
    const [violation] = bad.violations;
    expect(violation!.firings).toBe(firings);
    expect(violation!.held).toHaveLength(n);
    expect(violation!.stuck).toHaveLength(n);
    // Each takes one fork, then is blocked.
    expect(violation!.steps).toHaveLength(2 * n);
  });
});

test.each(['a0', 'a1', 'a2'] as const)('two philosophers under the cooperative scheduler %s', (scheduler) => {
  expect(violated(verified(philosophers(2, true), { scheduler }))).toEqual([]);
  const bad = verified(philosophers(2, false), { scheduler });
  expect(kinds(bad)).toEqual(['deadlock']);
  expect(stuck(bad)).toEqual(['thread 0: lock fork[1]', 'thread 1: lock fork[0]']);
  expect(bad.violations[0]!.held).toEqual(['fork[0]', 'fork[1]']);
  // Rows that only take time are removed.
  const full = verified(philosophers(2, false), { scheduler, reduce: false });
  expect([kinds(full), stuck(full)]).toEqual([kinds(bad), stuck(bad)]);
  expect(full.states).toBeGreaterThanOrEqual(bad.states);
});

test.each(['os', 'a0', 'a1', 'a2'] as const)('%s: a signal before the wait is lost', (scheduler) => {
  const lost = model((t) => {
    const [c, m] = [t.condition('c'), t.mutex('m')];
    t.parallel(2, () =>
      t.when(
        ({ thread }) => thread === 0,
        () => t.critical(m, () => t.waitCondition(c, m)),
        () => t.signal(c),
      ),
    );
  });
  const found = verified(lost, { scheduler });
  expect(kinds(found)).toEqual(['lost-wake-up']);
  expect(stuck(found)).toEqual(['thread 0: wait c']);
});

describe('locks', () => {
  const opposite = (same: boolean): ThreadModel =>
    model((t) => {
      const [a, b] = [t.mutex('a'), t.mutex('b')];
      const both = (first: typeof a, second: typeof a): void => {
        t.lock(first);
        t.lock(second);
        t.unlock(second);
        t.unlock(first);
      };
      t.parallel(2, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => both(a, b),
          () => (same ? both(a, b) : both(b, a)),
        ),
      );
    });
  test('two mutexes in opposite order', () => {
    violates(opposite(false), 'deadlock', ['thread 0: lock b', 'thread 1: lock a']);
    holds(opposite(true));
  });

  test('a mutex locked twice', () => {
    const twice = model((t) => {
      const m = t.mutex('m');
      t.critical(m, () => t.lock(m));
    });
    violates(twice, 'deadlock', ['main: lock m']);
  });

  test('a reader that upgrades to a writer', () => {
    const upgrade = (early: boolean): ThreadModel =>
      model((t) => {
        const l = t.rwlock('l');
        t.parallel(2, () => {
          t.readLock(l);
          if (early) t.readUnlock(l);
          t.writeLock(l);
          t.writeUnlock(l);
          if (!early) t.readUnlock(l);
        });
      });
    // A waiting writer also blocks later readers.
    violates(upgrade(false), 'deadlock', ['thread 0: writeLock l', 'thread 1: readLock l']);
    holds(upgrade(true));
  });

  test('a cycle of semaphores', () => {
    const cycle = (permits: number): ThreadModel =>
      model((t) => {
        const s = t.semaphore('s', permits, 2);
        t.parallel(2, () => {
          t.acquire(s, ({ thread }) => thread);
          t.acquire(s, ({ thread }) => 1 - thread);
          t.release(s, 0);
          t.release(s, 1);
        });
      });
    violates(cycle(1), 'lost-wake-up', ['thread 0: acquire s[1]', 'thread 1: acquire s[0]']);
    holds(cycle(2));
  });

  test('an unlock of what is not held', () => {
    const early = model((t) => {
      const m = t.mutex('m');
      t.parallel(2, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => t.critical(m, () => t.compute({ seconds: 1 })),
          () => t.unlock(m),
        ),
      );
    });
    // Thread 1 does not hold the mutex, whether thread 0 does or not.
    const found = violates(early, 'fault', ['thread 1: unlock m']);
    expect(found.violations[0]!.steps.at(-1)!.operation).toBe('unlock m: m is not held');
    const reader = model((t) => {
      const l = t.rwlock('l');
      t.parallel(2, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => t.readLock(l),
          () => t.readUnlock(l),
        ),
      );
    });
    violates(reader, 'fault', ['thread 1: readUnlock l']);
    expect(kinds(verified(model((t) => t.readUnlock(t.rwlock('l')))))).toEqual(['fault']);
    expect(kinds(verified(model((t) => t.waitCondition(t.condition('c'), t.mutex('m')))))).toEqual(['fault']);
  });

  test('a lock that is held at the end', () => {
    const found = verified(model((t) => t.parallel(1, () => t.lock(t.mutex('m', 2), 1))));
    expect(violated(found)).toEqual(['locks-free']);
    expect(found.violations[0]!.held).toEqual(['m[1]']);
  });
});

describe('signals', () => {
  const event = (order: 'signal' | 'event' | 'none' | 'until'): ThreadModel =>
    model((t) => {
      const [m, c, n] = [t.mutex('m'), t.condition('c'), t.counter('n')];
      const e = t.event('e');
      t.parallel(2, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => {
            if (order === 'event') t.wait(e);
            else
              t.critical(m, () => {
                if (order === 'until') t.waitUntil(c, m, n, 1);
                else t.waitCondition(c, m);
              });
          },
          () => {
            if (order === 'event') t.set(e);
            else
              t.critical(m, () => {
                t.add(n, 1);
                if (order !== 'none') t.signal(c);
              });
          },
        ),
      );
    });
  test('a missing signal', () => {
    violates(event('none'), 'lost-wake-up', ['thread 0: wait c']);
  });
  test('a signal before the wait is lost; an event or a counter keeps it', () => {
    const found = violates(event('signal'), 'lost-wake-up', ['thread 0: wait c']);
    expect(violated(found)).toEqual(['deadlock-free', 'no-lost-wake-up']);
    expect(found.violations[0]!.steps.map(({ operation }) => operation)).toEqual([
      'lock m',
      'add n',
      'signal c',
      'unlock m',
      'lock m',
      'wait c',
    ]);
    holds(event('event'));
    holds(event('until'));
  });

  test('one signal for two waiters, and a broadcast', () => {
    const waiters = (wakesAll: boolean): ThreadModel =>
      model((t) => {
        const [m, c, n] = [t.mutex('m'), t.condition('c'), t.counter('n')];
        t.parallel(3, () =>
          t.when(
            ({ thread }) => thread < 2,
            () => t.critical(m, () => t.waitUntil(c, m, n, 1)),
            () =>
              t.critical(m, () => {
                t.add(n, 1);
                if (wakesAll) t.broadcast(c);
                else t.signal(c);
              }),
          ),
        );
      });
    const found = violates(waiters(false), 'lost-wake-up', ['thread 1: wait c']);
    expect(found.strands).toBe(4);
    holds(waiters(true));
  });

  test('an event that resets itself wakes one waiter', () => {
    const auto = (sets: number): ThreadModel =>
      model((t) => {
        const [e, ready] = [t.autoEvent('e'), t.semaphore('ready', 0)];
        t.parallel(3, () =>
          t.when(
            ({ thread }) => thread < 2,
            () => {
              t.wait(e);
              t.release(ready);
            },
            () =>
              t.loop('k', sets, () => {
                t.set(e);
                t.acquire(ready);
              }),
          ),
        );
      });
    violates(auto(1), 'lost-wake-up', ['thread 1: wait e']);
    holds(auto(2));
  });
});

describe('barriers, tasks and loops', () => {
  test('a barrier with a missing party', () => {
    const barrier = (parties: number): ThreadModel =>
      model((t) => {
        const b = t.barriers('b', parties);
        t.loop('k', 2, () => t.parallel(2, () => t.barrier(b)));
      });
    violates(barrier(3), 'deadlock', ['thread 0: barrier b', 'thread 1: barrier b']);
    holds(barrier(2));
  });

  test('a barrier deadlocks on a pool with too few workers', () => {
    const barrier = model((t) => {
      const b = t.barriers('b', 3);
      t.parallel(3, () => t.barrier(b));
    });
    expect(kinds(verified(barrier, { scheduler: 'stealing', workers: 2 }))).toEqual(['deadlock']);
    expect(kinds(verified(barrier, { scheduler: 'stealing', workers: 3 }))).toEqual([]);
  });

  test('operations that are never executed are named by their array', () => {
    const nested = model((t) => {
      const done = t.events('done', 3);
      t.task('inner', { i: 0 }, (b) => b.set(done, ({ i }) => i!));
      t.task('outer', { i: 0 }, (b) => {
        b.spawn('inner', { i: ({ i }) => i! });
        b.wait(done, ({ i }) => i!);
      });
      t.loop('i', 3, () => t.spawn('outer', { i: ({ i }) => i! }));
      t.sync();
    });
    // One worker: the outer task keeps it.
    const [one] = verifyThreads(nested, { scheduler: 'stealing', pool: 'migrating', workers: 1 }).instances;
    expect(one!.neverExecuted.map(({ operation }) => operation)).toEqual(['set done[0-2]']);
  });

  test('a task that waits for itself', () => {
    const own = model((t) => {
      const future = t.spawn('own');
      t.task('own', {}, (b) => b.get(future));
      t.sync();
    });
    violates(own, 'lost-wake-up', ['task own: get future of own']);
  });

  test('a cycle of two tasks that wait for events of each other', () => {
    const cycle = (wrong: boolean): ThreadModel =>
      model((t) => {
        const e = t.events('e', 2);
        t.task('one', { k: 0 }, (b) => {
          if (wrong) b.wait(e, ({ k }) => 1 - k);
          b.set(e, ({ k }) => k);
          if (!wrong) b.wait(e, ({ k }) => 1 - k);
        });
        t.spawn('one', { k: 0 });
        t.spawn('one', { k: 1 });
        t.sync();
      });
    violates(cycle(true), 'lost-wake-up', ['task one: wait e[0]', 'task one: wait e[1]']);
    holds(cycle(false));
  });

  test('futures never block a pool', () => {
    const futures = model((t) => {
      t.task('fib', { n: 0 }, (b) =>
        b.when(
          ({ n }) => n >= 2,
          () => {
            const f = b.spawn('fib', { n: ({ n }) => n - 1 });
            b.spawn('fib', { n: ({ n }) => n - 2 });
            b.get(f);
          },
        ),
      );
      t.get(t.spawn('fib', { n: 3 }));
    });
    for (const workers of [1, 2])
      for (const scheduler of ['stealing', 'central', 'static'] as const)
        expect(violated(verified(futures, { scheduler, workers })), `${scheduler} ${workers}`).toEqual([]);
    holds(futures, 2);
  });

  test.each(['static', 'dynamic', 'guided', 'affinity', 'tasks'] as const)('a %s loop with a reduction', (schedule) => {
    const loop = model((t) =>
      t.parallel(2, () => {
        t.parallelFor({ n: 3, schedule, reduce: { seconds: 1 }, body: (b) => b.compute({ seconds: 1 }) });
        t.parallelFor({ n: 2, schedule, nowait: true, body: (b) => b.compute({ seconds: 1 }) });
      }),
    );
    holds(loop, 2);
  });

  test('a mutex in the chunks of a dynamic loop', () => {
    const loop = (wrong: boolean): ThreadModel =>
      model((t) => {
        const m = t.mutex('m', 2);
        t.parallelFor({
          n: 2,
          schedule: 'dynamic',
          body: (b) => {
            b.lock(m, ({ first }) => (wrong ? first : 0));
            b.lock(m, ({ first }) => (wrong ? 1 - first : 1));
            b.unlock(m, 0);
            b.unlock(m, 1);
          },
        });
      });
    violates(loop(true), 'deadlock', ['thread 0: lock m[1]', 'thread 1: lock m[0]']);
    holds(loop(false), 2);
  });

  test('a pipeline holds with one token and with many', () => {
    for (const tokens of [1, 2])
      holds(
        model((t) =>
          t.pipeline({
            items: 3,
            tokens,
            stages: [
              { name: 'read', serial: true, body: (b) => b.compute({ seconds: 1 }) },
              { name: 'work', body: (b) => b.compute({ seconds: 1 }) },
              { name: 'write', serial: true, body: (b) => b.compute({ seconds: 1 }) },
            ],
          }),
        ),
        2,
      );
  });

  test('operations that no run executes', () => {
    const never = model((t) => {
      const [e, m] = [t.event('e'), t.mutex('m')];
      t.wait(e);
      t.critical(m, () => t.compute({ seconds: 1 }));
    });
    const found = verified(never);
    expect(violated(found)).toEqual(['deadlock-free', 'no-lost-wake-up', 'executed']);
    expect(found.neverExecuted.map(({ operation }) => operation)).toEqual(['lock m']);
  });
});

describe('reductions', () => {
  test('equal threads are one colour: states grow linearly, not exponentially', () => {
    const equal = (n: number): ThreadModel =>
      model((t) => {
        const m = t.mutex('m');
        t.parallel(n, () => t.critical(m, () => t.compute({ seconds: 1 })));
      });
    const states = [2, 4, 8, 16].map((n) => verified(equal(n)).states);
    expect(states.map((s, k) => s - (states[k - 1] ?? 0))).toMatchInlineSnapshot(`
      [
        15,
        10,
        20,
        40,
      ]
    `);
    expect(verified(equal(64)).properties.every(({ verdict }) => verdict === true)).toBe(true);
  });

  test('values of objects that equal threads change', () => {
    const readers = model((t) => {
      const [l, s, n] = [t.rwlock('l'), t.semaphore('s', 0), t.counter('n')];
      t.parallel(3, () => {
        t.readLock(l);
        t.readLock(l);
        t.readLock(l);
        t.release(s);
        t.release(s);
        t.add(n, -2);
        t.add(n, 1);
        t.readUnlock(l);
        t.readUnlock(l);
        t.readUnlock(l);
      });
    });
    holds(readers);
  });

  test('a limit leaves the verdict open', () => {
    const document = verifyThreads(philosophers(4, true), { scheduler: 'os', reduce: false, maxStates: 100 });
    expect(document.complete).toBe(false);
    expect(document.instances[0]!.properties.map(({ verdict }) => verdict)).toEqual([null, null, null, null, null]);
    expect(document.instances[0]!.properties[0]!.reason).toContain('limit');
  });

  test('the default is threads and a pool of the workers of verifyWith', () => {
    const { instances } = verifyThreads(model((t) => t.parallel(2, () => t.compute({ seconds: 1 }))));
    expect(instances.map(({ scheduler, pool, workers }) => `${scheduler} ${pool} ${workers}`)).toEqual([
      'os undefined 2',
      'stealing migrating 2',
      'stealing stack 2',
    ]);
  });

  test('unknown schedulers and limits are rejected', () => {
    expect(() => verifyThreads(philosophers(2, true), { scheduler: 'so' as never })).toThrow('VER005');
    expect(() => verifyThreads(philosophers(2, true), { maxStates: 0 })).toThrow('VER002');
    expect(() => verifyThreads(philosophers(2, true), { workers: 0 })).toThrow('THR001');
  });
});

test('the page of a violation', () => {
  const document = verifyThreads(philosophers(2, false), { scheduler: 'os' });
  const page = renderThreadVerification({ ...document, seconds: 1 }, { width: 100, colour: false, unicode: true });
  expect(page).toMatchInlineSnapshot(`
    "Violated for threads of the operating system: deadlock
    case · 3 strands · 32 states · 1.000 s

    Waiting forever: threads of the operating system, after 10 firings at the earliest
      thread 1 of parallel cases.ts:12: at lock fork[0], cases.ts:15
      thread 0 of parallel cases.ts:12: at lock fork[1], cases.ts:15
      held: fork[0], fork[1]
    Operations in order:
      thread 0 of parallel cases.ts:12: lock fork[0], cases.ts:14
      thread 1 of parallel cases.ts:12: lock fork[1], cases.ts:14
      thread 0 of parallel cases.ts:12: lock fork[1]: waits, cases.ts:15
      thread 1 of parallel cases.ts:12: lock fork[0]: waits, cases.ts:15
    "
  `);
});
