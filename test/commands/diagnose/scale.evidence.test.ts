import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { DEFAULT_COSTS } from '../../../src/models/threads/costs.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';
import { modelOf, threadPrograms } from '../../models/threads/random-threads.ts';
import { workerCsv, workerRuns } from '../../trace/workers/random-workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'scale-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'workers.csv');

const causesOf = (text: string): unknown => {
  writeFileSync(path, text);
  return diagnose(path).regions.map(({ name, findings }) => [name, findings.map(({ cause }) => cause)]);
};

describe('causes do not depend on the scale of times', () => {
  test('of recorded runs', () => {
    fc.assert(
      fc.property(workerRuns, fc.integer({ min: -20, max: 20 }), (rows, power) => {
        const scaled = rows.map((row) => ({ ...row, time: row.time * 2 ** power }));
        expect(causesOf(workerCsv(scaled))).toEqual(causesOf(workerCsv(rows)));
      }),
      { numRuns: effort(1000) },
    );
  });

  test('of programs, with all costs of the machine and the rate of tasks', () => {
    const node = (scale: number): ReturnType<typeof cluster> =>
      cluster({
        ...{ name: 'node', nodes: 1, coresPerNode: 8, speed: 1e9 / scale, eagerBelow: 0 },
        link: { latency: 1e-6, bandwidth: 1e9 },
        threads: Object.fromEntries(Object.entries(DEFAULT_COSTS).map(([name, seconds]) => [name, seconds * scale])),
      });
    // Times of random programs are multiples of 0.5 s.
    const scaled = (parts: unknown, scale: number): ThreadModel =>
      modelOf(
        JSON.parse(JSON.stringify(parts), (key, value) => (key === 'time' || key === 'own' ? value * scale : value)),
      );
    fc.assert(
      fc.property(
        threadPrograms,
        fc.integer({ min: -6, max: 8 }),
        fc.integer({ min: 1, max: 6 }),
        (parts, k, workers) => {
          const causes = (scale: number): unknown =>
            diagnose(scaled(parts, 1e-6 * scale), {
              machine: node(scale),
              workers,
              scheduler: 'stealing',
              taskRate: 4e5 / scale,
              gain: false,
            }).regions.map(({ name, findings }) => [name, findings.map(({ cause }) => cause)]);
          expect(causes(2 ** k)).toEqual(causes(1));
        },
      ),
      { numRuns: effort(400) },
    );
  });

  test('of chunks: fewer than workers are too few, at any length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 8 }),
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: -4, max: 3 }),
        (workers, chunks, power) => {
          const model = threads({
            name: 'm',
            build: (t) => t.parallelFor({ n: chunks, name: 'l', body: (b) => b.compute({ seconds: 10 ** power }) }),
          });
          const [region] = diagnose(model as ThreadModel, { workers, scheduler: 'stealing', gain: false }).regions;
          if (region!.inactiveShare > 0.09 && region!.inactiveShare < 0.11) return;
          expect(region!.findings.map(({ cause }) => cause)).toEqual(
            region!.inactiveShare > 0.1 ? [chunks < workers ? 'too-few-tasks' : 'excessive-waiting'] : [],
          );
        },
      ),
      { numRuns: effort(300) },
    );
  });
});

describe('all time of a region counts', () => {
  test('workers that end early or begin late are idle', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 100 })), {
          minLength: 1,
          maxLength: 5,
        }),
        (lives) => {
          const rows = lives.map(([from, length], w) => `${w},${from},EXEC\n${w},${from + length},END\n`);
          writeFileSync(path, `worker,time,state\n${rows.join('')}`);
          const [region] = diagnose(path).regions;
          const ticks = new Set(lives.flatMap(([from, length]) => Array.from({ length }, (_, k) => from + k)));
          const busy = lives.reduce((sum, [, length]) => sum + length, 0);
          const all = lives.length * ticks.size;
          expect(region!.inactiveShare).toBeCloseTo((all - busy) / all, 12);
          for (const w of region!.workers!)
            expect(w.computing + w.overhead + w.waiting + w.idle).toBeCloseTo(region!.seconds, 9);
        },
      ),
      { numRuns: effort(300) },
    );
  });
});

test('the rate of tasks is tested for each worker that loses time', () => {
  const tasks = (worker: number, count: number, task: number, look: number): string => {
    const rows = Array.from({ length: count }, (_, k) => {
      const time = k * (task + look);
      return `${worker},${time},LOCAL\n${worker},${time + look},EXEC\n`;
    });
    return `${rows.join('')}${worker},${count * (task + look)},END\n`;
  };
  const long = [1, 2, 3].map((w) => `${w},0,EXEC\n${w},6.4,END\n`).join('');
  writeFileSync(path, `worker,time,state\n${tasks(0, 32, 0.1, 0.1)}${long}`);
  const causes = (taskRate: number): string[] =>
    diagnose(path, { active: 0.1, taskRate }).regions[0]!.findings.map(({ cause }) => cause);
  // 5 tasks per second of worker 0, 1.25 on average.
  expect(causes(4.9)).toEqual(['fine-grain']);
  expect(causes(5.1)).toEqual(['unknown']);
});
