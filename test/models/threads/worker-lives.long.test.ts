import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorkerMeter } from '../../../src/analysis/diagnosis/worker-meter.ts';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { DEFAULT_COSTS, NO_COSTS } from '../../../src/models/threads/costs.ts';
import { isCooperative, type SchedulerName, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { WorkerLives } from '../../../src/models/threads/worker-lives.ts';
import { COUNTERS, WORKER_STATES, type WorkerConsumer } from '../../../src/trace/workers/worker-states.ts';
import { effort } from '../../effort.ts';
import { modelOf, threadPrograms } from './random-threads.ts';

/** Runs a model, and gives the lives of its workers to a consumer. */
function lives(
  model: ThreadModel<never> | ThreadModel,
  consumer: WorkerConsumer,
  options: {
    scheduler?: SchedulerName;
    workers?: number;
    free?: boolean;
    bypass?: boolean;
  } = {},
): number {
  const { scheduler = 'stealing', workers = 4, free = false, bypass = true } = options;
  const machine = { speed: 1e9, cores: workers, costs: free ? NO_COSTS : DEFAULT_COSTS };
  const net = threadNet(
    (model as ThreadModel).program(workers, isCooperative(scheduler) ? { joins: 'object' } : {}),
    machine,
    { scheduler, bypass },
  );
  const sink = new WorkerLives(net, consumer);
  const run = runThreads(net, { sinks: [sink] });
  expect(run.ended).toBe(true);
  sink.end(run.time);
  return run.time;
}

describe('regions', () => {
  test('a region that is executed twice does not count the time between; sequential sections are left out', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.loop('k', 2, () => {
          t.compute({ seconds: 10 });
          t.parallelFor({ n: 4, name: 'loop', body: (b) => b.compute({ seconds: 1 }) });
        });
      },
    });
    const meter = new WorkerMeter();
    expect(lives(model, meter, { free: true })).toBe(22);
    const [region, ...others] = meter.regions();
    expect(others).toEqual([]);
    expect(region).toMatchObject({ name: 'loop', from: 10, to: 22, seconds: 2 });
    expect([...region!.workers.values()].map(({ seconds }) => [...seconds])).toEqual(
      Array.from({ length: 4 }, () => [2, 0, 0, 0]),
    );
  });

  test('os: a thread that has ended waits until its loop ends, also inside a named region', () => {
    const seconds = (count: number) =>
      threads({
        name: 'm',
        build(t) {
          t.region('all', () => {
            for (let k = 0; k < count; k++)
              t.parallelFor({
                n: 4,
                schedule: 'static',
                body: (b) => b.compute({ seconds: ({ first }) => first + 1 }),
              });
            t.compute({ seconds: 5 });
          });
        },
      });
    for (const count of [1, 2]) {
      const meter = new WorkerMeter();
      lives(seconds(count), meter, { scheduler: 'os', free: true });
      const [region] = meter.regions();
      // Each loop has threads of its own.
      expect([...region!.workers.values()].map((w) => [...w.seconds])).toEqual(
        Array.from({ length: 4 * count }, (_, k) => [(k % 4) + 1, 0, 0, 3 - (k % 4)]),
      );
    }
  });

  test('os: a task that has ended is no worker', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.task('short', {}, (b) => b.compute({ seconds: 1 }));
        for (let k = 0; k < 3; k++) t.spawn('short', {});
        t.compute({ seconds: 9 });
        t.sync();
      },
    });
    const meter = new WorkerMeter();
    lives(model, meter, { scheduler: 'os', free: true });
    const [region] = meter.regions();
    expect([...region!.workers.values()].map((w) => [...w.seconds])).toEqual(
      Array.from({ length: 3 }, () => [1, 0, 0, 0]),
    );
  });

  test('a named region includes the regions inside', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.region('both', () => {
          t.compute({ seconds: 1 });
          t.parallelFor({ n: 4, name: 'loop', body: (b) => b.compute({ seconds: 1 }) });
        });
      },
    });
    const meter = new WorkerMeter();
    lives(model, meter, { free: true });
    expect(meter.regions().map(({ name, seconds }) => [name, seconds])).toEqual([['both', 2]]);
  });

  test.each(['stealing', 'central', 'static', 'a0'] as const)(
    'a worker takes part in each loop of a named region (%s)',
    (scheduler) => {
      const model = threads({
        name: 'm',
        build(t) {
          t.region('all', () => {
            for (let k = 0; k < 3; k++) t.parallelFor({ n: 4, body: (b) => b.compute({ seconds: 1 }) });
          });
        },
      });
      const meter = new WorkerMeter();
      lives(model, meter, { scheduler, free: true, workers: 2 });
      expect(meter.regions().map(({ name }) => name)).toEqual(['all']);
      expect([...meter.regions()[0]!.workers.values()].map(({ stays }) => stays)).toEqual([3, 3]);
    },
  );

  test('tasks that the main strand spawns are a region up to the join', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.task('work', {}, (b) => b.compute({ seconds: 2 }));
        t.compute({ seconds: 1 });
        t.loop('k', 4, () => t.spawn('work'));
        t.sync();
        t.compute({ seconds: 1 });
      },
    });
    const meter = new WorkerMeter();
    lives(model, meter, { free: true });
    expect(meter.regions().map(({ name, from, to }) => [name.replace(/\d+$/, ''), from, to])).toEqual([
      ['tasks worker-lives.long.test.ts:', 1, 3],
    ]);
  });

  test('a worker whose strand is blocked is idle, and looks for no task', () => {
    const model = threads({
      name: 'm',
      build(t) {
        const m = t.mutex('m');
        t.parallel(2, () => t.critical(m, () => t.compute({ seconds: 1 })), { name: 'section' });
      },
    });
    const meter = new WorkerMeter();
    lives(model, meter, { free: true, workers: 2 });
    const [{ workers }] = meter.regions() as [ReturnType<WorkerMeter['regions']>[number]];
    const idle = [...workers.values()].reduce((sum, { seconds }) => sum + seconds[3]!, 0);
    expect(idle).toBe(2);
  });

  test('threads of the operating system are workers from their begin to the end of their section', () => {
    const model = threads({
      name: 'm',
      build: (t) => t.parallel(3, () => t.compute({ seconds: ({ thread }) => 1 + thread }), { name: 'section' }),
    });
    const meter = new WorkerMeter();
    lives(model, meter, { free: true, scheduler: 'os' });
    const [region] = meter.regions();
    expect([...region!.workers].map(([w, { seconds }]) => [w, ...seconds])).toEqual([
      [1, 1, 0, 0, 2],
      [2, 2, 0, 0, 1],
      [3, 3, 0, 0, 0],
    ]);
  });
});

/** States before and after each counter, in the words of the document. */
const EDGES: Readonly<Record<(typeof COUNTERS)[number], readonly [string, string]>> = {
  execExec: ['EXEC', 'EXEC'],
  execLocal: ['EXEC', 'LOCAL'],
  localExec: ['LOCAL', 'EXEC'],
  localGlobal: ['LOCAL', 'GLOBAL'],
  globalGlobal: ['GLOBAL', 'GLOBAL'],
  globalExec: ['GLOBAL', 'EXEC'],
  globalWait: ['GLOBAL', 'WAIT'],
  waitGlobal: ['WAIT', 'GLOBAL'],
};

/** Checks that every transition starts in the state that the one before has entered. */
class FlowChecker implements WorkerConsumer {
  readonly into = new Map<string, number>();
  counted = 0;

  span(_worker: number, _region: string, state: number, start: number, end: number): void {
    expect(WORKER_STATES[state]).toBeDefined();
    expect(end).toBeGreaterThan(start);
  }

  transition(worker: number, region: string, counter: number): void {
    this.counted++;
    const name = COUNTERS[counter];
    expect(name).toBeDefined();
    const [before, after] = EDGES[name!];
    const add = (state: string, by: number): void => {
      const key = `${worker} ${region} ${state}`;
      this.into.set(key, (this.into.get(key) ?? 0) + by);
    };
    add(before, -1);
    add(after, 1);
  }
}

test('the flow into a state equals the flow out of it, up to the first and last state of a stay in the region', () => {
  let counted = 0;
  fc.assert(
    fc.property(
      threadPrograms,
      fc.constantFrom(
        'stealing' as const,
        'central' as const,
        'static' as const,
        'a0' as const,
        'a1' as const,
        'a2' as const,
      ),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      fc.boolean(),
      (parts, scheduler, workers, free, bypass) => {
        // All of the program is one execution of one region, so that a worker has one stay.
        const model = modelOf(parts);
        const checker = new FlowChecker();
        lives(model, checker, { scheduler, workers, free, bypass });
        counted += checker.counted;
        const stays = new Map<string, number>();
        for (const [key, flow] of checker.into) {
          const [worker, region] = key.split(' ');
          expect(Number.isInteger(flow)).toBe(true);
          stays.set(`${worker} ${region}`, (stays.get(`${worker} ${region}`) ?? 0) + flow);
        }
        for (const flow of stays.values()) expect(flow).toBe(0);
        if (regionsOf(model, workers) <= 1)
          for (const flow of checker.into.values()) expect(Math.abs(flow)).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: effort(50) },
  );
  expect(counted).toBeGreaterThan(0);
});

/** Executions of regions. */
function regionsOf(model: ThreadModel, workers: number): number {
  const { rows } = model.program(workers);
  return rows.op.filter((op, k) => op === 16 && rows.b[k] === 1).length;
}
