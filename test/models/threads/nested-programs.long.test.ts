import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import type { ThreadBuilder } from '../../../src/models/threads/program/builder-types.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { compiledProgram, ONE_TBB, OPEN_MP } from '../../compiled-program.ts';

/** Nested constructs take as long as in OpenMP and oneTBB, whose programs are compiled and run here. */
const folder = mkdtempSync(join(tmpdir(), 'foretoken-nested-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WORKERS = 24;
const MODELS: Readonly<Record<string, (t: ThreadBuilder<Record<never, never>, string>) => void>> = {
  'loop in loop': (t) =>
    t.parallelFor({
      n: 4,
      body(b) {
        b.parallelFor({ n: 2, body: (c) => c.compute({ seconds: 5e-3 }) });
        b.compute({ seconds: 50e-3 });
      },
    }),
  'loop next to a task': (t) => {
    t.task('x', {}, (b) => b.compute({ seconds: 50e-3 }));
    t.spawn('x');
    t.parallelFor({ n: 2, body: (b) => b.compute({ seconds: 5e-3 }) });
    t.compute({ seconds: 45e-3 });
    t.sync();
  },
  'sync in a loop': (t) => {
    t.task('x', {}, (b) => b.compute({ seconds: 5e-3 }));
    t.parallelFor({
      n: 4,
      body(b) {
        b.spawn('x');
        b.sync();
        b.compute({ seconds: 50e-3 });
      },
    });
  },
  'section in a loop': (t) =>
    t.parallelFor({
      n: 2,
      body(b) {
        b.parallel(2, () => b.compute({ seconds: 5e-3 }));
        b.compute({ seconds: 50e-3 });
      },
    }),
};

const predicted = (name: string): number => {
  const model = threads({ name, build: MODELS[name]! });
  const machine = { speed: 1e9, cores: WORKERS, costs: NO_COSTS };
  return runThreads(threadNet(model.program(WORKERS), machine, { scheduler: 'stealing' })).time;
};

test('closed forms', () => {
  expect(predicted('loop in loop')).toBeCloseTo(55e-3, 12);
  expect(predicted('loop next to a task')).toBeCloseTo(50e-3, 12);
  expect(predicted('sync in a loop')).toBeCloseTo(55e-3, 12);
  expect(predicted('section in a loop')).toBeCloseTo(55e-3, 12);
});

/** Runs until the fastest one of each program is near its time: other processes make runs longer, never shorter. */
const MOST_RUNS = 60;

describe.each([
  ['nested-openmp', OPEN_MP],
  ['nested-tbb', ONE_TBB],
] as const)('the compiled program %s', (name, needs) => {
  const program = compiledProgram(join(import.meta.dirname, 'programs', `${name}.cpp`), folder, needs);
  test.skipIf(program === undefined)('takes the predicted times', { timeout: 120_000 }, () => {
    const fastest = new Map<string, number>();
    const isNear = ([model, seconds]: [string, number]): boolean => seconds <= 1.1 * predicted(model);
    for (let k = 0; k < MOST_RUNS && (k === 0 || ![...fastest].every(isNear)); k++)
      for (const line of execFileSync(program!, { encoding: 'utf8' }).trim().split('\n')) {
        const [, model, seconds] = /^(.*) (\S+)$/.exec(line)!;
        if (model !== 'warm-up')
          fastest.set(model!, Math.min(fastest.get(model!) ?? Number.POSITIVE_INFINITY, Number(seconds)));
      }
    for (const [model, seconds] of fastest) {
      expect(seconds, model).toBeGreaterThan(0.999 * predicted(model));
      expect(seconds, model).toBeLessThan(1.1 * predicted(model));
    }
  });
});
