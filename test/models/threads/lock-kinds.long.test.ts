import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { DEFAULT_COSTS, NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';

/** Run time under `os`, on two cores unless said. */
// biome-ignore lint/suspicious/noExplicitAny: any model
function time(build: (t: any) => void, costs: ThreadCosts = DEFAULT_COSTS, cores = 2): number {
  const machine = { speed: 1e9, cores, costs };
  return simulate(threadNet(threads({ name: 'x', build }).program(cores), machine, { scheduler: 'os' }).net).time;
}

const TIMES = 1000;
type Kind = 'barging' | 'handed-over' | 'spin' | 'spin-then-park' | 'reads' | 'writes' | 'atomic';

/** Nanoseconds of an operation of each thread, without the creation of the threads. */
function perOperation(kind: Kind, count: number, out: number, inside: number): number {
  // biome-ignore lint/suspicious/noExplicitAny: any model
  const build = (times: number) => (t: any) => {
    const isShared = kind === 'reads' || kind === 'writes';
    const m =
      kind === 'atomic' ? t.atomics('m') : isShared ? t.rwlock('m', 1, { kind: 'barging' }) : t.mutex('m', 1, { kind });
    const work = (ns: number): void => {
      if (ns > 0) t.compute({ seconds: ns * 1e-9 });
    };
    t.parallel(count, () =>
      t.loop('k', times, () => {
        work(out);
        if (kind === 'atomic') t.atomic(m);
        else if (kind === 'reads') t.readLock(m);
        else if (kind === 'writes') t.writeLock(m);
        else t.lock(m);
        work(inside);
        if (kind === 'reads') t.readUnlock(m);
        else if (kind === 'writes') t.writeUnlock(m);
        else if (kind !== 'atomic') t.unlock(m);
      }),
    );
  };
  // Both threads begin at the same time.
  const costs = { ...DEFAULT_COSTS, create: 0 };
  return ((time(build(TIMES), costs) - time(build(0), costs)) / TIMES) * 1e9;
}

describe('two threads against the medians of bench/threads/thread-costs.cpp', () => {
  test.each([
    ['barging', 2, 73],
    ['barging', 100, 410.5],
    ['barging', 1000, 3935.9],
    ['spin-then-park', 2, 80.4],
    ['spin-then-park', 100, 488.7],
    ['spin-then-park', 1000, 3161.6],
    ['spin', 2, 73.3],
    ['reads', 2, 76.4],
    ['writes', 2, 121.6],
    ['writes', 100, 391.1],
    ['atomic', 2, 29.2],
    ['atomic', 0, 23.2],
    // Measured again.
    ['barging', 2, 66.2],
    ['barging', 100, 426.9],
    ['barging', 1000, 3577.8],
    ['spin-then-park', 2, 76.3],
    ['spin-then-park', 100, 419.1],
    ['spin-then-park', 1000, 2663.6],
    ['reads', 2, 78.8],
    ['writes', 2, 139.1],
    ['writes', 100, 684.2],
    ['writes', 1000, 5788.3],
    ['atomic', 2, 28.5],
    ['atomic', 0, 22.2],
  ] as const)('%s with %i ns inside takes %f ns within a factor of 2', (kind, inside, measured) => {
    const ratio = perOperation(kind, 2, 0, inside) / measured;
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test.each([
    ['barging', 1.948],
    ['barging', 1.921],
    ['spin-then-park', 1.962],
    ['reads', 1.994],
    ['writes', 1.983],
    ['atomic', 2.028],
  ] as const)('%s: with 1 %% of the time in the lock, the speed-up is within 10 %% of %f', (kind, measured) => {
    const speedUp = (2 * perOperation(kind, 1, 9900, 100)) / perOperation(kind, 2, 9900, 100);
    expect(Math.abs(speedUp / measured - 1)).toBeLessThan(0.1);
  });

  test('a lock that is handed over costs a wake-up for each operation', () => {
    expect(perOperation('handed-over', 2, 0, 2)).toBeGreaterThan(0.9 * DEFAULT_COSTS.wakeUp * 1e9);
  });
});

const COSTS: ThreadCosts = { ...NO_COSTS, wake: 2, wakeUp: 3 };

/** Thread 0 holds the lock for 10 s, releases it, and takes it again for 10 s; thread 1 wants it after 1 s, for 1 s. */
function again(kind: Kind): number {
  return time((t) => {
    const m = t.mutex('m', 1, { kind });
    t.parallel(2, () =>
      t.when(
        (s: { thread: number }) => s.thread === 0,
        () => t.loop('k', 2, () => t.critical(m, () => t.compute({ seconds: 10 }))),
        () => {
          t.compute({ seconds: 1 });
          t.critical(m, () => t.compute({ seconds: 1 }));
        },
      ),
    );
  }, COSTS);
}

test('who releases a barging lock takes it again before the thread that it has woken', () => {
  // Thread 0 starts at 3, releases at 13, wakes until 15, holds until 25; thread 1 tries at 18, and again at 30.
  expect(again('barging')).toBe(31 + COSTS.wakeUp);
  // Thread 1 has the lock from 13, runs from 16 to 17; thread 0 waits until 20.
  expect(again('handed-over')).toBe(30 + COSTS.wakeUp);
  // Thread 1 has it from 13 to 14, thread 0 from then.
  expect(again('spin')).toBe(24 + COSTS.wakeUp);
});

test.each([2, 3, 8, 40])(
  'the hand-over of a spin lock takes longer with each of %i threads that go on spinning',
  (n) => {
    const turns = 5;
    const whole = time(
      (t) => {
        const m = t.mutex('m', 1, { kind: 'spin' });
        t.parallel(n, () => t.loop('k', turns, () => t.critical(m, () => t.compute({ seconds: 10 }))));
      },
      { ...NO_COSTS, spin: 2, spinner: 1 },
    );
    // All others wait at each release, until the last turns: then one less each time.
    const handOvers = n * (turns - 1) * (2 + n - 2) + 2 * (n - 1) + ((n - 1) * (n - 2)) / 2;
    expect(whole).toBe(10 * n * turns + handOvers);
  },
);

test('by default, threads that share a spin lock get slower beyond a number of them, those of a queue lock do not', () => {
  const perSecond = (n: number, costs: ThreadCosts): number => {
    const turns = 100;
    const whole = time(
      (t) => {
        const m = t.mutex('m', 1, { kind: 'spin' });
        const turn = (): void => {
          t.critical(m, () => t.compute({ seconds: 100e-9 }));
          t.compute({ seconds: 2e-6 });
        };
        t.parallel(n, () => t.loop('k', turns, turn));
      },
      { ...costs, create: 0, wakeUp: 0 },
      64,
    );
    return (n * turns) / whole;
  };
  const queueLock = { ...DEFAULT_COSTS, spinner: 0 };
  expect(perSecond(48, queueLock)).toBeGreaterThan(0.98 * perSecond(24, queueLock));
  expect(perSecond(48, DEFAULT_COSTS)).toBeLessThan(0.6 * perSecond(16, DEFAULT_COSTS));
});

test('who spins before it parks has the lock if it is released in time', () => {
  const costs: ThreadCosts = { ...COSTS, spin: 0.5 };
  const twice = (inside: number, spinFor: number) =>
    time(
      (t) => {
        const m = t.mutex('m', 1, { kind: 'spin-then-park' });
        t.parallel(2, () =>
          t.when(
            (s: { thread: number }) => s.thread === 0,
            () => t.critical(m, () => t.compute({ seconds: inside })),
            () => {
              t.compute({ seconds: 1 });
              t.critical(m, () => t.compute({ seconds: 1 }));
            },
          ),
        );
      },
      { ...costs, spinFor },
    );
  // Threads start at 3. Released at 7, when thread 1 has spun from 4: it computes from 7.5 to 8.5.
  expect(twice(4, 4)).toBe(8.5 + COSTS.wakeUp);
  // Thread 1 parks at 6; the release at 7 wakes it until 9; it runs at 12.
  expect(twice(4, 2)).toBe(13 + COSTS.wakeUp);
  // At the instant at which it would park, the lock is released.
  expect(twice(4, 3)).toBe(8.5 + COSTS.wakeUp);
  // Without spinning it is a barging lock.
  expect(twice(4, 0)).toBe(13 + COSTS.wakeUp);
});

test('reader-writer locks that prefer readers or writers, against fair ones', () => {
  // 0 writes for 10 s; then come a reader (1 s), a writer (2 s), a reader (3 s), a writer (4 s), which work for 1, 2, 4 and 8 s.
  const ends = (kind: string): number[] => {
    const found: number[] = [];
    const model = threads({
      name: 'preference',
      build(t) {
        const l = t.rwlock('l', 1, { kind: kind as 'barging' });
        t.parallel(5, () => {
          t.compute({ seconds: (s) => s.thread });
          t.when(
            (s) => s.thread % 2 === 1,
            () => {
              t.readLock(l);
              t.compute({ seconds: (s) => 2 ** (s.thread - 1) });
              t.readUnlock(l);
            },
            () => {
              t.writeLock(l);
              t.compute({ seconds: (s) => (s.thread === 0 ? 10 : 2 ** (s.thread - 1)) });
              t.writeUnlock(l);
            },
          );
        });
      },
    });
    const net = threadNet(model.program(5), { speed: 1e9, cores: 5, costs: NO_COSTS }, { scheduler: 'os' });
    const sink = { computes: (w: number, _s: number, _at: number, _from: number, to: number) => (found[w - 1] = to) };
    runThreads(net, { sinks: [sink] });
    return found;
  };
  // Reader 1 until 11, writer 2 until 13, reader 3 until 17, writer 4 until 25.
  expect(ends('handed-over')).toEqual([10, 11, 13, 17, 25]);
  // Both readers from 10, until 11 and 14; then the writers, until 16 and 24.
  expect(ends('readers-first')).toEqual([10, 11, 16, 14, 24]);
  // The writers until 12 and 20; then the readers, until 21 and 24.
  expect(ends('writers-first')).toEqual([10, 21, 12, 24, 20]);
});

test('barriers have a cost of their own', () => {
  const costs: ThreadCosts = { ...NO_COSTS, lock: 1, barrier: 8 };
  // It arrives, and finds the barrier complete.
  const ends = time((t) => {
    const b = t.barriers('b', 1);
    t.parallel(1, () => t.barrier(b));
  }, costs);
  expect(ends).toBe(16);
});

test('threads are created one after another by their creator, and woken for later sections', () => {
  const costs: ThreadCosts = { ...NO_COSTS, create: 5, wake: 2, wakeUp: 3, cacheLine: 1 };
  const sections = (team: string, times: number, n: number) =>
    time((t) => t.loop('k', times, () => t.parallel(n, () => t.compute({ seconds: 10 }), { team })), costs, 100);
  expect(sections('park', 1, 100)).toBe(100 * 5 + 3 + 10 + 3);
  expect(sections('park', 3, 4)).toBe(4 * 5 + 16 + 2 * (4 * 2 + 16));
  expect(sections('new', 3, 4)).toBe(3 * (4 * 5 + 16));
  expect(sections('spin', 3, 4)).toBe(4 * 5 + 16 + 2 * (1 + 10 + 3));
});

test('a barging reader-writer lock lets readers pass writers; handed over, they wait behind them', () => {
  const readers = (kind: string) =>
    time(
      (t) => {
        const l = t.rwlock('l', 1, { kind });
        const reads = (seconds: number): void => {
          t.readLock(l);
          t.compute({ seconds });
          t.readUnlock(l);
        };
        t.parallel(3, () =>
          t.when(
            (s: { thread: number }) => s.thread === 1,
            () => {
              t.compute({ seconds: 1 });
              t.writeLock(l);
              t.compute({ seconds: 5 });
              t.writeUnlock(l);
            },
            () => {
              t.compute({ seconds: (s: { thread: number }) => s.thread });
              reads(10);
            },
          ),
        );
      },
      NO_COSTS,
      3,
    );
  // Readers from 0 to 10 and from 2 to 12, then the writer.
  expect(readers('barging')).toBe(17);
  // The writer from 10 to 15, then the second reader.
  expect(readers('handed-over')).toBe(25);
});

test('unknown kinds are refused', () => {
  expect(() => time((t) => t.mutex('m', 1, { kind: 'fair' }))).toThrow(
    /one of barging, handed-over, spin, spin-then-park, got "fair"/,
  );
  expect(() => time((t) => t.rwlock('m', 1, { kind: 'spin' }))).toThrow(
    /one of barging, handed-over, readers-first, writers-first/,
  );
  expect(() => time((t) => t.parallel(1, () => {}, { team: 'old' }))).toThrow(/one of park, spin, new/);
});

test('a contended mutex wakes one waiter at a time, so that most operations take no wake-up', () => {
  for (const count of [2, 4, 8]) {
    const model = threads({
      name: 'contended',
      build(t) {
        const m = t.mutex('m');
        t.parallel(count, () => t.loop('k', 2000, () => t.critical(m, () => t.compute({ seconds: 2e-9 }))));
      },
    });
    const machine = { speed: 1e9, cores: count, costs: DEFAULT_COSTS };
    const { time: ends, firings } = simulate(threadNet(model.program(count), machine, { scheduler: 'os' }).net);
    const wakes = firings['wakes for a lock'] ?? 0;
    expect(wakes).toBeGreaterThan(0);
    expect(wakes * DEFAULT_COSTS.wakeUp).toBeLessThanOrEqual(ends);
    // Measured with two threads: 73 ns for each and operation.
    expect(ends / (2000 * count)).toBeLessThan(200e-9);
  }
});
