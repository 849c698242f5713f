import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { compile } from '../../../src/engine/compile.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import type { Resize } from '../../../src/models/threads/net/pool-queues.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { ThreadEvents } from '../../../src/models/threads/thread-events.ts';
import { effort } from '../../effort.ts';

/** A resource manager that varies the number of workers of a pool: figure 2 of CN 102918501. */

const loop = (n: number, seconds: number): ThreadModel =>
  threads({
    name: 'loop',
    build(t) {
      t.parallelFor({ n, grain: 1, spawning: 'linear', body: (b) => b.compute({ seconds }) });
    },
  }) as ThreadModel;

interface Beginning {
  readonly worker: number;
  readonly start: number;
}

function run(
  model: ThreadModel,
  workers: number,
  scheduler: 'stealing' | 'central',
  resizes: readonly Resize[],
): { readonly time: number; readonly began: readonly Beginning[] } {
  const machine = { speed: 1e9, cores: workers, costs: NO_COSTS };
  const net = threadNet(model.program(workers), machine, { scheduler, victim: 'nearest', bypass: false, resizes });
  const began: Beginning[] = [];
  const sink = {
    computes: (worker: number, _s: number, _at: number, start: number): void => void began.push({ worker, start }),
  };
  const compiled = compile(net.net, { timed: ['ended'], log: new ThreadEvents(net, sink).log() });
  const { game } = simulate(compiled);
  const [end] = game.tokens('ended');
  return { time: end!.time, began };
}

const SCHEDULERS = ['stealing', 'central'] as const;

describe.each(SCHEDULERS)('%s: a resource manager', (scheduler) => {
  test.each([
    // 40 of 80 tasks of 1 ms on 8 workers until 5 ms, 40 on 4 workers.
    { resizes: [{ time: 5e-3, workers: 4 }], time: 15e-3 },
    // 10 on 2 workers until 5 ms, 70 on 8.
    {
      resizes: [
        { time: 0, workers: 2 },
        { time: 5e-3, workers: 8 },
      ],
      time: 14e-3,
    },
    // Tasks are not interrupted: at 0.5 ms, 8 are executed; then 72 by one worker.
    { resizes: [{ time: 0.5e-3, workers: 1 }], time: 73e-3 },
    // A change after the end.
    { resizes: [{ time: 1, workers: 1 }], time: 10e-3 },
    { resizes: [], time: 10e-3 },
  ])('80 tasks of 1 ms on 8 workers, $resizes', ({ resizes, time }) => {
    const found = run(loop(80, 1e-3), 8, scheduler, resizes);
    expect(found.time).toBeCloseTo(time, 12);
    expect(found.began).toHaveLength(80);
  });

  test('tasks begin on permitted workers only, and all are executed', () => {
    const resizes = fc
      .array(fc.record({ time: fc.integer({ min: 0, max: 60 }), workers: fc.integer({ min: 1, max: 6 }) }), {
        maxLength: 5,
      })
      .map((list) => [...new Map(list.map((r) => [r.time, r])).values()].sort((a, b) => a.time - b.time));
    fc.assert(
      fc.property(resizes, fc.integer({ min: 1, max: 60 }), (list, n) => {
        // Tasks take 7 time units, so that few of them end at the instant of a change.
        const { time, began } = run(loop(n, 7), 6, scheduler, list);
        const permitted = (at: number): number => list.findLast((r) => r.time <= at)?.workers ?? 6;
        const before = (at: number): number => list.findLast((r) => r.time < at)?.workers ?? 6;
        expect(began).toHaveLength(n);
        for (const { worker, start } of began) expect(worker).toBeLessThan(Math.max(permitted(start), before(start)));
        // Work is conserved: the run is at least as long as with all workers, at most as long as with one.
        expect(time).toBeGreaterThanOrEqual(7 * Math.ceil(n / 6));
        expect(time).toBeLessThanOrEqual(7 * n + 7);
      }),
      { numRuns: effort(60) },
    );
  });
});

describe('the option', () => {
  const machine = cluster({
    nodes: 1,
    coresPerNode: 8,
    speed: 1e9,
    eagerBelow: 0,
    link: { latency: 1e-6, bandwidth: 1e9 },
  });

  test('is in the settings of the result, and its steps are counted', () => {
    const document = predict(loop(80, 1e-3), { machine, workers: 8, scheduler: 'central', resize: '5ms=4, 0.02=8' });
    expect(document.options).toMatchObject({ workers: 8, resize: '0.005=4,0.02=8', bypass: 'no' });
    expect(document.figures.runTime.value).toBeGreaterThan(14e-3);
    expect(document.scheduler!.steps).toMatchObject({ 'changes the number of workers': 1 });
    expect(document.scheduler!.steps['leaves the pool']).toBe(4);
  });

  test('time of workers that are not in the pool is not idle time of the region', () => {
    const options = { machine, workers: 8, scheduler: 'central' } as const;
    const [few] = diagnose(loop(80, 1e-3), { ...options, resize: '0s=2' }).regions;
    expect(few!.findings.map(({ cause }) => cause)).toEqual([]);
    expect(few!.speedup).toBeGreaterThan(1.9);
    expect(few!.speedup).toBeLessThanOrEqual(2);
    expect(few!.inactiveShare).toBeLessThan(0.05);
  });

  test('on fewer workers of the speed-up curve, it permits at most these', () => {
    const options = { machine, workers: 8, scheduler: 'central', speedup: true } as const;
    const simulated = (resize: string): (number | undefined)[] =>
      diagnose(loop(80, 1e-3), { ...options, resize }).speedup!.points.map((point) => Math.round(point.simulated!));
    expect(simulated('0s=2')).toEqual([1, 2, 2, 2]);
    expect(simulated('0s=4,1s=8')).toEqual([1, 2, 4, 4]);
  });

  test.each([
    ['10ms', /THR010 resize: "10ms": expected TIME=WORKERS/],
    ['10ms=9', /THR010 resize: "10ms=9": expected a number of workers from 1 to 8/],
    ['10ms=0', /THR010 resize: "10ms=0": expected a number of workers from 1 to 8/],
    ['10ms=2,5ms=3', /THR010 resize: "5ms=3" is not later than the change before it/],
    ['10parsec=2', /THR010 resize: "10parsec=2": .*unknown unit/],
    ['-1=2', /THR010 resize: "-1=2": .*must not be negative/],
  ])('%s is refused', (resize, message) => {
    expect(() => predict(loop(8, 1), { machine, workers: 8, scheduler: 'central', resize })).toThrow(message);
  });

  test.each(['os', 'static', 'a2'] as const)('scheduler %s has none', (scheduler) => {
    expect(() => predict(loop(8, 1), { machine, scheduler, resize: '1=1' })).toThrow(/THR010 resize: scheduler/);
  });

  test('pools with stacks have none', () => {
    expect(() => predict(loop(8, 1), { machine, scheduler: 'central', pool: 'stack', resize: '1=1' })).toThrow(
      /THR010 resize: a pool of kind stack/,
    );
  });
});
