import { describe, expect, test } from 'vitest';
import type { FindingCause } from '../../../src/analysis/diagnosis/causes.ts';
import { LOSS_CAUSES } from '../../../src/analysis/diagnosis/known-losses.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import type { DiagnosisDocument, DiagnosisFinding } from '../../../src/commands/diagnose/diagnosis-document.ts';
import type { DiagnoseModelOptions } from '../../../src/commands/diagnose/diagnosis-options.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';

/** Costs that the closed forms below have, in seconds. */
const costs = {
  ...{ spawn: 50e-9, lock: 25e-9, atomic: 25e-9, cacheLine: 65e-9 },
  ...{ create: 1e-6, wake: 5e-6, wakeUp: 5e-6, steal: 500e-9 },
};

/** Eight cores of 1 Gflop/s with 20 GB/s of memory, 10 GB/s for one of them. */
const node = cluster({
  name: 'node',
  nodes: 1,
  coresPerNode: 8,
  speed: 1e9,
  memory: 20e9,
  memoryPerCore: 10e9,
  eagerBelow: 0,
  link: { latency: 1e-6, bandwidth: 1e10 },
  threads: costs,
});
type Builder = Parameters<Parameters<typeof threads>[0]['build']>[0];
type Scope = Record<string, number>;
const model = (build: (t: Builder) => void): ThreadModel => threads({ name: 'kind', build }) as ThreadModel;
const W = 8;

/** A public kind of program that does not scale. */
interface Kind {
  readonly kind: string;
  readonly build: (t: Builder) => void;
  readonly options?: DiagnoseModelOptions;
  /** The cause that is built in; others are not reported. */
  readonly cause: FindingCause;
  /** Its object. */
  readonly object?: string;
  /** Run time in seconds by a closed form: at least and at most. */
  readonly time: readonly [least: number, most: number];
  /** Predicted gain in seconds; undefined: none is predicted. */
  readonly gain?: readonly [least: number, most: number];
}

/** Creating the threads of a section takes this, one after the other or at the same time; and the end of the section. */
const SECTION = W * (costs.create + costs.spawn) + 2 * costs.wakeUp;
/** Waking a team that has been created: one thread after the other, and the end of the section. */
const TEAM = SECTION + W * costs.wake;
/** From the release of a lock until the waiter that it wakes runs. */
const WOKEN = costs.wake + costs.wakeUp;
/** From a closed form without the section to one with it. */
const section = (seconds: number): [number, number] => [seconds, seconds + SECTION];
const near = (seconds: number): [number, number] => [0.9 * seconds, 1.1 * seconds];

const KINDS: readonly Kind[] = [
  {
    kind: 'false sharing: each update moves a cache line',
    build: (t) => t.parallel(W, () => t.loop('k', 10_000, () => t.compute({ seconds: 1e-9, shared: 8 }))),
    cause: 'false-sharing',
    time: section(10_000 * (1e-9 + costs.cacheLine)),
    gain: near(10_000 * costs.cacheLine),
  },
  {
    kind: 'a shared counter: atomic operations take place one after the other',
    build(t) {
      const counter = t.atomics('hits');
      t.parallel(W, () => t.loop('k', 5000, () => t.atomic(counter)));
    },
    cause: 'contended-atomic',
    object: 'hits',
    time: section(W * 5000 * costs.atomic),
    gain: near((W - 1) * 5000 * costs.atomic),
  },
  {
    kind: 'critical section in a loop',
    build(t) {
      const m = t.mutex('total');
      t.parallel(W, () =>
        t.loop('k', 100, () => {
          t.compute({ seconds: 20e-6 });
          t.critical(m, () => t.compute({ seconds: 20e-6 }));
        }),
      );
    },
    cause: 'lock-contention',
    object: 'total',
    // All critical sections one after the other; for each at most a waiter that is woken, and the operations.
    time: [W * 100 * 20e-6, 20e-6 + W * 100 * (20e-6 + WOKEN + 100e-9) + SECTION],
    // With locks of their own, threads take 40 us an iteration.
    gain: [0.9 * (W * 100 * 20e-6 - 100 * 40e-6), 20e-6 + W * 100 * (20e-6 + WOKEN + 100e-9) - 100 * 40e-6 + SECTION],
  },
  {
    kind: 'lock convoy: a short section that all want at the same time',
    build(t) {
      const m = t.mutex('log');
      t.parallel(W, () =>
        t.loop('k', 200, () => {
          t.compute({ seconds: 1e-6 });
          t.critical(m, () => t.compute({ seconds: 1e-6 }));
        }),
      );
    },
    cause: 'lock-contention',
    object: 'log',
    time: [W * 200 * 1e-6, W * 200 * (1e-6 + WOKEN + 100e-9) + SECTION],
  },
  {
    kind: 'reader-writer starvation: long reads keep a writer out, and then each other',
    build(t) {
      const l = t.rwlock('table');
      t.parallel(W, () =>
        t.loop('k', 20, () =>
          t.when(
            (s: Scope) => s['thread'] === 0,
            () => {
              t.writeLock(l);
              t.compute({ seconds: 1e-3 });
              t.writeUnlock(l);
            },
            () => {
              t.readLock(l);
              t.compute({ seconds: 1e-3 });
              t.readUnlock(l);
            },
          ),
        ),
      );
    },
    cause: 'lock-contention',
    object: 'table',
    // Readers are together, at best; with a writer between all reads they take twice as long.
    time: [20e-3 + 20e-3, 40 * (1e-3 + W * costs.wakeUp) + SECTION],
  },
  {
    kind: 'barriers in a loop with one slow thread',
    build(t) {
      const b = t.barriers('step', W);
      t.parallel(W, () =>
        t.loop('k', 50, () => {
          t.compute({ seconds: (s: Scope) => (s['thread'] === 0 ? 100e-6 : 50e-6) });
          t.barrier(b);
        }),
      );
    },
    cause: 'barrier-waiting',
    object: 'step',
    time: [50 * 100e-6, 50 * (100e-6 + costs.wakeUp + 1e-6) + SECTION],
  },
  {
    kind: 'static schedule on a triangle',
    build: (t) =>
      t.parallelFor({
        ...{ name: 'rows', n: 128, schedule: 'static' },
        body: (b) =>
          b.compute({
            seconds: (s: Scope) => 1e-6 * (s['count']! * s['first']! + (s['count']! * (s['count']! - 1)) / 2),
          }),
      }),
    cause: 'excessive-waiting',
    // Rows 112 to 127.
    time: section(16e-6 * 119.5),
    gain: [0.7 * (16e-6 * 119.5 - (127e-6 * 128) / 2 / W), 16e-6 * 119.5 - (127e-6 * 128) / 2 / W + SECTION],
  },
  {
    kind: 'tasks too fine',
    build: (t) =>
      t.parallelFor({ name: 'l', n: 20_000, body: (b) => b.compute({ seconds: (s: Scope) => s['count']! * 20e-9 }) }),
    cause: 'fine-grain',
    // Each task is spawned and taken from the own queue.
    time: [(20_000 * (20e-9 + costs.spawn + 20e-9)) / W, (1.2 * 20_000 * (20e-9 + costs.spawn + 20e-9)) / W + 20e-6],
    gain: [0.8 * ((20_000 * (costs.spawn + 20e-9)) / W), 1.2 * ((20_000 * (costs.spawn + 20e-9)) / W)],
  },
  {
    kind: 'linear spawning',
    build(t) {
      t.task('work', {}, (b) => b.compute({ seconds: 3e-6 }));
      t.loop('k', 5000, () => t.spawn('work'));
      t.sync();
    },
    cause: 'linear-spawning',
    // Seven workers steal each task that they execute.
    time: near(5000 / (1 / 3e-6 + (W - 1) / (3e-6 + costs.steal + 1e-6))),
    gain: [0.1 * ((5000 * 3e-6) / W), 0.6 * ((5000 * 3e-6) / W)],
  },
  {
    kind: 'nested teams: each of eight threads creates eight',
    build: (t) => t.parallel(W, () => t.parallel(W, () => t.compute({ seconds: 10e-3 }))),
    options: { scheduler: 'os' },
    cause: 'oversubscription',
    time: [8 * 10e-3, 1.1 * 8 * 10e-3],
  },
  {
    kind: 'more threads than cores',
    build: (t) => t.parallel(4 * W, () => t.compute({ seconds: 10e-3 })),
    options: { scheduler: 'os' },
    cause: 'oversubscription',
    time: [4 * 10e-3, 1.1 * 4 * 10e-3],
  },
  {
    kind: 'memory bound',
    build: (t) =>
      t.parallelFor({
        ...{ name: 'triad', n: 1e6, schedule: 'static' },
        body: (b) => b.compute({ flops: (s: Scope) => 2 * s['count']!, bytes: (s: Scope) => 24 * s['count']! }),
      }),
    cause: 'memory-bandwidth',
    time: section(2e6 / 8e9 + 24e6 / 20e9),
  },
  {
    kind: 'forks in a time loop',
    build: (t) =>
      t.loop('k', 100, () =>
        t.parallelFor({
          ...{ name: 'row', n: 16, schedule: 'static' },
          body: (b) => b.compute({ seconds: (s: Scope) => s['count']! * 0.5e-6 }),
        }),
      ),
    options: { scheduler: 'os' },
    cause: 'forks-in-time-loop',
    time: [100 * (costs.wake + 1e-6), 100 * (TEAM + 1e-6)],
    // A pool, or one section around the loop, leaves a wake-up of each step.
    gain: [0, 100 * TEAM],
  },
  {
    kind: 'a thread for each of 200 small tasks',
    build: (t) => t.parallel(200, () => t.compute({ seconds: 0.1e-6 })),
    options: { scheduler: 'os', machine: cluster({ ...nodeOf(256) }), workers: 256 },
    cause: 'thread-creation',
    time: [costs.create, 200 * (costs.create + costs.spawn) + 2 * costs.wakeUp + 1e-6],
  },
  {
    kind: 'bounded queue with a slow consumer',
    build(t) {
      const [free, full] = [t.semaphore('free', 4), t.semaphore('full', 0)];
      t.parallel(2, () =>
        t.when(
          (s: Scope) => s['thread'] === 0,
          () =>
            t.loop('k', 100, () => {
              t.compute({ seconds: 1e-3 });
              t.acquire(free);
              t.release(full);
            }),
          () =>
            t.loop('k', 100, () => {
              t.acquire(full);
              t.release(free);
              t.compute({ seconds: 2e-3 });
            }),
        ),
      );
    },
    cause: 'waiting-for-others',
    object: 'free',
    time: [1e-3 + 100 * 2e-3, 1e-3 + 100 * (2e-3 + costs.wakeUp) + SECTION],
  },
  {
    kind: 'priority inversion: a thread of middle priority keeps the holder of a lock from the core',
    build(t) {
      const bus = t.mutex('bus', 1, { kind: 'handed-over' });
      const [LOW, MIDDLE] = [0, 1];
      t.parallel(
        26,
        () =>
          t.when(
            (s: Scope) => s['thread'] === LOW,
            () => t.critical(bus, () => t.compute({ seconds: 1.2e-3 })),
            () =>
              t.when(
                (s: Scope) => s['thread'] === MIDDLE,
                () => {
                  t.sleep({ seconds: 0.4e-3 });
                  t.compute({ seconds: 50e-3 });
                },
                () => {
                  t.sleep({ seconds: 0.2e-3 });
                  t.critical(bus, () => t.compute({ seconds: 10e-6 }));
                },
              ),
          ),
        { priority: (s: Scope) => s['thread']! - 40 },
      );
    },
    options: { scheduler: 'os', machine: cluster(nodeOf(1)) },
    cause: 'priority-inversion',
    object: 'bus',
    time: [51.2e-3, 51.2e-3 + 24 * 30e-6 + 26 * 20e-6],
  },
  {
    kind: 'blocking input in a pool',
    build(t) {
      t.task('request', {}, (b) => {
        b.compute({ seconds: 1e-3 });
        b.sleep({ seconds: 9e-3 });
      });
      t.loop('i', 160, () => t.spawn('request'));
      t.sync();
    },
    cause: 'system-calls',
    time: near((160 / W) * 10e-3),
    // With a worker for each request, the cores compute all the time.
    gain: [0.8 * (0.2 - 160e-3 / W - 9e-3), 0.2 - 160e-3 / W],
  },
  {
    kind: 'a chain of tasks, each made by the one before',
    build(t) {
      t.task('step', { i: 0 }, (b) => {
        b.compute({ seconds: 20e-6 });
        b.when(
          (s: Scope) => s['i']! > 0,
          () => b.spawn('step', { i: (s: Scope) => s['i']! - 1 }),
        );
      });
      t.spawn('step', { i: 99 });
      t.sync();
    },
    cause: 'critical-path',
    time: [100 * 20e-6, 100 * (20e-6 + 2e-6) + costs.wakeUp],
  },
  {
    kind: 'fewer tasks than workers',
    build: (t) => t.parallelFor({ name: 'l', n: 4, body: (b) => b.compute({ seconds: 10e-3 }) }),
    cause: 'too-few-tasks',
    time: [10e-3, 10e-3 + 20e-6],
  },
  {
    kind: 'one long part, which the strand of the loop executes itself: no chain',
    build: (t) =>
      t.parallelFor({
        ...{ name: 'l', n: 8 },
        body: (b) => b.compute({ seconds: (s: Scope) => (s['first'] === 0 ? 10 : 1) * 10e-3 }),
      }),
    cause: 'excessive-waiting',
    time: [100e-3, 100e-3 + 20e-6],
  },
  {
    kind: 'parts of a loop that runs again on other workers than before',
    build: (t) =>
      t.loop('step', 10, () =>
        t.parallelFor({
          ...{ name: 'sweep', n: 256, partitioner: 'auto' },
          body: (b) => b.compute({ seconds: 1e-6, reused: 4096 }),
        }),
      ),
    options: { scheduler: 'stealing', pool: 'stack' },
    cause: 'moved-data',
    // Each of 256 / 8 parts of a worker computes, and fetches 64 lines once at least.
    time: [32 * (10 * 1e-6 + 64 * costs.cacheLine), 32 * 10 * (1e-6 + 64 * costs.cacheLine) + 10 * 30e-6],
    // An affinity partitioner saves most of the fetches after the first step.
    gain: [0.4 * 32 * 9 * 64 * costs.cacheLine, 32 * 9 * 64 * costs.cacheLine],
  },
  {
    kind: 'an uncontended lock for each tiny step',
    build(t) {
      const m = t.mutex('m', W);
      t.parallel(W, () =>
        t.loop('k', 2000, () => {
          t.lock(m, (s: Scope) => s['thread']!);
          t.compute({ seconds: 20e-9 });
          t.unlock(m, (s: Scope) => s['thread']!);
        }),
      );
    },
    cause: 'object-operations',
    object: 'm',
    time: [2000 * 20e-9, 2000 * (20e-9 + 4 * 25e-9) + SECTION],
  },
];

function nodeOf(coresPerNode: number): Parameters<typeof cluster>[0] {
  return {
    name: 'large',
    nodes: 1,
    coresPerNode,
    speed: 1e9,
    eagerBelow: 0,
    link: { latency: 1e-6, bandwidth: 1e10 },
    threads: costs,
  };
}

const diagnosed = ({ build, options }: Kind): DiagnosisDocument =>
  diagnose(model(build), { machine: node, workers: W, ...options });

describe('public kinds of thread programs that do not scale', () => {
  for (const kind of KINDS) test(`diagnoses ${kind.cause}: ${kind.kind}`, () => holds(kind));

  test('all causes that lines and objects show', () => {
    // Slower hosts are a cause of programs with ranks (slower-hosts.long.test.ts).
    const built: readonly string[] = [...KINDS.map(({ cause }) => cause), 'slower-host'];
    expect(LOSS_CAUSES.filter((cause) => !built.includes(cause))).toEqual([]);
  });
});

describe('time beyond the work is no speed-up', () => {
  const of = (cause: FindingCause): Kind => KINDS.find((kind) => kind.cause === cause)!;

  test.each(['false-sharing', 'memory-bandwidth', 'moved-data'] as const)('%s: the speed-up is work / T', (cause) => {
    const [region] = diagnosed(of(cause)).regions;
    expect(region!.speedup / (region!.serialTime! / region!.seconds)).toBeCloseTo(1, 6);
  });

  test('without memoryPerCore, one core has all of the memory: 2 ms of computing and 1.2 ms of loading are serial', () => {
    const { build } = of('memory-bandwidth');
    const { memoryPerCore: _, ...alone } = { ...nodeOf(8), memory: 20e9, memoryPerCore: 0 };
    const { model: about, regions } = diagnose(model(build), { machine: cluster(alone), workers: W });
    const [serial, shared] = [2e6 / 1e9 + 24e6 / 20e9, (24e6 / 20e9) * (1 - 1 / W)];
    expect(about!.serialTime).toBeCloseTo(serial, 9);
    const [{ cause, secondsLost }] = regions[0]!.findings as [DiagnosisFinding];
    expect(cause).toBe('memory-bandwidth');
    // Threads begin one after the other, so that they share the memory a little less.
    expect(secondsLost).toBeLessThanOrEqual(W * shared * (1 + 1e-9));
    expect(secondsLost).toBeGreaterThan(0.95 * W * shared);
  });

  test('more threads than cores do not compute on more than the cores', () => {
    const { build } = of('memory-bandwidth');
    const [region] = diagnose(model(build), { machine: cluster(nodeOf(4)), workers: W }).regions;
    expect(region).toMatchObject({ workersCount: W, cores: 4 });
    for (const { speedupWithout } of region!.findings) expect(speedupWithout).toBeLessThanOrEqual(4);
  });
});

function holds(kind: Kind): void {
  const document = diagnosed(kind);
  const { runTime } = document.model!;
  expect(runTime).toBeGreaterThanOrEqual(kind.time[0] * (1 - 1e-9));
  expect(runTime).toBeLessThanOrEqual(kind.time[1]);
  const [region] = document.regions;
  expect(region!.findings.map(({ cause }) => cause)).toEqual([kind.cause]);
  const [finding] = region!.findings;
  expect(finding!.subject?.object).toBe(kind.object);
  for (const { value, threshold } of finding!.evidence) {
    expect(threshold).toBeGreaterThan(0);
    expect(value).toBeGreaterThan(0);
  }
  expect(finding!.share).toBeGreaterThan(0.1);
  // Neither the speed-up nor the one without the loss is more than the work and the cores permit.
  const { speedup, serialTime, seconds } = region!;
  expect(speedup).toBeLessThanOrEqual((serialTime! / seconds) * (1 + 1e-6));
  expect(finding!.speedupWithout).toBeGreaterThanOrEqual(speedup);
  expect(finding!.speedupWithout).toBeLessThanOrEqual(Math.min(W, region!.cores ?? W) * (1 + 1e-9));
  if (kind.gain === undefined) return;
  expect(finding!.predictedGain).toBeGreaterThanOrEqual(kind.gain[0]);
  expect(finding!.predictedGain).toBeLessThanOrEqual(kind.gain[1]);
}
