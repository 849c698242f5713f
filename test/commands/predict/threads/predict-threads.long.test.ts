import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblem, InputError } from '../../../../src/base/problem.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../../src/commands/predict/prediction.ts';
import { renderPrediction } from '../../../../src/commands/predict/view/terminal.ts';
import { SCHEDULERS } from '../../../../src/models/threads/net/thread-net.ts';
import { threads } from '../../../../src/models/threads/program/threads.ts';
import { spmd } from '../../../../src/models.ts';
import { effort } from '../../../effort.ts';
import { deadlocked, free, loop, node } from './models.ts';

const page = (document: PredictionDocument): string =>
  renderPrediction(document, { width: 100, colour: false, unicode: true });

function problems(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem).join('\n');
  }
  return '';
}

describe('figures of a run', () => {
  test('without costs, two tasks on two workers take the time of one', () => {
    const model = threads({
      name: 'two',
      build: (t) => t.parallelFor({ n: 2, body: (b) => b.compute({ flops: 3e9 }) }),
    });
    const document = predict(model, { machine: free, workers: 2 });
    expect(document.figures.runTime).toEqual({ value: 3, unit: 's' });
    expect(document.figures.parallelism.mean.value).toBe(2);
    expect(document.figures.loadBalance.value).toBe(1);
    expect(document.workers!.map(({ computing, idle }) => [computing, idle])).toEqual([
      [3, 0],
      [3, 0],
    ]);
    expect(document.ranks).toEqual([]);
    expect(document.options).toMatchObject({ model: 'two', workers: 2, scheduler: 'stealing', bypass: 'yes' });
    expect(document.resources[0]).toMatchObject({
      kind: 'host',
      utilisation: 2 / 8,
      amount: { value: 6e9, unit: 'flop' },
    });
  });

  test('the default scheduler is os without tasks, and workers are the cores of a node', () => {
    const model = threads({ name: 'p', build: (t) => t.parallel(4, () => t.compute({ seconds: 1 })) });
    expect(predict(model, { machine: free }).options).toMatchObject({ workers: 8, scheduler: 'os' });
    expect(predict(model, { machine: free, workers: 2, scheduler: 'static' }).figures.runTime.value).toBe(2);
  });

  test('threads beyond the number of cores share them: parallelism is that of the cores', () => {
    const model = threads({ name: 'p', build: (t) => t.parallel(32, () => t.compute({ seconds: 1 })) });
    const { figures, resources } = predict(model, { machine: free });
    expect(figures.runTime.value).toBeCloseTo(4, 9);
    expect(figures.parallelism.max.value).toBe(8);
    expect(resources[0]!.utilisation).toBeCloseTo(1, 9);
  });

  test('bytes share the memory of each socket, and have a state of their own', () => {
    const model = threads({ name: 'm', build: (t) => t.parallel(8, () => t.compute({ bytes: 5e9 })) });
    const { figures, workers, resources } = predict(model, { machine: free });
    // 20 GB on each socket with 10 GB/s.
    expect(figures.runTime.value).toBeCloseTo(2, 9);
    expect(workers!.reduce((sum, w) => sum + w.memory, 0)).toBeCloseTo(16, 9);
    expect(resources.filter(({ kind }) => kind === 'memory').map((r) => r.utilisation)).toEqual([1, 1]);
    expect(problems(() => predict(model, { machine: node }))).toBe('');
    expect(predict(model, { machine: node }).warnings[0]!.code).toBe('MODEL030');
  });

  test('a lock: acquisitions, how many waited, and for how long', () => {
    const model = threads({
      name: 'lock',
      build(t) {
        const m = t.mutex('m');
        t.parallel(3, () => t.critical(m, () => t.compute({ seconds: 1 })));
      },
    });
    const { objects, workers, figures } = predict(model, { machine: free, scheduler: 'os' });
    expect(figures.runTime.value).toBe(3);
    expect(objects).toMatchObject([{ name: 'm', kind: 'mutex', acquisitions: 3, blocked: 2, seconds: 3 }]);
    // The main thread waits for all; two threads wait 1 s and 2 s.
    expect(workers!.map(({ waiting }) => waiting)).toEqual([3, 0, 1, 2]);
  });

  test('regions of the main strand, with the time of the workers in them', () => {
    const { regions } = predict(loop, { machine: free, workers: 4 });
    expect(regions!.map(({ name, executions }) => [name, executions])).toEqual([
      ['first', 1],
      ['tasks', 1],
    ]);
    expect(regions![0]!.seconds).toBeCloseTo(2e-6, 12);
    expect(regions![0]!.computing).toBeCloseTo(2e-6, 12);
    expect(regions![0]!.idle).toBeCloseTo(3 * 2e-6, 12);
  });

  test('machine costs are echoed, with defaults', () => {
    const { machine } = predict(loop, { machine: node, workers: 2 });
    expect(machine!['threads']).toMatchObject({ lock: 7e-9, create: 15e-6 });
  });
});

describe.each(SCHEDULERS)('scheduler %s: properties', (scheduler) => {
  const options = fc.record({
    workers: fc.integer({ min: 1, max: 12 }),
    n: fc.integer({ min: 0, max: 60 }),
    grain: fc.integer({ min: 1, max: 7 }),
    machine: fc.constantFrom(free, node),
  });

  test('the parts of each worker add up, and agree with regions, parallelism and counters', () => {
    fc.assert(
      fc.property(options, ({ workers, n, grain, machine }) => {
        const document = predict(loop, { machine, workers, scheduler, set: { n, grain } });
        const time = document.figures.runTime.value;
        const all = document.workers!;
        for (const w of all) {
          expect(w.computing + w.memory + w.overhead + w.waiting + w.idle).toBeCloseTo(time, 12);
          if (scheduler === 'os') continue;
          const { exec, local, global, wait } = w.states!;
          expect(exec + local + global + wait).toBeCloseTo(time, 12);
          expect(wait).toBeCloseTo(w.waiting + w.idle, 12);
          // Flow conservation: entries into a state and exits from it differ by at most one.
          const c = w.counters!;
          expect(Math.abs(c.execLocal - c.localExec - c.globalExec)).toBeLessThanOrEqual(1);
          expect(Math.abs(c.execLocal - c.localExec - c.localGlobal)).toBeLessThanOrEqual(1);
          expect(Math.abs(c.globalWait - c.waitGlobal)).toBeLessThanOrEqual(1);
        }
        const computing = all.reduce((sum, w) => sum + w.computing, 0);
        const shared = (scheduler === 'os' ? all.length : workers) > 8;
        if (!shared) expect(document.figures.parallelism.mean.value * time).toBeCloseTo(computing, 12);
        const inRegions = document.regions!.reduce((sum, r) => sum + r.computing, 0);
        // The first microsecond is outside all regions.
        expect(inRegions + 1e-6).toBeCloseTo(computing, 12);
        const { acquisitions } = document.objects!.find(({ name }) => name === 'sum') ?? { acquisitions: 0 };
        expect(acquisitions).toBe(Math.ceil(n / grain));
      }),
      { numRuns: effort(40) },
    );
  });

  test('one worker without costs takes the sum of all work', () => {
    const one = predict(loop, { machine: free, workers: 1, scheduler: scheduler === 'os' ? 'static' : scheduler });
    expect(one.figures.runTime.value).toBeCloseTo(3e-6 + 64 * (5e-6 + 1e-7), 12);
  });
});

describe('random victims', () => {
  test('equal seeds give equal results, replications differ', () => {
    const run = (seed: string): PredictionDocument => predict(loop, { machine: node, workers: 4, seed });
    expect(run('a')).toEqual(run('a'));
    const { replications } = predict(loop, { machine: node, workers: 4, replications: 8 });
    expect(replications!.count).toBe(8);
    expect(new Set(replications!.seconds).size).toBeGreaterThan(1);
  });

  test('a precision needs random parts', () => {
    const options = { machine: node, workers: 4, victim: 'nearest', precision: 0.01 } as const;
    expect(problems(() => predict(loop, options))).toMatch(/APP024 .*no random parts/);
  });
});

describe('deadlocks and faults', () => {
  test.each(['os', 'stealing'] as const)('scheduler %s: who waits for what, held by whom', (scheduler) => {
    const document = predict(deadlocked, { machine: free, scheduler });
    expect(document.figures.runTime.value).toBe(1);
    expect(document.deadlock).toMatchObject([
      { rank: 1, operation: 'lock m[1]', object: 'm[1]', waitsFor: [2], since: 1 },
      { rank: 2, operation: 'lock m[0]', object: 'm[0]', waitsFor: [1], since: 1 },
    ]);
    expect(document.deadlock[0]!.strand).toMatch(/^thread 0 of parallel models\.ts:\d+$/);
    expect(document.deadlock[0]!.line).toBeGreaterThan(1);
    expect(page(document)).toContain('Deadlock after 1.000 s (1 s): 2 strands wait forever');
    expect(page(document).replaceAll(/\s+/g, ' ')).toMatch(
      /thread 0 of parallel \S+: lock m\[1\], models\.ts:\d+, held by thread 1 of parallel|thread 0 of parallel \S+ on worker \d+: lock m\[1\], models\.ts:\d+, held by thread 1 of parallel/,
    );
  });

  test('an event that nobody sets', () => {
    const model = threads({
      name: 'event',
      build(t) {
        const e = t.event('go');
        t.wait(e);
      },
    });
    const document = predict(model, { machine: free });
    expect(document.deadlock).toMatchObject([{ strand: 'main', operation: 'wait go', waitsFor: [] }]);
    expect(page(document)).toContain('nobody will release go');
  });

  test('THR009: an unlock of a mutex that is not locked, with its line', () => {
    const model = threads({
      name: 'fault',
      build(t) {
        const m = t.mutex('m');
        t.parallel(2, () => t.unlock(m));
      },
    });
    expect(problems(() => predict(model, { machine: free }))).toMatch(
      /predict-threads\.long\.test\.ts:\d+:\d+: THR009 unlock m: it is not held, in thread 0 of parallel/,
    );
  });

  test('a run is not cut short: a thread model has no end time', () => {
    for (const options of [{ maxSteps: 50 }, { until: 1e-6 }])
      expect(() => predict(loop, { machine: free, workers: 2, ...options })).toThrow('THR011');
  });
});

describe('options', () => {
  test.each([
    [{ workers: 0 }, /THR010 workers: expected an integer from 1 to 1000000, got 0/],
    [{ workers: 1_000_001 }, /THR010 workers: expected an integer from 1 to 1000000, got 1000001/],
    [{ workers: 1.5 }, /THR010 workers/],
    [{ scheduler: 'steeling' as never }, /THR010 scheduler: .*Did you mean "stealing"/],
    [{ victim: 'any' as never }, /THR010 victim: expected one of random, nearest, last/],
    [{ take: 'all' as never }, /THR010 take: expected one of one, half/],
    [{ rounds: 0 }, /THR010 rounds: expected an integer from 1/],
    [{ bypass: 1 as never }, /THR010 bypass: expected a boolean, got 1/],
    [{ scheduler: 'os', bypass: false }, /THR010 bypass: scheduler os does not have this option/],
    [{ scheduler: 'central', victim: 'last' }, /THR010 victim: scheduler central does not have/],
    [{ ranks: 4 }, /THR011 option ranks does not apply to a thread model: it belongs to models and traces/],
    [{ placement: 'cyclic' }, /THR011 .*option placement/],
    [{ set: { m: 1 } }, /MODEL005 model "loop" has no parameter "m"/],
  ] as const)('the options %j are refused', (options, says) => {
    expect(problems(() => predict(loop, { machine: free, ...options }))).toMatch(says);
  });

  test('options of threads for a model of message passing', () => {
    const model = spmd({ name: 'r', build: (m) => m.barrier() });
    // @ts-expect-error the option does not apply to this kind of input
    expect(problems(() => predict(model, { machine: free, workers: 2 }))).toMatch(
      /THR011 option workers does not apply to a model/,
    );
    // @ts-expect-error the option does not apply to this kind of input
    expect(problems(() => predict(model, { machine: free, scheduler: 'os' }))).toMatch(/THR011 option scheduler/);
  });
});
