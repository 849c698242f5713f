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
});
