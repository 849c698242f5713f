import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { workerTimes } from '../../../src/commands/whatif/predictors/worker-times.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { DEFAULT_COSTS, NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';

// biome-ignore lint/suspicious/noExplicitAny: the builder of any model
type Build = (t: any) => void;

function netOf(build: Build, cores: number, costs: Partial<ThreadCosts>): ReturnType<typeof threadNet> {
  const model = threads({ name: 'slices', build });
  const machine = { speed: 1e9, cores, costs: { ...NO_COSTS, ...costs } };
  return threadNet(model.program(cores), machine, { scheduler: 'os' });
}

function timeOf(build: Build, cores: number, costs: Partial<ThreadCosts>): number {
  const run = simulate(netOf(build, cores, costs).net);
  expect(run.game.tokens('ended')).toHaveLength(1);
  return run.time;
}

const [slice, contextSwitch, cacheRefill] = [3e-3, 2e-6, 10e-6];
const SLICES = { timeSlice: slice, contextSwitch, cacheRefill };

/** Threads that all do the same. */
const team =
  (n: number, seconds: number): Build =>
  (t) =>
    t.parallel(n, () => t.compute({ seconds }));

describe('threads beyond the cores', () => {
  test('n equal threads on c cores take n/c times their work, switches and refills', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 2, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(0.1, 0.5, 1),
        (cores, each, slices, last) => {
          const work = (slices - 1 + last) * slice;
          // Each slice begins with a switch, and each but the first one of a thread with a cache to fill.
          const expected = each * (work + slices * contextSwitch + (slices - 1) * cacheRefill);
          const time = timeOf(team(cores * each, work), cores, SLICES);
          expect(Math.abs(time - expected)).toBeLessThan(1e-7 * expected);
        },
      ),
      { numRuns: effort(200) },
    );
  });

  test('switches that take no time, and slices that are short, approach even shares of the cores', () => {
    const build: Build = (t) =>
      t.parallel(5, () => t.compute({ seconds: (s: { thread: number }) => 0.01 * (1 + s.thread) }));
    const even = timeOf(build, 2, { timeSlice: 0 });
    expect(timeOf(build, 2, { timeSlice: 1e-5 })).toBeCloseTo(even, 4);
    // Long slices serve one thread after the other: 1 and 2 first, then 3, 4 and 5.
    expect(timeOf(build, 2, { timeSlice: 1 })).toBeCloseTo(0.09, 9);
  });

  test('a thread that sleeps gives its core to others', () => {
    expect(timeOf((t) => t.parallel(6, () => t.sleep({ seconds: 0.01 })), 1, { timeSlice: slice })).toBeCloseTo(
      0.01,
      12,
    );
  });

  test('waiters of a lock leave the core to its holder, and waiters that spin use up a slice', () => {
    const build =
      (kind: string): Build =>
      (t) => {
        const lock = t.mutex('lock', 1, { kind });
        t.parallel(2, () =>
          t.critical(lock, () => t.compute({ seconds: (s: { thread: number }) => (s.thread === 0 ? 1.5 * slice : 0) })),
        );
      };
    // The holder is preempted in its critical section; the other thread comes and finds the lock taken. Later the core is free.
    const parked = 1.5 * slice + 3 * contextSwitch + cacheRefill;
    expect(timeOf(build('barging'), 1, SLICES)).toBeCloseTo(parked, 9);
    expect(timeOf(build('spin'), 1, SLICES)).toBeCloseTo(parked + slice + contextSwitch, 9);
  });

  test('a thread whose slice is over goes on until another one wants its core, which has it at once', () => {
    const build: Build = (t) =>
      t.parallel(2, () =>
        t.when(
          (s: { thread: number }) => s.thread === 0,
          () => t.compute({ seconds: 10 * slice }),
          () => {
            t.sleep({ seconds: 5.5 * slice });
            t.compute({ seconds: 0.25 * slice });
          },
        ),
      );
    // The other one sleeps from the end of the first slice, and then the first one has been over for long.
    const expected = 10.25 * slice + 5 * contextSwitch + 2 * cacheRefill;
    expect(timeOf(build, 1, SLICES)).toBeCloseTo(expected, 9);
  });
});

describe('waiters that spin', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of any input
  const predicted = (build: Build, coresPerNode: number): any =>
    predict(threads({ name: 'spinning', build }), {
      machine: cluster({
        nodes: 1,
        coresPerNode,
        speed: 1e9,
        link: { latency: 1e-6, bandwidth: 1e10 },
        eagerBelow: 65536,
        threads: { ...NO_COSTS, ...SLICES },
      } as never),
      scheduler: 'os',
    } as never);

  test('the spinning of an object is time on a core: its holder computes while the waiter has none', () => {
    const result = predicted((t) => {
      const lock = t.mutex('lock', 1, { kind: 'spin' });
      t.parallel(2, () =>
        t.critical(lock, () => t.compute({ seconds: (s: { thread: number }) => (s.thread === 0 ? 1.5 * slice : 0) })),
      );
    }, 1);
    // Thread 0 holds the lock for a slice, thread 1 spins for a slice, thread 0 fills its cache and ends, thread 1 has the lock.
    const [one] = result.objects;
    expect(one.spinning).toBeCloseTo(slice, 9);
    expect(one.preempted).toBeCloseTo(0.5 * slice + 2 * contextSwitch + cacheRefill, 9);
    expect(one.seconds).toBeCloseTo(one.spinning + one.preempted, 12);
  });

  test('a waiter whose time is over gives up on its core, and one that has lost its core when it has one again', () => {
    const waiter =
      (seconds: number): Build =>
      (t) => {
        const lock = t.mutex('lock', 1, { kind: 'spin' });
        t.parallel(2, () =>
          t.when(
            (s: { thread: number }) => s.thread === 0,
            () => t.critical(lock, () => t.compute({ seconds: 1.5 * slice })),
            () =>
              t.tryLockFor(
                lock,
                seconds,
                () => t.unlock(lock),
                () => t.compute({ seconds: slice / 4 }),
              ),
          ),
        );
      };
    // Each turn on the core begins with a switch. Thread 1 has the core for half of its slice, spins, gives up and ends; thread 0 fills its cache and ends.
    const early = predicted(waiter(slice / 2), 1);
    expect(early.figures.runTime.value).toBeCloseTo(
      (1 + 0.5 + 0.25 + 0.5) * slice + 3 * contextSwitch + cacheRefill,
      9,
    );
    expect(early.objects).toMatchObject([{ acquisitions: 2, failed: 1, blocked: 1 }]);
    expect(early.objects[0].spinning).toBeCloseTo(slice / 2, 9);
    expect(early.objects[0].preempted).toBeUndefined();
    // Its time is over while thread 0 computes, which then releases the lock: thread 1 takes it.
    const late = predicted(waiter(1.25 * slice), 1);
    expect(late.figures.runTime.value).toBeCloseTo(2.5 * slice + 4 * contextSwitch + cacheRefill, 9);
    expect(late.objects[0].failed).toBeUndefined();
    expect(late.objects[0].spinning).toBeCloseTo(slice, 9);
  });

  test('spinning is all overhead where operations take no time, whatever the threads, cores and kinds of locks', () => {
    const kind = fc.constantFrom('spin', 'barging', 'handed-over');
    const slices = fc.integer({ min: 1, max: 30 }).map((k) => (k / 10) * slice);
    const thread = fc.record({ before: slices, inside: slices, after: slices });
    let spun = 0;
    fc.assert(
      fc.property(
        fc.array(kind, { minLength: 1, maxLength: 2 }),
        fc.array(thread, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (kinds, team, cores) => {
          const build: Build = (t) => {
            const locks = kinds.map((one, k) => t.mutex(`lock ${k}`, 1, { kind: one }));
            type Of = { readonly thread: number };
            t.parallel(team.length, () => {
              for (const lock of locks) {
                t.compute({ seconds: (s: Of) => team[s.thread]!.before });
                t.critical(lock, () => t.compute({ seconds: (s: Of) => team[s.thread]!.inside }));
                t.compute({ seconds: (s: Of) => team[s.thread]!.after });
              }
            });
          };
          const result = predicted(build, cores);
          type One = { seconds: number; spinning?: number; preempted?: number; name: string };
          const objects: readonly One[] = result.objects;
          const spinning = objects.reduce((all, o) => all + (o.spinning ?? 0), 0);
          const overhead = result.workers.reduce((all: number, w: { overhead: number }) => all + w.overhead, 0);
          spun += spinning;
          expect(Math.abs(spinning - overhead)).toBeLessThan(1e-9);
          for (const [k, one] of kinds.entries()) {
            const object = objects.find((o) => o.name === `lock ${k}`)!;
            const parts = (object.spinning ?? 0) + (object.preempted ?? 0);
            // Waiters that spin never park, and others never spin.
            expect(Math.abs((one === 'spin' ? object.seconds : 0) - parts)).toBeLessThan(1e-9);
          }
          const { locks, preempted } = workerTimes(result)!;
          const parked = objects.filter(
            (_, k) => objects[k]!.spinning === undefined && objects[k]!.preempted === undefined,
          );
          expect(
            Math.abs(locks - parked.reduce((all, o) => all + (o.name.startsWith('lock') ? o.seconds : 0), 0)),
          ).toBeLessThan(1e-9);
          const lost = result.workers.reduce((all: number, w: { preempted?: number }) => all + (w.preempted ?? 0), 0);
          expect(Math.abs(preempted - lost)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: effort(100) },
    );
    expect(spun).toBeGreaterThan(0);
  });
});

describe('threads that have a core each', () => {
  test('have the same net, whatever the slices', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), (n) => {
        const net = (timeSlice: number): unknown => netOf(team(n, 1), n + 1, { ...DEFAULT_COSTS, timeSlice }).net;
        expect(net(slice)).toEqual(net(0));
      }),
      { numRuns: effort(20) },
    );
  });

  test('take the same time if their creator waits for them', () => {
    for (let n = 1; n <= 6; n++)
      expect(timeOf(team(n, 0.01), n, DEFAULT_COSTS)).toBe(
        timeOf(team(n, 0.01), n, { ...DEFAULT_COSTS, timeSlice: 0 }),
      );
  });
});
