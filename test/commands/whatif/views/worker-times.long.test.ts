import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { workerTimes } from '../../../../src/commands/whatif/predictors/worker-times.ts';
import { whatif } from '../../../../src/commands/whatif/whatif.ts';
import { renderWhatIf } from '../../../../src/commands/whatif/whatif-view.ts';
import { cluster } from '../../../../src/machine/cluster.ts';
import { SCHEDULERS } from '../../../../src/models/threads/net/thread-net.ts';
import { threads } from '../../../../src/models/threads/program/threads.ts';
import { effort, FULL_EFFORT } from '../../../effort.ts';
import { arbitraryThreads, buildThreads } from '../../../reference/threads/random-threads.ts';

const machine = (cores: number, costs: object = {}) =>
  cluster({
    ...{ name: 'node', nodes: 1, coresPerNode: cores, speed: '1Gf', eagerBelow: 0, threads: costs },
    link: { latency: '1us', bandwidth: '1GB/s' },
  });
const none = { wake: 0, wakeUp: 0, create: 0, lock: 0, barrier: 0, spawn: 0, spin: 0 };

test('what workers do adds up to all workers times the run time, and no part exceeds what it is a part of', () => {
  let [locks, barriers, searching, preempted] = [0, 0, 0, 0];
  fc.assert(
    fc.property(
      fc.boolean().chain((blocking) => arbitraryThreads({ blocking })),
      fc.constantFrom(...SCHEDULERS),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 2, max: 4 }),
      (program, scheduler, workers, cores) => {
        const build = buildThreads(program);
        // Costs that are no rounding errors next to the computing.
        const costs = {
          wake: 0.01,
          wakeUp: 0.02,
          steal: 0.003,
          search: 0.001,
          lock: 0.002,
          spinFor: 0.3,
          barrier: 0.004,
        };
        const document = predict(threads({ name: 'random', build }), {
          machine: machine(cores, costs),
          scheduler,
          workers,
        });
        fc.pre(document.deadlock.length === 0);
        const times = workerTimes(document)!;
        const all = document.workers!.length * document.figures.runTime.value;
        expect(Object.values(times).reduce((sum, x) => sum + x, 0)).toBeCloseTo(all, 9);
        for (const seconds of Object.values(times)) expect(seconds).toBeGreaterThanOrEqual(-1e-9);
        const sum = (of: (w: NonNullable<typeof document.workers>[number]) => number): number =>
          document.workers!.reduce((total, w) => total + of(w), 0);
        if (!['a0', 'a1', 'a2'].includes(scheduler)) {
          expect(times.ownQueue + times.searching).toBeCloseTo(
            sum(({ states }) => (states?.local ?? 0) + (states?.global ?? 0)),
            9,
          );
          const waits = document.objects!.filter(({ kind }) => ['mutex', 'rwlock', 'latch'].includes(kind));
          const parked = waits.reduce((total, o) => total + o.seconds - (o.spinning ?? 0), 0);
          expect(times.locks + times.barriers).toBeCloseTo(parked, 9);
        }
        locks += times.locks;
        barriers += times.barriers;
        searching += times.searching;
        preempted += times.preempted;
      },
    ),
    { numRuns: effort(120) },
  );
  if (FULL_EFFORT)
    expect([locks, barriers, searching, preempted].map((seconds) => seconds > 0)).toEqual([true, true, true, true]);
});

/** The times of each number of workers, in workers. */
async function curve(
  model: ReturnType<typeof threads>,
  workers: readonly number[],
  costs: object,
): Promise<Record<string, number>[]> {
  const document = await whatif(
    model as never,
    { machine: machine(8, costs), scheduler: 'os', vary: { workers } } as never,
  );
  const [{ points }] = document.scaling as [(typeof document.scaling)[number]];
  const text = renderWhatIf(document, { width: 100, colour: false, unicode: true });
  expect(text).toContain('Workers on the mean');
  return points.map(({ times, runTime }) =>
    Object.fromEntries(Object.entries(times!).map(([name, seconds]) => [name, seconds / runTime])),
  );
}

test('a lock in every pass: the threads beyond the first few wait for it or spin', async () => {
  for (const [kind, cause] of [
    ['handed-over', 'locks'],
    ['spin', 'spinning'],
  ] as const) {
    const model = threads({
      name: 'locked',
      build(t) {
        const m = t.mutex('m', 1, { kind });
        t.parallel(t.workers, () =>
          t.loop('k', 64, () => {
            t.compute({ seconds: 3 });
            t.critical(m, () => t.compute({ seconds: 1 }));
          }),
        );
      },
    });
    const [one, eight] = await curve(model, [1, 8], none);
    // The main strand waits for its threads. One thread computes all the time.
    expect(one).toMatchObject({ computing: 1, waiting: 1, locks: 0, spinning: 0 });
    // The lock is always held: 4 s of computing for each second.
    expect(Math.abs(eight!['computing']! - 4)).toBeLessThan(0.1);
    expect(Math.abs(eight![cause]! - 4)).toBeLessThan(0.2);
  }
});

test('threads that share cores are preempted', async () => {
  const model = threads({
    name: 'crowd',
    build: (t) => t.parallel(2 * t.workers, () => t.compute({ seconds: 1 })),
  });
  const [four, eight] = await curve(model, [4, 8], { ...none, timeSlice: 0 });
  expect(four).toMatchObject({ computing: 8, preempted: 0 });
  expect(eight!['computing']).toBeCloseTo(8, 9);
  expect(eight!['preempted']).toBeCloseTo(8, 9);
  // With slices of 0.3 s: rounds of all threads, of which the first half has ended before the last 0.1 s of the others.
  const [, sliced] = await curve(model, [4, 8], { ...none, timeSlice: 0.3, contextSwitch: 0, cacheRefill: 0 });
  expect(sliced!['computing']).toBeCloseTo(8, 9);
  expect(sliced!['preempted']).toBeCloseTo(8 * (1 - 0.1 / 2), 6);
});
