import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { FINDINGS } from '../../../src/analysis/diagnosis/causes.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import type { DiagnoseOptions } from '../../../src/commands/diagnose/diagnosis-options.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { DEFAULT_COSTS } from '../../../src/models/threads/costs.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { ALL_EVIDENCE, effort } from '../../effort.ts';
import { modelOf, threadPrograms } from '../../models/threads/random-threads.ts';
import { type WorkerRow, workerCsv, workerRuns } from '../../trace/workers/random-workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'scale-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'workers.csv');

const causesOf = (text: string, options?: DiagnoseOptions): [string, string[]][] => {
  writeFileSync(path, text);
  return diagnose(path, options).regions.map(({ name, findings }) => [name, findings.map(({ cause }) => cause)]);
};

/** Findings with their figures; times in units of `scale` seconds. Powers of two scale without rounding. */
const findingsOf = (text: string, scale: number, options?: DiagnoseOptions): unknown => {
  writeFileSync(path, text);
  return diagnose(path, options).regions.map(({ name, findings }) => [
    name,
    findings.map(({ cause, evidence, secondsLost }) => [cause, evidence, secondsLost / scale]),
  ]);
};

/** Workers that execute many tasks, in ticks: time of a task, of a look at the own queue, of a search that finds a task. */
interface Busy {
  readonly tasks: number;
  readonly task: number;
  readonly look: number;
  /** 0: tasks come from the own queue. */
  readonly search: number;
}
const busyWorkers = fc.array(
  fc.record({
    tasks: fc.integer({ min: 1, max: 60 }),
    task: fc.integer({ min: 1, max: 200 }),
    look: fc.integer({ min: 0, max: 40 }),
    search: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100 })),
  }),
  { minLength: 1, maxLength: 6 },
);
const rowsOf = (workers: readonly Busy[]): WorkerRow[] =>
  workers.flatMap(({ tasks, task, look, search }, w) => {
    const row = (time: number, state: string): WorkerRow =>
      ({ worker: String(w), time: time / 1024, state, region: 'all' }) as WorkerRow;
    const length = task + look + search;
    const rows = Array.from({ length: tasks }, (_, k) => [
      row(k * length, 'LOCAL'),
      ...(search > 0 ? [row(k * length + look, 'GLOBAL')] : []),
      row(k * length + look + search, 'EXEC'),
    ]);
    return [...rows.flat(), row(tasks * length, 'END')];
  });
const at = (rows: readonly WorkerRow[], power: number): string =>
  workerCsv(rows.map((row) => ({ ...row, time: row.time * 2 ** power })));
const powers = fc.integer({ min: -20, max: 20 });

describe('causes do not depend on the scale of times', () => {
  const node = (scale: number): ReturnType<typeof cluster> =>
    cluster({
      ...{ name: 'node', nodes: 1, coresPerNode: 8, speed: 1e9 / scale, eagerBelow: 0 },
      link: { latency: 1e-6, bandwidth: 1e9 },
      threads: Object.fromEntries(Object.entries(DEFAULT_COSTS).map(([name, seconds]) => [name, seconds * scale])),
    });

  test('of recorded runs', () => {
    fc.assert(
      fc.property(workerRuns, fc.integer({ min: -20, max: 20 }), (rows, power) => {
        expect(findingsOf(at(rows, power), 2 ** power)).toEqual(findingsOf(workerCsv(rows), 1));
      }),
      { numRuns: effort(1000) },
    );
  });

  test('of recorded runs with many short tasks, at any thresholds and with a sequential time', () => {
    const found = new Map<string, number>();
    fc.assert(
      fc.property(
        busyWorkers,
        powers,
        fc.record({
          active: fc.constantFrom(0.01, 0.1, 0.3),
          inactive: fc.constantFrom(0.01, 0.1, 0.3),
          stealRatio: fc.constantFrom(0.5, 1, 2),
        }),
        fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
        (workers, power, thresholds, sequential) => {
          const rows = rowsOf(workers);
          const options = (scale: number): DiagnoseOptions => ({
            ...thresholds,
            ...(sequential === undefined ? {} : { sequential: (sequential / 1024) * scale }),
          });
          const here = findingsOf(at(rows, 0), 1, options(1));
          expect(findingsOf(at(rows, power), 2 ** power, options(2 ** power))).toEqual(here);
          for (const [, causes] of causesOf(at(rows, 0), options(1)))
            for (const cause of causes) found.set(cause, (found.get(cause) ?? 0) + 1);
        },
      ),
      { numRuns: effort(2000) },
    );
    // Every worker has a task here.
    if (ALL_EVIDENCE)
      for (const cause of FINDINGS.filter((one) => one !== 'too-few-tasks'))
        expect([cause, found.get(cause)! > 20]).toEqual([cause, true]);
  });

  test('the rate of the source is absolute', () => {
    const rows = rowsOf([{ tasks: 60, task: 4, look: 4, search: 0 }]);
    for (const options of [{ taskRate: 400_000 }, { counting: 'document' }] as const)
      expect([0, -20].map((power) => causesOf(at(rows, power), options)[0]![1])).toEqual([['unknown'], ['fine-grain']]);
  });

  test('of programs, with all costs of the machine', () => {
    // Times of random programs are multiples of 0.5 s.
    const scaled = (parts: unknown, scale: number): ThreadModel =>
      modelOf(
        JSON.parse(JSON.stringify(parts), (key, value) => (key === 'time' || key === 'own' ? value * scale : value)),
      );
    fc.assert(
      fc.property(
        threadPrograms,
        fc.integer({ min: -10, max: 12 }),
        fc.integer({ min: 1, max: 6 }),
        (parts, k, workers) => {
          const causes = (scale: number): unknown =>
            diagnose(scaled(parts, 1e-6 * scale), {
              machine: node(scale),
              workers,
              scheduler: 'stealing',
              gain: false,
            }).regions.map(({ name, findings }) => [
              name,
              findings.map(({ cause, evidence, secondsLost }) => [cause, evidence, secondsLost / scale]),
            ]);
          expect(causes(2 ** k)).toEqual(causes(1));
        },
      ),
      { numRuns: effort(400) },
    );
  });

  test('of programs: predicted gains are scaled, and the changes are the same', () => {
    for (const [seconds, spawning] of [
      [0.3e-6, 'recursive'],
      [3e-6, 'linear'],
    ] as const) {
      const findings = (scale: number): unknown =>
        diagnose(
          threads({
            name: 'm',
            build: (t) =>
              t.parallelFor({
                ...{ n: 1000, name: 'l', spawning },
                body: (b) => b.compute({ seconds: ({ count }) => count * seconds * scale }),
              }),
          }) as ThreadModel,
          { machine: node(scale), workers: 4, scheduler: 'stealing' },
        ).regions.map((region) =>
          region.findings.map(({ cause, change, predictedGain, secondsLost }) => [
            ...[cause, change, predictedGain! / scale, secondsLost / scale],
          ]),
        );
      const expected = findings(1);
      const cause = spawning === 'linear' ? 'linear-spawning' : 'fine-grain';
      expect(expected).toEqual([[[cause, expect.any(String), expect.any(Number), expect.any(Number)]]]);
      for (const power of [-20, -7, 20]) expect(findings(2 ** power)).toEqual(expected);
    }
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

describe('a fine grain', () => {
  const isFine = (workers: readonly Busy[], options?: DiagnoseOptions): boolean =>
    causesOf(at(rowsOf(workers), -20), { active: 0.05, ...options }).some(([, found]) => found.includes('fine-grain'));

  test('of tasks that are cut in two, each with a look at the queue, is a fine grain still', () => {
    fc.assert(
      fc.property(busyWorkers, (workers) => {
        const even = workers.map((w) => ({ ...w, task: 2 * w.task, search: 0 }));
        if (isFine(even)) expect(isFine(even.map((w) => ({ ...w, tasks: 2 * w.tasks, task: w.task / 2 })))).toBe(true);
      }),
      { numRuns: effort(1000) },
    );
  });

  test('does not depend on idle workers, while overhead is reported', () => {
    fc.assert(
      fc.property(busyWorkers, fc.integer({ min: 1, max: 4 }), (workers, idle) => {
        const value = (all: readonly WorkerRow[]): unknown => {
          writeFileSync(path, at(all, 0));
          const [region] = diagnose(path, { active: 0 }).regions;
          const { evidence = [] } = region!.findings.find(({ cause }) => cause === 'fine-grain') ?? {};
          return evidence.find(({ figure }) => figure === 'handling')?.value;
        };
        const rows = rowsOf(workers);
        const end = Math.max(...rows.map(({ time }) => time));
        const others = Array.from({ length: idle }, (_, k) =>
          (['WAIT', 'END'] as const).map((state, n) => ({ worker: `idle ${k}`, time: n * end, state, region: 'all' })),
        );
        expect(value([...rows, ...(others.flat() as WorkerRow[])])).toEqual(value(rows));
      }),
      { numRuns: effort(1000) },
    );
  });

  test('ends where tasks are as long as the advice says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 60 }), fc.integer({ min: 1, max: 40 }), (tasks, look) => {
        // Handling may take a tenth of the time: nine times as long as a look.
        const of = (task: number): boolean => isFine([0, 1].map(() => ({ tasks: tasks + 1, task, look, search: 0 })));
        expect(of(8 * look)).toBe(true);
        expect(of(10 * look)).toBe(false);
      }),
      { numRuns: effort(300) },
    );
  });

  test('operations of locks within tasks are none', () => {
    const model = (locks: number, task: number): ThreadModel =>
      threads({
        name: 'm',
        build(t) {
          const m = t.mutex('m');
          t.parallelFor({
            n: 400,
            name: 'l',
            body: (b) => {
              b.compute({ seconds: task });
              b.loop('k', locks, () => {
                b.lock(m);
                b.unlock(m);
              });
            },
          });
        },
      }) as ThreadModel;
    const causes = (locks: number, task: number): string[] =>
      diagnose(model(locks, task), { workers: 1, scheduler: 'stealing', gain: false }).regions[0]!.findings.map(
        ({ cause }) => cause,
      );
    expect(causes(100, 10e-6)).toEqual(['object-operations']);
    expect(causes(0, 10e-6)).toEqual([]);
    // The locks take a quarter of the time, handling the task another one.
    expect(causes(8, 0.1e-6)).toEqual(['object-operations', 'fine-grain']);
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
  const causes = (taskRate?: number): string[] =>
    diagnose(path, { active: 0.1, ...(taskRate === undefined ? {} : { taskRate }) }).regions[0]!.findings.map(
      ({ cause }) => cause,
    );
  // 5 tasks per second of worker 0, 1.25 on average.
  expect(causes(4.9)).toEqual(['fine-grain']);
  expect(causes(5.1)).toEqual(['unknown']);
  // Worker 0 handles tasks in half of its time, all workers in an eighth of theirs.
  expect(causes()).toEqual(['fine-grain']);
});
