import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import { type SchedulerName, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';

// biome-ignore lint/suspicious/noExplicitAny: the builder of any model
type Build = (t: any) => void;
type Of = { readonly thread: number };

const [slice, contextSwitch, cacheRefill] = [3e-3, 2e-6, 10e-6];
/** Slices without costs: times are sums of the work. */
const FREE = { timeSlice: slice };
const SLICES = { timeSlice: slice, contextSwitch, cacheRefill };

/** Time of a program; its parts end in the order of the list `ends`. */
function run(build: Build, cores: number, costs: Partial<ThreadCosts> = FREE): { time: number; ended: boolean } {
  const model = threads({ name: 'priorities', build });
  const machine = { speed: 1e9, cores, costs: { ...NO_COSTS, ...costs } };
  const done = simulate(threadNet(model.program(cores), machine, { scheduler: 'os' }).net);
  return { time: done.time, ended: done.game.tokens('ended').length === 1 };
}

const timeOf = (build: Build, cores: number, costs?: Partial<ThreadCosts>): number => {
  const { time, ended } = run(build, cores, costs);
  expect(ended).toBe(true);
  return time;
};

interface Job {
  readonly priority: number;
  readonly release: number;
  readonly work: number;
}

/** Each job is a thread that is made at its release, by a thread of a higher priority than all jobs. */
const jobs =
  (all: readonly Job[]): Build =>
  (t) =>
    t.parallel(all.length, () => {
      t.sleep({ seconds: (s: Of) => all[s.thread]!.release });
      // In a section of one thread, `s.thread` is 0: the work of a job is known outside.
      for (const [k, { priority, work }] of all.entries())
        t.when(
          (s: Of) => s.thread === k,
          () => t.parallel(1, () => t.compute({ seconds: work }), { priority: priority - 10 }),
        );
    });

describe('threads with priorities', () => {
  test('a thread of a higher priority preempts at once, and costs a switch and a refill', () => {
    const build: Build = (t) =>
      t.parallel(
        2,
        () => {
          t.sleep({ seconds: (s: Of) => (s.thread === 0 ? 2.5 * slice : 0) });
          t.compute({ seconds: (s: Of) => (s.thread === 0 ? slice : 10 * slice) });
        },
        { priority: (s: Of) => -1 - s.thread },
      );
    // Both begin with a switch. Thread 0 preempts with a switch; thread 1 goes on with another one, and fills its cache.
    expect(timeOf(build, 1, SLICES)).toBeCloseTo(11 * slice + 4 * contextSwitch + cacheRefill, 12);
  });

  test('the response time of rate-monotonic tasks is that of their recurrence', () => {
    // R = C + Σ over higher priorities of ceil(R / T) · C (Joseph and Pandya, 1986), all released at 0.
    const higher = fc.array(
      fc.record({ period: fc.integer({ min: 8, max: 40 }), work: fc.integer({ min: 1, max: 3 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(higher, fc.integer({ min: 1, max: 20 }), (tasks, work) => {
        const sorted = tasks.toSorted((a, b) => b.period - a.period);
        fc.pre(sorted.reduce((sum, one) => sum + one.work / one.period, 0) < 0.8);
        let response = work;
        for (;;) {
          const next = work + sorted.reduce((sum, one) => sum + Math.ceil(response / one.period) * one.work, 0);
          if (next === response) break;
          response = next;
        }
        // Jobs of all periods as threads; those released later than the response do not matter.
        const released = sorted.flatMap((one, k) =>
          Array.from({ length: Math.ceil(response / one.period) }, (_, j) => ({
            priority: k + 1,
            release: j * one.period,
            work: one.work,
          })),
        );
        const all = [{ priority: 0, release: 0, work }, ...released];
        expect(timeOf(jobs(all), 1, { timeSlice: 0.5 })).toBeCloseTo(response, 9);
      }),
      { numRuns: effort(200) },
    );
  });

  test('threads of equal priority alternate, and one that was preempted goes on with the rest of its slice', () => {
    // A thread of a higher priority runs for 0.25 slices after each 0.5 slices of the two others, of which each has 1.9 slices of work.
    const interrupted =
      (equal: boolean): Build =>
      (t) =>
        t.parallel(
          3,
          () =>
            t.when(
              (s: Of) => s.thread === 0,
              () =>
                t.loop('k', 7, () => {
                  t.sleep({ seconds: 0.5 * slice });
                  t.compute({ seconds: 0.25 * slice });
                }),
              () => {
                t.compute({ seconds: 1.9 * slice });
                t.when(
                  (s: Of) => s.thread === 1,
                  () => t.sleep({ seconds: 100 * slice }),
                );
              },
            ),
          { priority: (s: Of) => (s.thread === 0 ? -1 : s.thread === 2 && !equal ? -3 : -2) },
        );
    // Thread 1 has slices 1 and 3: it ends in the sixth half of a slice, after five interruptions. Without the other one, in the fourth.
    expect(timeOf(interrupted(true), 1)).toBeCloseTo((2.9 + 5 * 0.25 + 100) * slice, 9);
    expect(timeOf(interrupted(false), 1)).toBeCloseTo((1.9 + 3 * 0.25 + 100) * slice, 9);
  });

  test('on two cores the thread of the lowest priority is preempted', () => {
    const all = [
      { priority: 1, release: 0, work: 10 },
      { priority: 2, release: 0, work: 10 },
      { priority: 3, release: 4, work: 20 },
    ];
    // 1 gives way at 4, and goes on at 10 for its 6 s; 3 ends at 24.
    expect(timeOf(jobs(all), 2, { timeSlice: 0.5 })).toBeCloseTo(24, 9);
    expect(timeOf(jobs(all.map((one) => ({ ...one, work: 10 }))), 2, { timeSlice: 0.5 })).toBeCloseTo(16, 9);
  });

  test.each(['handed-over', 'barging'])(
    'waiters have a lock in the order of priorities, then of arrival: %s',
    (kind) => {
      // Threads 1 to 4 come one after the other while thread 0 holds the lock. The one of a rank sleeps afterwards.
      const endOf =
        (rank: number): Build =>
        (t) => {
          const lock = t.mutex('lock', 1, { kind });
          t.parallel(
            5,
            () => {
              t.compute({ seconds: (s: Of) => s.thread });
              t.critical(lock, () => t.compute({ seconds: (s: Of) => (s.thread === 0 ? 10 : 1) }));
              t.when(
                (s: Of) => s.thread === rank,
                () => t.sleep({ seconds: 1000 }),
              );
            },
            { priority: (s: Of) => [0, -2, -1, -2, -1][s.thread]! },
          );
        };
      const ends = [1, 2, 3, 4].map((rank) => timeOf(endOf(rank), 8) - 1000);
      expect(ends).toEqual([13, 11, 14, 12]);
    },
  );

  test('a thread that spins for a lock of a lower one never ends on one core, and does on two', () => {
    const build: Build = (t) => {
      const lock = t.mutex('lock', 1, { kind: 'spin' });
      t.parallel(
        2,
        () => {
          t.sleep({ seconds: (s: Of) => s.thread });
          t.critical(lock, () => t.compute({ seconds: 10 }));
        },
        { priority: (s: Of) => s.thread - 2 },
      );
    };
    expect(run(build, 1).ended).toBe(false);
    expect(timeOf(build, 2)).toBeCloseTo(20, 12);
  });

  test('equal priorities of all threads are the same net as none', () => {
    const net = (priority: number | undefined): unknown => {
      const build: Build = (t) =>
        t.parallel(1, () => t.compute({ seconds: 1 }), priority === undefined ? {} : { priority });
      const model = threads({ name: 'equal', build });
      return threadNet(model.program(1), { speed: 1, cores: 1, costs: { ...NO_COSTS, ...FREE } }, { scheduler: 'os' })
        .net;
    };
    expect(net(0)).toEqual(net(undefined));
    expect(net(1)).not.toEqual(net(undefined));
  });
});

describe('priority inversion', () => {
  interface Inversion {
    readonly priority: 'none' | 'inherit';
    /** Work of the lowest thread with the lock, from 0 on, and of the highest one. */
    readonly low: number;
    readonly high: number;
    /** When the highest thread wants the lock, and when the middle one comes, which computes for `middle`. */
    readonly wants: number;
    readonly comes: number;
    readonly middle: number;
  }

  /** When the highest thread ends, which sleeps afterwards for longer than all others need. */
  const endOfHighest = ({ priority, low, high, wants, comes, middle }: Inversion, cores: number): number => {
    const bus: Build = (t) => {
      const lock = t.mutex('bus', 1, { kind: 'handed-over', priority });
      const [HIGH, MIDDLE] = [0, 1];
      t.parallel(
        3,
        () =>
          t.when(
            (s: Of) => s.thread === HIGH,
            () => {
              t.sleep({ seconds: wants });
              t.critical(lock, () => t.compute({ seconds: high }));
              t.sleep({ seconds: 1e4 });
            },
            () =>
              t.when(
                (s: Of) => s.thread === MIDDLE,
                () => {
                  t.sleep({ seconds: comes });
                  t.compute({ seconds: middle });
                },
                () => t.critical(lock, () => t.compute({ seconds: low })),
              ),
          ),
        { priority: (s: Of) => -1 - s.thread },
      );
    };
    return timeOf(bus, cores, { timeSlice: 1 }) - 1e4;
  };

  test('the thread of middle priority delays the highest one by all its work, and not at all with inheritance', () => {
    const seconds = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: 10 * max }).map((k) => k / 10);
    fc.assert(
      fc.property(seconds(5), seconds(5), seconds(5), seconds(5), seconds(50), (wants, later, rest, high, middle) => {
        const times = { wants, comes: wants + later, low: wants + later + rest, high, middle };
        expect(endOfHighest({ priority: 'none', ...times }, 1)).toBeCloseTo(times.low + middle + high, 6);
        expect(endOfHighest({ priority: 'inherit', ...times }, 1)).toBeCloseTo(times.low + high, 6);
        // With a core for the middle thread there is no inversion.
        expect(endOfHighest({ priority: 'none', ...times }, 2)).toBeCloseTo(times.low + high, 6);
      }),
      { numRuns: effort(100) },
    );
  });

  test('a holder that waits for a core when it inherits a priority moves up, and has its own one after the release', () => {
    // The middle thread comes first and has the core; the highest one then wants the lock: the lowest one preempts the middle one for 3 s.
    const times = { low: 5, high: 1, middle: 50 };
    expect(endOfHighest({ priority: 'inherit', ...times, comes: 2, wants: 4 }, 1)).toBeCloseTo(4 + 3 + 1, 6);
    expect(endOfHighest({ priority: 'none', ...times, comes: 2, wants: 4 }, 1)).toBeCloseTo(52 + 3 + 1, 6);
    // After its release, the lowest thread computes 10 s more behind the middle one.
    const build: Build = (t) => {
      const lock = t.mutex('bus', 1, { priority: 'inherit' });
      t.parallel(
        3,
        () =>
          t.when(
            (s: Of) => s.thread === 2,
            () => {
              t.critical(lock, () => t.compute({ seconds: 5 }));
              t.compute({ seconds: 10 });
            },
            () => {
              t.sleep({ seconds: (s: Of) => 2 + s.thread });
              t.when(
                (s: Of) => s.thread === 0,
                () => t.critical(lock, () => t.compute({ seconds: 1 })),
                () => {
                  t.compute({ seconds: 50 });
                  t.sleep({ seconds: 1000 });
                },
              );
            },
          ),
        { priority: (s: Of) => -1 - s.thread },
      );
    };
    expect(timeOf(build, 1, { timeSlice: 1 })).toBeCloseTo(6 + 50 + 1000, 6);
  });

  test('a wait for a condition gives the inherited priority back', () => {
    // Thread 2 holds the lock and inherits the priority of thread 0, until it waits. Thread 0 signals it at 5; then thread 1 is more urgent.
    const build: Build = (t) => {
      const lock = t.mutex('lock', 1, { priority: 'inherit' });
      const [condition, counter] = [t.condition('c'), t.counter('n')];
      t.parallel(
        3,
        () =>
          t.when(
            (s: Of) => s.thread === 2,
            () => {
              t.lock(lock);
              t.compute({ seconds: 4 });
              t.waitUntil(condition, lock, counter, 1);
              t.unlock(lock);
              t.compute({ seconds: 10 });
            },
            () => {
              t.sleep({ seconds: (s: Of) => 1 + s.thread });
              t.when(
                (s: Of) => s.thread === 0,
                () =>
                  t.critical(lock, () => {
                    t.compute({ seconds: 1 });
                    t.add(counter, 1);
                    t.signal(condition);
                  }),
                () => {
                  t.compute({ seconds: 50 });
                  t.sleep({ seconds: 1000 });
                },
              );
            },
          ),
        { priority: (s: Of) => -1 - s.thread },
      );
    };
    expect(timeOf(build, 1, { timeSlice: 1 })).toBeCloseTo(5 + 50 + 1000, 6);
  });
});

describe('transitive inheritance', () => {
  /**
   * Thread k of a chain of n holds lock k − 1 from time k on, for `work` s of its own time, of which it needs lock k − 2 for the last half;
   * thread 1 is the lowest one and needs no other lock. The last thread, the most urgent one, wants lock n − 1. A thread of middle priority
   * computes from `comes` on.
   */
  const chain =
    (n: number, priority: string, work: number, comes: number, middle: number): Build =>
    (t) => {
      const locks = t.mutex('lock', n, { kind: 'handed-over', priority });
      t.parallel(
        n + 2,
        () => {
          // Thread 0 is the middle one; threads 1 … n hold locks; thread n + 1 is the most urgent one.
          t.when(
            (s: Of) => s.thread === 0,
            () => {
              t.sleep({ seconds: comes });
              t.compute({ seconds: middle });
            },
            () => {
              t.sleep({ seconds: (s: Of) => s.thread - 1 });
              for (let k = 1; k <= n + 1; k++)
                t.when(
                  (s: Of) => s.thread === k,
                  () => {
                    const last = (): void => t.compute({ seconds: work });
                    if (k === n + 1) t.critical(locks, last, n - 1);
                    else
                      t.critical(
                        locks,
                        () => {
                          t.compute({ seconds: 0.5 });
                          if (k === 1) t.compute({ seconds: work });
                          else t.critical(locks, last, k - 2);
                        },
                        k - 1,
                      );
                    if (k === n + 1) t.sleep({ seconds: 1e4 });
                  },
                );
            },
          );
        },
        // The later a thread comes, the more urgent it is; the middle one is below the last one only.
        { priority: (s: Of) => (s.thread === 0 ? -2 : s.thread === n + 1 ? -1 : s.thread - 90) },
      );
    };
  const endOfLast = (...args: Parameters<typeof chain>): number => timeOf(chain(...args), 1, { timeSlice: 1 }) - 1e4;

  test('the middle thread delays the end of a chain by all its work, and not at all with inheritance', () => {
    for (const n of [1, 2, 3, 5])
      for (const [work, middle] of [
        [4, 30],
        [7.25, 11.5],
      ] as const) {
        // All come before the middle thread, which comes before the first holder has ended. On one core the chain takes the sum of its work.
        const comes = n + 0.25;
        const all = (n + 1) * work + n * 0.5;
        expect(endOfLast(n, 'inherit', work, comes, middle), `${n}`).toBeCloseTo(all, 6);
        expect(endOfLast(n, 'none', work, comes, middle), `${n}`).toBeCloseTo(all + middle, 6);
      }
  });

  test('a boosted waiter passes others, and after a release a holder keeps the priorities of its other locks', () => {
    // Lowest first: L holds b; M holds a, wants b behind U, which is more urgent than M; H wants a: M passes U.
    const build =
      (ends: 'U' | 'M'): Build =>
      (t) => {
        const [a, b] = [t.mutex('a', 1, { priority: 'inherit' }), t.mutex('b', 1, { priority: 'inherit' })];
        const [L, M, U, H] = [0, 1, 2, 3];
        const is = (k: number, block: () => void): void => t.when((s: Of) => s.thread === k, block);
        t.parallel(
          4,
          () => {
            is(L, () => t.critical(b, () => t.sleep({ seconds: 10 })));
            is(M, () => {
              t.sleep({ seconds: 1 });
              t.critical(a, () => t.critical(b, () => t.sleep({ seconds: 3 })));
              if (ends === 'M') t.sleep({ seconds: 1000 });
            });
            is(U, () => {
              t.sleep({ seconds: 2 });
              t.critical(b, () => t.sleep({ seconds: 5 }));
              if (ends === 'U') t.sleep({ seconds: 1000 });
            });
            is(H, () => {
              t.sleep({ seconds: 3 });
              t.critical(a, () => t.sleep({ seconds: 1 }));
            });
          },
          { priority: (s: Of) => s.thread - 10 },
        );
      };
    expect(timeOf(build('M'), 1)).toBeCloseTo(13 + 1000, 9);
    expect(timeOf(build('U'), 1)).toBeCloseTo(18 + 1000, 9);
  });

  test('after one release, a holder of two locks has the priority of the waiters of the other one', () => {
    // X holds a and b. A waits for a, H for b: H is most urgent. X releases b at 6: it then runs at the priority of A, ahead of the middle thread.
    const order =
      (first: 'a' | 'b'): Build =>
      (t) => {
        const [a, b] = [t.mutex('a', 1, { priority: 'inherit' }), t.mutex('b', 1, { priority: 'inherit' })];
        const [X, MIDDLE, A, H] = [0, 1, 2, 3];
        const is = (k: number, block: () => void): void => t.when((s: Of) => s.thread === k, block);
        t.parallel(
          4,
          () => {
            is(X, () => {
              t.lock(a);
              t.lock(b);
              t.compute({ seconds: 6 });
              t.unlock(first === 'a' ? a : b);
              t.compute({ seconds: 4 });
              t.unlock(first === 'a' ? b : a);
              t.compute({ seconds: 1 });
              t.sleep({ seconds: 1000 });
            });
            is(MIDDLE, () => {
              t.sleep({ seconds: 3 });
              t.compute({ seconds: 50 });
            });
            is(A, () => {
              t.sleep({ seconds: 1 });
              t.critical(a, () => t.sleep({ seconds: 1 }));
            });
            is(H, () => {
              t.sleep({ seconds: 2 });
              t.critical(b, () => t.sleep({ seconds: 1 }));
            });
          },
          { priority: (s: Of) => s.thread - 10 },
        );
      };
    // X has 10 s ahead of the middle thread, and its last second after it.
    for (const first of ['a', 'b'] as const)
      expect(timeOf(order(first), 1, { timeSlice: 1 })).toBeCloseTo(10 + 50 + 1 + 1000, 6);
  });
});

describe('waiters that give up', () => {
  const INHERITS = { priority: 'inherit' } as const;
  /** Blocks of threads by number; thread k has priority k − 10. The one of a number sleeps at the end, for longer than all others need. */
  const threadsOf =
    (blocks: (t: Parameters<Build>[0]) => readonly (() => void)[], last: number): Build =>
    (t) => {
      const all = blocks(t);
      t.parallel(
        all.length,
        () => {
          for (const [k, block] of all.entries())
            t.when(
              (s: Of) => s.thread === k,
              () => {
                block();
                if (k === last) t.sleep({ seconds: 1e4 });
              },
            );
        },
        { priority: (s: Of) => s.thread - 10 },
      );
    };
  const endOf = (blocks: (t: Parameters<Build>[0]) => readonly (() => void)[], last: number): number =>
    timeOf(threadsOf(blocks, last), 1, { timeSlice: 100 }) - 1e4;

  test('the middle thread has the core from then on: it ends at wants + limit + middle', () => {
    const seconds = (max: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: 10 * max }).map((k) => k / 10);
    fc.assert(
      fc.property(seconds(5), seconds(5), seconds(5), seconds(9), seconds(50), (wants, later, rest, more, middle) => {
        const [limit, comes] = [later + rest, wants + later];
        const low = wants + limit + more;
        const run = (last: number, isLimited: boolean): number =>
          endOf((t) => {
            const bus = t.mutex('bus', 1, INHERITS);
            return [
              () => t.critical(bus, () => t.compute({ seconds: low })),
              () => {
                t.sleep({ seconds: comes });
                t.compute({ seconds: middle });
              },
              () => {
                t.sleep({ seconds: wants });
                if (isLimited) t.tryLockFor(bus, limit, () => t.unlock(bus));
                else t.critical(bus, () => {});
              },
            ];
          }, last);
        expect(run(1, true)).toBeCloseTo(wants + limit + middle, 6);
        expect(run(2, true)).toBeCloseTo(wants + limit, 6);
        // Without a limit the lowest thread goes on until its release.
        expect(run(1, false)).toBeCloseTo(low + middle, 6);
        expect(run(2, false)).toBeCloseTo(low, 6);
        // The lowest one ends last.
        for (const isLimited of [true, false]) expect(run(0, isLimited)).toBeCloseTo(low + middle, 6);
      }),
      { numRuns: effort(60) },
    );
  });

  test('one that has the lock in time lends its priority, and inherits', () => {
    // Thread 0 has the lock until 5, ahead of thread 1. Thread 2 then has it for 3 s, ahead of thread 3, because thread 4 waits for it. After its
    // release thread 2 goes on behind threads 4 and 3.
    const blocks =
      (takes: 'lock' | 'tryLockFor') =>
      (t: Parameters<Build>[0]): readonly (() => void)[] => {
        const lock = t.mutex('lock', 1, INHERITS);
        const work = (): void => {
          t.compute({ seconds: 3 });
          t.unlock(lock);
        };
        return [
          () => t.critical(lock, () => t.compute({ seconds: 5 })),
          () => {
            t.sleep({ seconds: 2 });
            t.compute({ seconds: 50 });
          },
          () => {
            t.sleep({ seconds: 1 });
            if (takes === 'lock') {
              t.lock(lock);
              work();
            } else t.tryLockFor(lock, 30, work);
          },
          () => {
            t.sleep({ seconds: 6 });
            t.compute({ seconds: 20 });
          },
          () => {
            t.sleep({ seconds: 5.5 });
            t.critical(lock, () => t.compute({ seconds: 1 }));
          },
        ];
      };
    for (const takes of ['lock', 'tryLockFor'] as const) {
      expect(endOf(blocks(takes), 4), takes).toBeCloseTo(9, 6);
      expect(endOf(blocks(takes), 3), takes).toBeCloseTo(29, 6);
      expect(endOf(blocks(takes), 2), takes).toBeCloseTo(29, 6);
      expect(endOf(blocks(takes), 1), takes).toBeCloseTo(79, 6);
    }
  });

  test('the holder keeps the priority of another waiter, of the same lock or of another one', () => {
    const blocks =
      (locks: number) =>
      (t: Parameters<Build>[0]): readonly (() => void)[] => {
        const lock = t.mutex('lock', 2, INHERITS);
        return [
          () => t.critical(lock, () => t.critical(lock, () => t.compute({ seconds: 10 }), 1)),
          () => {
            t.sleep({ seconds: 2 });
            t.compute({ seconds: 20 });
          },
          () => {
            t.sleep({ seconds: 1 });
            t.critical(lock, () => {}, locks - 1);
          },
          () => {
            t.sleep({ seconds: 3 });
            t.compute({ seconds: 7 });
          },
          () => {
            t.sleep({ seconds: 1 });
            t.tryLockFor(lock, 4, () => t.unlock(lock));
          },
        ];
      };
    for (const locks of [1, 2]) {
      // Thread 4 gives up at 5: thread 3 has the core until 12, then the holder, ahead of thread 1, until 17.
      expect(endOf(blocks(locks), 3), `${locks}`).toBeCloseTo(12, 6);
      expect(endOf(blocks(locks), 2), `${locks}`).toBeCloseTo(17, 6);
      expect(endOf(blocks(locks), 1), `${locks}`).toBeCloseTo(37, 6);
    }
  });

  test('a holder that waits for a core goes behind more urgent threads, and ahead of those of its own priority', () => {
    const blocks =
      (middle: number) =>
      (t: Parameters<Build>[0]): readonly (() => void)[] => {
        const lock = t.mutex('lock', 1, INHERITS);
        return [
          // Made by thread 0, so that both have its priority. The holder computes once the other one sleeps, which comes to the core before the holder falls.
          () =>
            t.parallel(2, () =>
              t.when(
                (s: Of) => s.thread === 1,
                () => t.critical(lock, () => t.compute({ seconds: 4.25 })),
                () => {
                  t.sleep({ seconds: 2.5 });
                  t.compute({ seconds: 6 });
                  t.sleep({ seconds: 1e3 });
                },
              ),
            ),
          () => {
            t.sleep({ seconds: 2.5 });
            t.compute({ seconds: middle });
          },
          () => {
            t.sleep({ seconds: 1 });
            t.tryLockFor(lock, 2.5, () => t.unlock(lock));
          },
          () => {
            t.sleep({ seconds: 2 });
            t.compute({ seconds: 3 });
          },
        ];
      };
    // The most urgent one computes from 2 to 5. At 3.5 the holder, which has computed for 2 s, falls. It goes on at 5 + middle.
    for (const middle of [0, 8]) expect(endOf(blocks(middle), 0)).toBeCloseTo(1e3 + 5 + middle + 2.25 + 6, 6);
    expect(endOf(blocks(8), 1)).toBeCloseTo(13, 6);
  });

  test('along a chain of locks: a waiter goes back behind others, and each holder falls', () => {
    // Thread 0 holds b; thread 1 holds a, wants b behind thread 2, which is more urgent; thread 3 wants a for a time: thread 1 passes thread 2 meanwhile.
    const blocks =
      (limit: number) =>
      (t: Parameters<Build>[0]): readonly (() => void)[] => {
        const [a, b] = [t.mutex('a', 1, INHERITS), t.mutex('b', 1, INHERITS)];
        return [
          () => t.critical(b, () => t.sleep({ seconds: 10 })),
          () => {
            t.sleep({ seconds: 1 });
            t.critical(a, () => t.critical(b, () => t.sleep({ seconds: 3 })));
          },
          () => {
            t.sleep({ seconds: 2 });
            t.critical(b, () => t.sleep({ seconds: 5 }));
          },
          () => {
            t.sleep({ seconds: 3 });
            t.tryLockFor(a, limit, () => t.unlock(a));
          },
        ];
      };
    expect([1, 2, 3].map((last) => endOf(blocks(20), last))).toEqual([13, 18, 13].map((end) => expect.closeTo(end, 6)));
    expect([1, 2, 3].map((last) => endOf(blocks(4), last))).toEqual([18, 15, 7].map((end) => expect.closeTo(end, 6)));

    // n holders in a chain; the first one computes, at the priority of the last waiter until that gives up at 10. Then the middle thread has the core.
    const chain =
      (n: number) =>
      (t: Parameters<Build>[0]): readonly (() => void)[] => {
        const locks = t.mutex('lock', n, INHERITS);
        const holders = Array.from({ length: n }, (_, k) => () => {
          t.sleep({ seconds: k / 16 });
          t.critical(locks, () => (k === 0 ? t.compute({ seconds: 20 }) : t.critical(locks, () => {}, k - 1)), k);
        });
        return [
          ...holders,
          () => {
            t.sleep({ seconds: 2 });
            t.compute({ seconds: 30 });
          },
          () => {
            t.sleep({ seconds: 1 });
            t.tryLockFor(
              locks,
              9,
              () => t.unlock(locks),
              () => {},
              n - 1,
            );
          },
        ];
      };
    for (const n of [1, 2, 3, 5]) {
      expect(endOf(chain(n), n), `${n}`).toBeCloseTo(40, 6);
      expect(endOf(chain(n), n - 1), `${n}`).toBeCloseTo(50, 6);
    }
  });

  test('a strand that tries again and again has its place by its last try', () => {
    // Thread 0 has the lock until 10. Thread 1 tries for 2 s, four times, and thread 2 of the same priority waits from 1 on: it has the lock first.
    const build: Build = (t) => {
      const lock = t.mutex('lock', 1, INHERITS);
      t.parallel(
        3,
        () => {
          t.when(
            (s: Of) => s.thread === 0,
            () => t.critical(lock, () => t.sleep({ seconds: 10 })),
            () => {
              t.sleep({ seconds: (s: Of) => s.thread / 2 });
              t.when(
                (s: Of) => s.thread === 1,
                () =>
                  t.loop('k', 5, () =>
                    t.tryLockFor(lock, 2.2, () => {
                      t.sleep({ seconds: 100 });
                      t.unlock(lock);
                    }),
                  ),
                () => {
                  t.critical(lock, () => t.sleep({ seconds: 1 }));
                  t.sleep({ seconds: 1e3 });
                },
              );
            },
          );
        },
        { priority: (s: Of) => (s.thread === 0 ? -2 : -1) },
      );
    };
    expect(timeOf(build, 4)).toBeCloseTo(10 + 1 + 1e3, 6);
  });
});

describe('bad input', () => {
  const build: Build = (t) => t.parallel(3, () => t.compute({ seconds: 1 }), { priority: (s: Of) => s.thread });
  const model = threads({ name: 'bad', build });
  const net = (scheduler: SchedulerName, costs: Partial<ThreadCosts>, cores = 2): unknown =>
    threadNet(model.program(2), { speed: 1, cores, costs: { ...NO_COSTS, ...costs } }, { scheduler });

  test('priorities where threads do not change on processors', () => {
    expect(() => net('stealing', FREE)).toThrow(
      /THR010 priority 1 of thread 1 of parallel \S+: expected none under scheduler stealing, or scheduler os/,
    );
    expect(() => net('os', {})).toThrow(
      /THR010 .* with timeSlice: 0, by which 4 threads share 2 cores evenly: expected a time slice > 0 in the machine/,
    );
    // With a core for each thread there are no slices.
    expect(() => net('os', {}, 4)).not.toThrow();
  });

  test.each([
    [101, 'priority: expected an integer from -100 to 100, got 101'],
    [0.5, 'priority: expected an integer from -100 to 100, got 0.5'],
    ['high', 'priority: expected a number or a function of the state, got "high"'],
  ])('a priority of %o', (priority, text) => {
    const bad = threads({ name: 'bad', build: (t: Parameters<Build>[0]) => t.parallel(1, () => {}, { priority }) });
    expect(() => bad.program(1)).toThrow(text);
  });

  const program = (body: Build): unknown => threads({ name: 'bad', build: body }).program(1);

  test.each(['barging', 'spin', 'spin-then-park'])('a mutex of kind %s that inherits priorities', (kind) => {
    expect(() => program((t) => t.mutex('m', 1, { kind, priority: 'inherit' }))).toThrow(
      `THR006 mutex "m" of kind ${kind} with priority: 'inherit': expected kind handed-over, the default of such a mutex`,
    );
  });

  test('other protocols', () => {
    expect(() => program((t) => t.mutex('m', 1, { priority: 'ceiling' }))).toThrow(
      'THR002 priority: expected one of none, inherit, got "ceiling"',
    );
  });
});
