import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { ROW } from '../../../src/models/threads/program/rows.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { compiledProgram, OPEN_MP } from '../../compiled-program.ts';
import { effort } from '../../effort.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-taskloop-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Cut {
  readonly grainsize?: number;
  readonly numTasks?: number;
  readonly strict?: boolean;
}

/** First iteration and number of iterations of each task, in the order in which they are spawned. */
function tasksOf(n: number, cut: Cut, workers = 4): (readonly [first: number, count: number])[] {
  const model = threads({
    name: 'cut',
    build: (t) =>
      t.taskloop({ n, ...cut, body: (b) => b.compute({ flops: ({ first }) => first, seconds: ({ count }) => count }) }),
  });
  const { rows, strands } = model.program(workers);
  return Array.from({ length: strands.count - 1 }, (_, k) => {
    const at = strands.start[k + 1]!;
    expect(rows.op[at]).toBe(ROW.work);
    return [rows.flops[at]!, rows.seconds[at]!] as const;
  });
}

const CUTS: Readonly<Record<string, (k: number) => Cut>> = {
  default: () => ({}),
  grainsize: (grainsize) => ({ grainsize }),
  strict: (grainsize) => ({ grainsize, strict: true }),
  num_tasks: (numTasks) => ({ numTasks }),
};

test('tasks are those of a compiled program of OpenMP', { timeout: 60_000 }, (context) => {
  const program = compiledProgram(join(import.meta.dirname, 'programs', 'taskloop-openmp.cpp'), folder, OPEN_MP);
  context.skip(program === undefined, 'GCC 12 or later is not installed');
  const lines = execFileSync(program!, { encoding: 'utf8' }).trim().split('\n');
  expect(lines).toHaveLength(7 * (1 + 7 * 3));
  for (const line of lines) {
    const [, n, clause, k, firsts] = /^(\d+) (\w+) (\d+): (.*)$/.exec(line)!;
    expect(
      `${line.split(':')[0]}: ${tasksOf(Number(n), CUTS[clause!]!(Number(k)))
        .map(([first]) => first)
        .join(' ')}`,
    ).toBe(`${n} ${clause} ${k}: ${firsts}`);
  }
});

test('sizes are within the limits of OpenMP 5.2, and cover each iteration once', () => {
  const size = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.nat({ max: 200 }), size, (n, k) => {
      for (const [clause, cut] of Object.entries(CUTS)) {
        const tasks = tasksOf(n, cut(k), 3);
        let next = 0;
        for (const [first, count] of tasks) {
          expect(first).toBe(next);
          next += count;
        }
        expect(next).toBe(n);
        const counts = tasks.map(([, count]) => count);
        if (clause === 'grainsize')
          for (const count of counts) {
            expect(count).toBeGreaterThanOrEqual(Math.min(k, n));
            expect(count).toBeLessThan(2 * Math.min(k, n) + (k >= n ? 1 : 0));
          }
        if (clause === 'strict') for (const count of counts.slice(0, -1)) expect(count).toBe(k);
        if (clause === 'num_tasks') expect(tasks).toHaveLength(Math.min(k, n));
        if (clause === 'default') expect(tasks).toHaveLength(Math.min(3, n));
      }
    }),
    { numRuns: effort(100) },
  );
});

describe('closed forms', () => {
  const time = (workers: number, build: Parameters<typeof threads>[0]['build'], costs = {}): number => {
    const machine = { speed: 1e9, cores: workers, costs: { ...NO_COSTS, ...costs } };
    const net = threadNet(threads({ name: 'm', build }).program(workers), machine, {
      scheduler: 'stealing',
      victim: 'nearest',
    });
    return runThreads(net).time;
  };

  test('tasks on as many workers: the spawning strand makes them one by one, and the last one decides', () => {
    // The strand that spawns all tasks takes the last one itself, after three spawns of 1/4 s before the thief takes the third.
    expect(
      time(4, (t) => t.taskloop({ n: 8, body: (b) => b.compute({ seconds: ({ count }) => count }) }), { spawn: 0.25 }),
    ).toBe(4 * 0.25 + 2);
  });

  test('grainsize 3 of 10 iterations: tasks of 4, 3 and 3, not of 3, 3, 3 and 1', () => {
    const loop = (strict: boolean) => (t: Parameters<Parameters<typeof threads>[0]['build']>[0]) =>
      t.taskloop({ n: 10, grainsize: 3, strict, body: (b) => b.compute({ seconds: ({ count }) => count }) });
    expect(time(4, loop(false))).toBe(4);
    expect(time(4, loop(true))).toBe(3);
  });

  test('nogroup: the strand goes on next to the tasks until sync', () => {
    const loop = (nogroup: boolean) => (t: Parameters<Parameters<typeof threads>[0]['build']>[0]) => {
      t.taskloop({ n: 2, nogroup, body: (b) => b.compute({ seconds: 3 }) });
      t.compute({ seconds: 2 });
      t.sync();
      t.compute({ seconds: 1 });
    };
    expect(time(3, loop(false))).toBe(3 + 2 + 1);
    expect(time(3, loop(true))).toBe(3 + 1);
  });
});

const refused = (options: object) =>
  expect(() =>
    predict(
      threads({ name: 'm', build: (t) => t.taskloop({ n: 4, body: (b) => b.compute({ seconds: 1 }), ...options }) }),
    ),
  );

test('bad input is refused with its line and what was expected', () => {
  refused({ grainsize: 2, numTasks: 2 }).toThrow(
    /taskloop.long.test.ts:\d+:\d+: THR002 taskloop: grainsize and numTasks exclude each other: expected one of them, or none for a task per thread/,
  );
  refused({ grainSize: 2 }).toThrow(/THR002 .*taskloop has no option "grainSize"\. Did you mean "grainsize"\?/);
  refused({ numtasks: 2 }).toThrow(/THR002 .*taskloop has no option "numtasks"\. Did you mean "numTasks"\?/);
  refused({ strict: 1 }).toThrow(/THR002 .*strict: expected a boolean, got 1/);
  refused({ nogroup: 'yes' }).toThrow(/THR002 .*nogroup: expected a boolean, got "yes"/);
  refused({ grainsize: 0 }).toThrow(/THR004 .*grainsize: expected an integer from 1 to \d+, got 0/);
  refused({ numTasks: 1.5 }).toThrow(/THR004 .*numTasks: expected an integer from 1 to \d+, got 1\.5/);
  refused({ strict: true }).toThrow(
    /THR002 taskloop: strict belongs to grainsize or numTasks: expected one of them with it/,
  );
});
