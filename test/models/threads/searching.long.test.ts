import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { SCHEDULERS, type ThreadNetOptions, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { POOL_KINDS } from '../../../src/models/threads/net/worker-stacks.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';
import { arbitraryThreads, buildThreads } from '../../reference/threads/random-threads.ts';

type Options = Omit<ThreadNetOptions, 'scheduler'> & Partial<ThreadNetOptions>;

/** Steps, rows and strands of a run without costs. */
function run(
  model: ThreadModel,
  workers: number,
  options: Options,
  costs = NO_COSTS,
): { readonly steps: number; readonly size: number; readonly strands: number; readonly time: number } {
  const program = model.program(workers);
  const machine = { speed: 1e9, cores: workers, costs };
  const { ended, steps, time } = runThreads(threadNet(program, machine, { scheduler: 'stealing', ...options }));
  expect(ended).toBe(true);
  return { steps, time, size: program.rows.count + program.strands.count, strands: program.strands.count };
}

const COOPERATIVE: ReadonlySet<string> = new Set(['a0', 'a1', 'a2']);

const options = fc.record({
  scheduler: fc.constantFrom(...SCHEDULERS),
  victim: fc.constantFrom('random' as const, 'nearest' as const, 'last' as const),
  take: fc.constantFrom('one' as const, 'half' as const),
  rounds: fc.integer({ min: 1, max: 3 }),
  pool: fc.constantFrom(...POOL_KINDS),
  bypass: fc.boolean(),
});

test('without costs the steps of a run are bounded by its rows, strands and workers', () => {
  fc.assert(
    fc.property(
      arbitraryThreads({ blocking: false, tries: false }),
      fc.constantFrom(2, 3, 10, 40, 100),
      options,
      (program, workers, more) => {
        const model = threads({ name: 'random', build: buildThreads(program) });
        const { steps, size, strands } = run(model, workers, more);
        // The nearest queue is found step by step: two steps for each worker.
        const searches = more.victim === 'nearest' ? 2 * more.rounds * workers * (2 * strands + workers) : 0;
        // Scheduler threads are notified, and scan their blocked threads, for each release.
        const notified = COOPERATIVE.has(more.scheduler) ? strands * (workers + strands) : 0;
        expect(steps).toBeLessThanOrEqual(16 * (size + workers) + searches + 20 * notified);
      },
    ),
    { numRuns: effort(150) },
  );
});

function loop(n: number, seconds: number, spawning: 'linear' | 'recursive'): ThreadModel {
  return threads({
    name: 'loop',
    build: (t) => t.parallelFor({ n, grain: 1, spawning, body: (b) => b.compute({ seconds }) }),
  });
}

test.each([
  ['random', 'linear', 'one'],
  ['random', 'recursive', 'half'],
  ['last', 'linear', 'half'],
  ['last', 'recursive', 'one'],
] as const)('1,000 workers that search at no cost: victim %s, spawning %s, take %s', (victim, spawning, take) => {
  for (const seconds of [0, 2 ** -10]) {
    const { steps, size, time } = run(loop(2000, seconds, spawning), 1000, { victim, take });
    expect(steps).toBeLessThanOrEqual(16 * (size + 1000));
    // Two tasks for each worker, all ready at once.
    if (take === 'one') expect(time).toBe(2 * seconds);
  }
});

test('100 workers that search step by step: no steps are counted as endless', () => {
  for (const seconds of [0, 2 ** -10]) {
    const { time } = run(loop(400, seconds, 'linear'), 100, { victim: 'nearest' });
    expect(time).toBe(4 * seconds);
  }
  // So small that no time passes.
  expect(run(loop(400, 1, 'linear'), 100, {}, { ...NO_COSTS, search: 1e-300 }).time).toBe(4);
});

/** Tasks that wait for tasks: continued by workers that search meanwhile. Durations of 0 to 3.5 s depend on `seed`. */
function waiting(seed: number, count: number): ThreadModel {
  const seconds = (a: number, b: number): number => {
    const x = Math.sin(a * 12.9898 + b * 78.233 + seed * 37.719) * 43758.5453;
    return 0.5 * Math.floor((x - Math.floor(x)) * 8);
  };
  return threads({
    name: 'waiting',
    build(t) {
      t.task('leaf', { i: 0 }, (b) => b.compute({ seconds: (s) => seconds(s['i'] as number, 3) }));
      t.task('node', { i: 0 }, (b) => {
        const first = b.spawn('leaf', { i: (s) => 3 * (s['i'] as number) + 1 });
        b.compute({ seconds: (s) => seconds(s['i'] as number, 1) });
        const second = b.spawn('leaf', { i: (s) => 3 * (s['i'] as number) + 2 });
        b.get(first);
        b.compute({ seconds: (s) => seconds(s['i'] as number, 2) });
        b.get(second);
      });
      t.loop('j', count, () => {
        t.spawn('node', { i: (s) => s['j'] as number });
        t.compute({ seconds: (s) => seconds(s['j'] as number, 5) });
      });
      t.sync();
    },
  });
}

test.each([
  [197, 3, 3, 'one'],
  [281, 3, 3, 'one'],
  [365, 3, 3, 'half'],
  [215, 7, 5, 'half'],
  [395, 5, 5, 'half'],
] as const)(
  'a worker whose own queue is held by a thief does not search without end: seed %i',
  (seed, count, workers, take) => {
    const costs = { ...NO_COSTS, steal: [1, 2, 3][seed % 3]!, wakeUp: seed % 2 };
    const spawn = seed % 3 === 1 ? 'work-first' : 'help-first';
    const { steps, size, strands } = run(waiting(seed, count), workers, { victim: 'nearest', take, spawn }, costs);
    expect(steps).toBeLessThanOrEqual(16 * (size + workers) + 2 * workers * (2 * strands + workers));
  },
);
