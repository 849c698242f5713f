import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { compile } from '../../../src/engine/compile.ts';
import { NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import type { SpawnPolicy } from '../../../src/models/threads/net/pool-queues.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { ThreadEvents } from '../../../src/models/threads/thread-events.ts';

/** Whether the rest of a strand is queued after a spawn, or the task: closed forms of both. */

const loop = (n: number, seconds = 1): ThreadModel =>
  threads({
    name: 'loop',
    build(t) {
      t.parallelFor({ n, spawning: 'linear', body: (b) => b.compute({ seconds }) });
    },
  }) as ThreadModel;

/** A binary tree of tasks, whose leaves compute. */
const tree = (depth: number): ThreadModel =>
  threads({
    name: 'tree',
    build(t) {
      t.task('node', { d: 0 }, (b) => {
        b.when(
          ({ d }) => d === 0,
          () => b.compute({ seconds: 1 }),
          () => {
            b.spawn('node', { d: ({ d }) => d - 1 });
            b.spawn('node', { d: ({ d }) => d - 1 });
          },
        );
      });
      t.spawn('node', { d: depth });
    },
  }) as ThreadModel;

interface Run {
  readonly time: number;
  readonly firings: Readonly<Record<string, number>>;
  /** Strands in the order in which they compute. */
  readonly order: readonly number[];
}

function run(model: ThreadModel, workers: number, spawn: SpawnPolicy, costs: Partial<ThreadCosts> = {}): Run {
  const machine = { speed: 1e9, cores: workers, costs: { ...NO_COSTS, ...costs } };
  const net = threadNet(model.program(workers), machine, { scheduler: 'stealing', victim: 'nearest', spawn });
  const order: number[] = [];
  const sink = { computes: (_: number, s: number): void => void order.push(s) };
  const { time, firings, ended } = simulate(compile(net.net, { log: new ThreadEvents(net, sink).log() }));
  expect(ended).toBe('quiescent');
  return { time, firings, order };
}

describe('work-first', () => {
  test('one worker executes tasks in the order of the serial program, help-first the youngest first', () => {
    expect(run(loop(5), 1, 'work-first').order).toEqual([1, 2, 3, 4, 5]);
    expect(run(loop(5), 1, 'help-first').order).toEqual([5, 4, 3, 2, 1]);
  });

  test.each([1, 2, 7])(
    'one worker takes the same time with both: %i (spawn + look + task), and a look after the end',
    (n) => {
      const costs = { spawn: 0.25, local: 0.125 };
      for (const spawn of ['work-first', 'help-first'] as const)
        expect(run(loop(n), 1, spawn, costs).time).toBe(n * (0.25 + 0.125 + 1) + 0.125);
    },
  );

  test.each([2, 4, 10])(
    'two workers, %i tasks of one strand: twice the steals, since thieves take the loop itself',
    (n) => {
      // The worker that has begun a task has the rest of the loop in its queue, until the other one takes it.
      const first = run(loop(n), 2, 'work-first', { steal: 0.25 });
      expect([first.time, first.firings['steals']]).toEqual([(n / 2) * 1.25, n]);
      // One strand makes all tasks, and executes its share without steals; the thief takes one task at a time.
      const help = run(loop(n), 2, 'help-first', { steal: 0.25 });
      expect([help.time, help.firings['steals']]).toEqual([(n / 2) * 1.25, n / 2]);
    },
  );

  test.each([1, 3, 6])('a tree of tasks of depth %i on two workers takes half of the work', (depth) => {
    const { time, firings } = run(tree(depth), 2, 'work-first');
    expect(time).toBe(2 ** depth / 2);
    expect(firings['has stolen']).toBeLessThanOrEqual(2 * depth);
  });

  test('the worst case of help-first: a spawner that never ends leaves its worker no task of its own', () => {
    // Each spawn takes as long as a task: the tasks wait until the thief takes them, or the rest of the loop moves on instead.
    const costs = { spawn: 1 };
    expect(run(loop(8), 2, 'help-first', costs).time).toBe(9);
    expect(run(loop(8), 2, 'work-first', costs).time).toBe(9);
    expect(run(loop(8), 2, 'work-first', costs).order).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('predict takes the policy, and results name it', () => {
    const { options } = predict(loop(8), { workers: 2, scheduler: 'stealing', spawn: 'work-first' });
    expect(options).toMatchObject({ spawn: 'work-first' });
    expect(predict(loop(8), { workers: 2, scheduler: 'stealing' }).options).not.toHaveProperty('spawn');
  });

  test.each([
    [
      { scheduler: 'central', spawn: 'work-first' },
      'spawn: scheduler central does not have this option; it belongs to stealing',
    ],
    [{ scheduler: 'os', spawn: 'help-first' }, 'spawn: scheduler os does not have this option; it belongs to stealing'],
    [
      { pool: 'stack', spawn: 'work-first' },
      'spawn: a pool of kind stack keeps a strand on the stack of its worker, so that its rest cannot be queued: expected help-first there; work-first belongs to kind migrating',
    ],
    [
      { spawn: 'workfirst' },
      'spawn: expected one of help-first, work-first, got "workfirst". Did you mean "work-first"?',
    ],
  ] as const)('refuses %o', (options, message) => {
    expect(() => predict(loop(2), { workers: 2, ...(options as object) })).toThrow(`THR010 ${message}`);
  });
});
