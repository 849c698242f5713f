import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import { structure } from '../../../src/commands/structure/structure.ts';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { compiledProgram, PTHREADS } from '../../compiled-program.ts';
import { type Build, type Builder, machine, modelOf, predicted, type State } from './predicted-tries.ts';

/* Waits for conditions within a time: closed forms after POSIX (pthread_cond_timedwait) and C++ ([thread.condition.condvar], wait_for). */

const timeOf = (build: Build, options: object = {}, costs = {}): number =>
  predicted(build, options, costs).figures.runTime.value;

const SCHEDULERS = ['os', 'stealing', 'central', 'static'] as const;
const KINDS = ['barging', 'handed-over', 'spin', 'spin-then-park'] as const;

interface Objects {
  readonly m: unknown;
  readonly c: unknown;
  readonly n: unknown;
}

/** Threads that each execute a block of their own. */
const threadsOf =
  (kind: string, blocks: readonly ((t: Builder, o: Objects) => void)[]): Build =>
  (t) => {
    const o = { m: t.mutex('m', 1, { kind }), c: t.condition('c'), n: t.counter('n') };
    t.parallel(blocks.length, () => {
      for (const [k, block] of blocks.entries())
        t.when(
          (s: State) => s.thread === k,
          () => block(t, o),
        );
    });
  };

const at = (seconds: number, block: (t: Builder, o: Objects) => void) => (t: Builder, o: Objects) => {
  t.compute({ seconds });
  block(t, o);
};
const signal = (t: Builder, { m, c }: Objects): void => t.critical(m, () => t.signal(c));
const broadcast = (t: Builder, { m, c }: Objects): void => t.critical(m, () => t.broadcast(c));
/** Waits for at most d; then 1 s with the notification, or 20 s without, without the mutex. */
const waits =
  (d: number, notified = 1, late = 20) =>
  (t: Builder, { m, c }: Objects): void => {
    const outside = (seconds: number): void => {
      t.unlock(m);
      t.compute({ seconds });
      t.lock(m);
    };
    t.lock(m);
    t.waitConditionFor(
      c,
      m,
      d,
      () => outside(notified),
      () => outside(late),
    );
    t.unlock(m);
  };

describe('waitConditionFor', () => {
  test.each(KINDS)('is notified, or goes on after its time: mutex %s', (kind) => {
    for (const scheduler of SCHEDULERS) {
      const time = (d: number): number => timeOf(threadsOf(kind, [at(10, signal), at(1, waits(d))]), { scheduler });
      expect(time(0)).toBe(1 + 20);
      expect(time(4)).toBe(1 + 4 + 20);
      expect(time(8)).toBe(1 + 8 + 20);
      expect(time(12)).toBe(10 + 1);
    }
  });

  test.each(KINDS)('releases the mutex while it waits, and has it again afterwards: mutex %s', (kind) => {
    // The mutex is held from 2 s to 30 s: the time is over at 5 s, or the notification comes at 30 s.
    const holds = (t: Builder, o: Objects): void => {
      t.lock(o.m);
      t.compute({ seconds: 28 });
      t.signal(o.c);
      t.unlock(o.m);
    };
    for (const scheduler of SCHEDULERS) {
      const time = (d: number): number => timeOf(threadsOf(kind, [at(2, holds), at(1, waits(d))]), { scheduler });
      expect(time(4)).toBe(30 + 20);
      expect(time(50)).toBe(30 + 1);
    }
  });

  test('a time of 0 lets the next owner of the mutex in', () => {
    // Thread 1 has the mutex from 1 s on; thread 0 waits for it from 2 s on, and has it for 5 s when thread 1 waits at 3 s.
    const own = (t: Builder, o: Objects): void => t.critical(o.m, () => t.compute({ seconds: 5 }));
    const zero = (t: Builder, o: Objects): void => {
      t.lock(o.m);
      t.compute({ seconds: 2 });
      t.waitConditionFor(o.c, o.m, 0, undefined, () => t.compute({ seconds: 20 }));
      t.unlock(o.m);
    };
    for (const kind of KINDS) expect(timeOf(threadsOf(kind, [at(2, own), at(1, zero)]))).toBe(3 + 5 + 20);
  });

  test('a notification does not go to a waiter whose time is over; the others keep their order', () => {
    // Threads 1, 2, 3 wait from 1, 2, 3 s on. Thread 2 gives up at 5 s; signals at 10 s and 20 s release 1, then 3.
    const blocks = [
      at(10, (t, o) => {
        signal(t, o);
        t.compute({ seconds: 10 });
        signal(t, o);
      }),
      at(1, waits(100, 3)),
      at(2, waits(3, 1000, 2)),
      at(3, waits(100, 7)),
    ];
    for (const scheduler of SCHEDULERS) {
      const { figures, objects } = predicted(threadsOf('handed-over', blocks), { scheduler });
      expect(figures.runTime.value).toBe(20 + 7);
      // Operations: two signals are not counted, as for other releases.
      expect(objects.find(({ name }: { name: string }) => name === 'c')).toMatchObject({
        acquisitions: 3,
        failed: 1,
        blocked: 3,
        seconds: 9 + 3 + 17,
      });
    }
    // The first one has given up: the signal at 10 s releases the second.
    const first = [at(10, signal), at(1, waits(2, 1000, 1)), at(2, waits(100, 5))];
    expect(timeOf(threadsOf('barging', first))).toBe(10 + 5);
    // A broadcast releases those that still wait.
    const all = [at(10, broadcast), at(1, waits(2, 1000, 1)), at(2, waits(100, 5)), at(3, waits(100, 6))];
    expect(timeOf(threadsOf('barging', all))).toBe(10 + 6);
    // A signal that nobody waits for any more is lost.
    const gone = [at(10, signal), at(1, waits(2, 1000, 1)), at(11, waits(100, 1000, 5))];
    expect(timeOf(threadsOf('barging', gone))).toBe(111 + 5);
  });

  test('costs: the wait, a wake-up, and the lock; the clock begins with the call', () => {
    const costs = { lock: 0.5, wakeUp: 0.25 };
    // Threads begin after a wake-up. Lock 0.5; the clock ends 4 s after that, a wake-up and a lock later 20 s begin; unlock and lock around them, unlock, and the join.
    const result = predicted(threadsOf('barging', [() => {}, at(1, waits(4))]), {}, costs);
    expect(result.figures.runTime.value).toBe(0.25 + 1 + 0.5 + 4 + 0.25 + 0.5 + 0.5 + 20 + 0.5 + 0.5 + 0.25);
    // Blocked from the end of the call on.
    expect(result.objects.find(({ name }: { name: string }) => name === 'c')).toMatchObject({
      failed: 1,
      seconds: 3.5,
    });
  });
});

describe('waitUntilFor', () => {
  const until =
    (atLeast: number, d: number) =>
    (t: Builder, { m, c, n }: Objects): void => {
      const outside = (seconds: number): void => {
        t.unlock(m);
        t.compute({ seconds });
        t.lock(m);
      };
      t.lock(m);
      t.waitUntilFor(
        c,
        m,
        n,
        atLeast,
        d,
        () => outside(1),
        () => outside(20),
      );
      t.unlock(m);
    };
  /** Adds 1 to the counter, with a notification or without. */
  const adds =
    (notifies: boolean) =>
    (t: Builder, { m, c, n }: Objects): void =>
      t.critical(m, () => {
        t.add(n, 1);
        if (notifies) t.broadcast(c);
      });

  test.each(KINDS)('waits until the counter has the value, for at most one time: mutex %s', (kind) => {
    const comes = (t: Builder, o: Objects): void => {
      adds(true)(t, o);
      t.compute({ seconds: 3 });
      adds(true)(t, o);
    };
    for (const scheduler of SCHEDULERS) {
      const time = (atLeast: number, d: number): number =>
        timeOf(threadsOf(kind, [at(4, comes), at(1, until(atLeast, d))]), { scheduler });
      // The value is there already: no wait.
      expect(time(0, 5)).toBe(7);
      expect(time(1, 50)).toBe(7);
      expect(time(2, 50)).toBe(7 + 1);
      // A notification without the value does not begin the time anew.
      expect(time(2, 5)).toBe(6 + 20);
      expect(time(3, 7)).toBe(8 + 20);
    }
  });

  test('the value counts when the time is over, too', () => {
    // Nobody notifies at 3 s.
    expect(timeOf(threadsOf('barging', [at(3, adds(false)), at(1, until(1, 5))]))).toBe(6 + 1);
    expect(timeOf(threadsOf('barging', [at(7, adds(false)), at(1, until(1, 5))]))).toBe(6 + 20);
  });

  test('a wait that begins after the time gives up at once', () => {
    // Notified at 4 s, the thread has the mutex at 30 s, without the value: its time was over at 6 s.
    const holds = (t: Builder, o: Objects): void => {
      t.lock(o.m);
      t.broadcast(o.c);
      t.compute({ seconds: 26 });
      t.unlock(o.m);
    };
    for (const kind of KINDS) expect(timeOf(threadsOf(kind, [at(4, holds), at(1, until(1, 5))]))).toBe(30 + 20);
  });

  test('an array of objects has one index', () => {
    const build: Build = (t) => {
      const [m, c, n] = [t.mutex('m', 2), t.condition('c', 2), t.counter('n', 0, 2)];
      const index = (s: State): number => s.thread;
      t.parallel(2, () => {
        t.lock(m, index);
        t.waitUntilFor(
          c,
          m,
          n,
          1,
          (s: State) => 1 + s.thread,
          undefined,
          () => t.compute({ seconds: 10 }),
          index,
        );
        t.unlock(m, index);
      });
    };
    expect(timeOf(build)).toBe(2 + 10);
  });
});

describe('verify', () => {
  const verdicts = (build: Build, options: object): Record<string, boolean | null> =>
    Object.fromEntries(
      verifyThreads(modelOf(build), { workers: 3, ...options })
        .instances.flatMap((i) => i.properties)
        .map(({ id, verdict }) => [id, verdict]),
    );
  /** Under threads, with reductions and without, and in a pool. */
  const each = (build: Build, expected: Record<string, boolean>): void => {
    for (const options of [
      { scheduler: 'os' },
      { scheduler: 'os', reduce: false },
      { scheduler: 'stealing', pool: 'migrating' },
    ] as const)
      expect(verdicts(build, options), JSON.stringify(options)).toMatchObject(expected);
  };

  /** Signals without a value: the waiter may come too late. */
  const signalled =
    (limited: boolean): Build =>
    (t) => {
      const [m, c] = [t.mutex('m'), t.condition('c')];
      t.parallel(2, () =>
        t.when(
          (s: State) => s.thread === 0,
          () => t.critical(m, () => t.signal(c)),
          () => t.critical(m, () => (limited ? t.waitConditionFor(c, m, 1) : t.waitCondition(c, m))),
        ),
      );
    };

  test('a wait within a time ends without its signal', () => {
    each(signalled(false), { 'no-lost-wake-up': false });
    each(signalled(true), { 'deadlock-free': true, 'no-lost-wake-up': true, 'locks-free': true, executed: true });
  });

  /** One waits within a time, the other without: one signal. */
  const twoWaiters =
    (passesOn: boolean): Build =>
    (t) => {
      const [m, c, n] = [t.mutex('m'), t.condition('c'), t.counter('n')];
      t.parallel(3, () =>
        t.when(
          (s: State) => s.thread === 0,
          () =>
            t.critical(m, () => {
              t.add(n, 1);
              t.signal(c);
            }),
          () =>
            t.when(
              (s: State) => s.thread === 1,
              () => t.critical(m, () => t.waitUntil(c, m, n, 1)),
              () =>
                t.critical(m, () =>
                  t.waitConditionFor(c, m, 1, () => {
                    if (passesOn) t.signal(c);
                  }),
                ),
            ),
        ),
      );
    };

  test('a notification may go to the wrong waiter, and is lost unless that one passes it on', () => {
    each(twoWaiters(false), { 'no-lost-wake-up': false });
    each(twoWaiters(true), { 'no-lost-wake-up': true, 'deadlock-free': true });
  });

  /** The producer waits for an answer, which the consumer gives only if it was notified. */
  const answer =
    (always: boolean, later = 0): Build =>
    (t) => {
      const [m, c, n, e] = [t.mutex('m'), t.condition('c'), t.counter('n'), t.event('answered')];
      t.parallel(2, () =>
        t.when(
          (s: State) => s.thread === 0,
          () => {
            t.compute({ seconds: later });
            t.critical(m, () => {
              t.add(n, 1);
              t.signal(c);
            });
            t.wait(e);
          },
          () =>
            t.critical(m, () => t.waitUntilFor(c, m, n, 1, 1e-3, () => t.set(e), always ? () => t.set(e) : undefined)),
        ),
      );
    };

  test('an answer that a time-out leaves out is a lost wake-up, with its witness', () => {
    each(answer(false), { 'no-lost-wake-up': false });
    each(answer(true), { 'no-lost-wake-up': true, 'deadlock-free': true });
    const [violation] = verifyThreads(modelOf(answer(false)), { workers: 2, scheduler: 'os' }).instances[0]!.violations;
    expect(violation!.stuck.map(({ operation }) => operation)).toEqual(['wait answered']);
    expect(violation!.steps.map(({ operation }) => operation)).toContain('waitFor c: gives up');
  });

  test('waiters that are equal are not merged: any of them may give up', () => {
    // Two equal waiters, of which the first to give up sets the event for which the main strand waits before it notifies.
    const build: Build = (t) => {
      const [m, c, n] = [t.mutex('m'), t.condition('c'), t.counter('n')];
      t.parallel(2, () =>
        t.critical(m, () =>
          t.waitConditionFor(c, m, 1, undefined, () => {
            t.add(n, 1);
            t.signal(c);
          }),
        ),
      );
    };
    each(build, { 'deadlock-free': true, 'no-lost-wake-up': true, 'locks-free': true, 'no-fault': true });
  });

  test('explore and structure take such programs', async () => {
    const options = { machine: machine(), workers: 2, scheduler: 'os' } as never;
    // The notification comes later than the time of the waiter; without times, any of them comes first.
    for (const [always, deadlock, deadlockStates] of [
      [false, true, 1],
      [true, false, 0],
    ] as const)
      expect(explore(modelOf(answer(always, 2e-3)) as never, options)).toMatchObject({
        complete: true,
        verdicts: { deadlock },
        figures: { deadlockStates: { value: deadlockStates }, finalStates: { value: 1 } },
      });
    expect(await structure(modelOf(answer(true)) as never, options)).toMatchObject({ kind: 'structure' });
  });
});

test('a deadlock lists strands that wait, and none that has given up', () => {
  // Thread 2 gives up behind thread 1, which waits for a mutex that thread 0 holds forever; thread 3 behind thread 1 for a signal.
  const build: Build = (t) => {
    const [held, e, m, c] = [t.mutex('held', 1, { kind: 'handed-over' }), t.event('e'), t.mutex('m'), t.condition('c')];
    const is = (k: number, block: () => void): void => t.when((s: State) => s.thread === k, block);
    t.parallel(5, () => {
      t.compute({ seconds: (s: State) => s.thread });
      is(0, () => t.critical(held, () => t.wait(e)));
      is(1, () => t.lock(held));
      is(2, () => t.tryLockFor(held, 1, () => t.unlock(held)));
      is(3, () => t.critical(m, () => t.waitCondition(c, m)));
      is(4, () => t.critical(m, () => t.waitConditionFor(c, m, 1)));
    });
  };
  const { deadlock } = predicted(build, { workers: 5 });
  expect(
    deadlock.map(({ strand, operation }: Record<string, string>) =>
      `${strand}: ${operation}`.replace(/ of [^:]*:\d+/, ''),
    ),
  ).toEqual(['thread 0: wait e', 'thread 1: lock held', 'thread 3: wait c']);
});

describe('POSIX and C++', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-waits-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const program = compiledProgram(join(import.meta.dirname, 'programs', 'condition-waits.cpp'), folder, PTHREADS);

  interface Scenario {
    readonly waiters: readonly { readonly limit: number; readonly atLeast: number }[];
    readonly notifiers: readonly { readonly all: boolean; readonly adds: number; readonly hold: number }[];
  }
  // Waiters come at 0, 1, …, and their times end half a unit after a whole one; notifications come a quarter after.
  const waiter = fc.record({ limit: fc.integer({ min: 1, max: 6 }).map((k) => k + 0.5), atLeast: fc.nat({ max: 3 }) });
  const notifier = fc.record({ all: fc.boolean(), adds: fc.nat({ max: 1 }), hold: fc.nat({ max: 2 }) });
  const scenarios = fc
    .sample(
      fc.record({
        waiters: fc.array(waiter, { minLength: 1, maxLength: 4 }),
        notifiers: fc.array(notifier, { minLength: 1, maxLength: 4 }),
      }) as fc.Arbitrary<Scenario>,
      { numRuns: 40, seed: 7 },
    )
    .map(({ waiters, notifiers }) => ({
      waiters,
      // Which of several waiters a signal wakes, POSIX leaves open.
      notifiers: waiters.length > 1 ? notifiers.map((one) => ({ ...one, all: true })) : notifiers,
    }));
  const timeOfNotifier = (k: number): number => 2 * k + 1.25;

  const model = ({ waiters, notifiers }: Scenario): Build => {
    const blocks = [
      ...waiters.map(({ limit, atLeast }, k) =>
        at(k, (t, { m, c, n }) => {
          const [yes, no] = [t.atomics(`yes ${k}`), t.atomics(`no ${k}`)];
          const both = [() => t.atomic(yes), () => t.atomic(no)];
          t.lock(m);
          if (atLeast === 0) t.waitConditionFor(c, m, limit, ...both);
          else t.waitUntilFor(c, m, n, atLeast, limit, ...both);
          t.unlock(m);
        }),
      ),
      ...notifiers.map(({ all, adds, hold }, k) =>
        at(timeOfNotifier(k), (t, { m, c, n }) => {
          t.lock(m);
          t.add(n, adds);
          t[all ? 'broadcast' : 'signal'](c);
          t.compute({ seconds: hold });
          t.unlock(m);
        }),
      ),
    ];
    return threadsOf('barging', blocks);
  };

  test.skipIf(program === undefined)('the same waiters are notified, at the same time', { timeout: 60_000 }, () => {
    const UNIT = 0.1;
    const lines = scenarios.map(({ waiters, notifiers }) =>
      [
        UNIT,
        ...waiters.map(({ limit, atLeast }, k) => `W ${k} ${limit} ${atLeast}`),
        ...notifiers.map(({ all, adds, hold }, k) => `N ${timeOfNotifier(k)} ${all ? 1 : 0} ${adds} ${hold}`),
      ].join(' '),
    );
    const expected = scenarios.map((scenario) => {
      const { figures, objects } = predicted(model(scenario));
      const used = (name: string): boolean =>
        (objects.find((o: { name: string }) => o.name === name)?.acquisitions ?? 0) > 0;
      expect(scenario.waiters.every((_, k) => used(`yes ${k}`) !== used(`no ${k}`))).toBe(true);
      return {
        returned: scenario.waiters.map((_, k) => (used(`yes ${k}`) ? 'n' : 't')).join(''),
        time: figures.runTime.value,
      };
    });
    // Both results occur.
    expect(
      expected.some(({ returned }) => returned.includes('n')) &&
        expected.some(({ returned }) => returned.includes('t')),
    ).toBe(true);
    // On a loaded machine a thread may come too late: another run decides.
    let left = [...lines.keys()];
    for (let run = 0; run < 5 && left.length > 0; run++) {
      const { stdout } = spawnSync(program!, { encoding: 'utf8', input: left.map((k) => lines[k]!).join('\n') });
      const found = stdout.trim().split('\n');
      expect(found).toHaveLength(left.length);
      left = left.filter((k, i) => {
        const [returned, time] = found[i]!.split(' ');
        return returned !== expected[k]!.returned || Math.abs(Number(time) - expected[k]!.time) > 0.2;
      });
    }
    expect(left.map((k) => `${lines[k]}: ${JSON.stringify(expected[k])}`)).toEqual([]);
  });
});

describe('without the mutex', () => {
  test.each([
    ['waitCondition', (t: Builder, { c, m }: Objects) => t.waitCondition(c, m), 'wait c'],
    ['waitUntil', (t: Builder, { c, m, n }: Objects) => t.waitUntil(c, m, n, 1), 'wait c'],
    ['waitConditionFor', (t: Builder, { c, m }: Objects) => t.waitConditionFor(c, m, 1), 'waitFor c'],
    ['waitUntilFor', (t: Builder, { c, m, n }: Objects) => t.waitUntilFor(c, m, n, 1, 1), 'waitFor c'],
  ] as const)('%s names the mutex, the strand and what was expected', (_, wait, name) => {
    // The mutex is free, or another strand has it.
    const build = (other: number): Build =>
      threadsOf('barging', [(t, { m }) => t.critical(m, () => t.compute({ seconds: other })), at(1, wait)]);
    for (const other of [0.5, 2])
      expect(() => predicted(build(other))).toThrow(
        new RegExp(
          `THR009.* ${name}: mutex m is not held by thread 1 of parallel .*, which would release it while it waits: expected thread 1 of parallel .* to lock it before`,
        ),
      );
    const { violations } = verifyThreads(modelOf(build(1)), { workers: 2, scheduler: 'os' }).instances[0]!;
    expect(violations[0]!.kind).toBe('fault');
    expect(violations[0]!.stuck[0]!.operation).toBe(name);
    expect(violations[0]!.steps.at(-1)!.operation).toBe(`${name}: m is not held`);
  });

  test('after a try that may have failed', () => {
    const build =
      (unlocks: boolean): Build =>
      (t) => {
        const [m, c] = [t.mutex('m'), t.condition('c')];
        t.parallel(2, () => {
          t.tryLock(m, unlocks ? () => t.unlock(m) : undefined, () => {});
          t.waitConditionFor(c, m, 1);
          t.unlock(m);
        });
      };
    // The second thread does not have it; the first one unlocks before.
    for (const unlocks of [true, false])
      expect(() => predicted(build(unlocks))).toThrow(/THR009.* waitFor c: mutex m is not held by thread/);
  });
});

describe('bad input', () => {
  const once = (call: (t: Builder, o: Objects) => void): Build =>
    threadsOf('barging', [(t, o) => t.critical(o.m, () => call(t, o))]);

  test('times, blocks and objects', () => {
    expect(() => predicted(once((t, { c, m }) => t.waitConditionFor(c, m)))).toThrow(/THR002.*seconds/);
    expect(() => predicted(once((t, { c, m }) => t.waitConditionFor(c, m, () => t.compute(1))))).toThrow(
      /THR002.*waitConditionFor: expected the time in seconds, then the block/,
    );
    expect(() => predicted(once((t, { c, m, n }) => t.waitUntilFor(c, m, n, 1, () => t.compute(1))))).toThrow(
      /THR002.*waitUntilFor: expected the time in seconds, then the block/,
    );
    expect(() => predicted(once((t, { c, m }) => t.waitConditionFor(c, m, -1)))).toThrow(
      /THR004.*seconds: expected a number >= 0/,
    );
    expect(() => predicted(once((t, { m }) => t.waitConditionFor(m, m, 1)))).toThrow(
      /THR003 waitConditionFor: expected condition of this program/,
    );
    expect(() => predicted(once((t, { c, m }) => t.waitUntilFor(c, m, c, 1, 1)))).toThrow(
      /THR003 waitUntilFor: expected counter of this program/,
    );
    expect(() => predicted(once((t, { c, m }) => t.waitConditionFor(c, m, 1, () => t.parallel(2, () => {}))))).toThrow(
      /THR006.*in a block of a try or of a wait for a limited time/,
    );
  });

  test.each(['a0', 'a1', 'a2'] as const)('scheduler %s has no such waits, also in verify', (scheduler) => {
    const build = once((t, { c, m }) => t.waitConditionFor(c, m, 1));
    const text = /THR010 waitFor c under scheduler a.: expected os, stealing, central or static/;
    expect(() => predicted(build, { scheduler })).toThrow(text);
    expect(() => verifyThreads(modelOf(build), { workers: 2, scheduler })).toThrow(text);
  });
});
