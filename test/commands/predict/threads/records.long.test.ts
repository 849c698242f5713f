import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compare } from '../../../../src/commands/compare/compare.ts';
import { convert } from '../../../../src/commands/convert/convert.ts';
import { diagnose } from '../../../../src/commands/diagnose/diagnose.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { profile } from '../../../../src/commands/profile/profile-program.ts';
import { SCHEDULERS } from '../../../../src/models/threads/net/thread-net.ts';
import { threads } from '../../../../src/models/threads/program/threads.ts';
import { Collector } from '../../../trace/run/recorded.ts';
import { asModel, free, loop, node } from './models.ts';

const folder = mkdtempSync(join(tmpdir(), 'thread-records-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface StateRow {
  readonly table: string;
  readonly process: number;
  readonly start: number;
  readonly end: number;
  readonly state: string;
  readonly call?: string;
  readonly interval?: string;
}

describe.each(SCHEDULERS)('the run record under %s', (scheduler) => {
  test('states of the workers do not overlap, and their sums are those of the document', () => {
    const collector = new Collector();
    const document = predict(loop, { machine: node, workers: 3, scheduler, record: collector });
    const rows = (collector as unknown as { rows: StateRow[] }).rows.filter(({ table }) => table === 'states');
    for (const worker of document.workers!) {
      const own = rows.filter(({ process }) => process === worker.worker);
      own.reduce((end, row) => {
        expect(row.start).toBeGreaterThanOrEqual(end);
        return row.end;
      }, 0);
      for (const state of ['computing', 'overhead', 'waiting'] as const) {
        const sum = own.filter((r) => r.state === state).reduce((s, r) => s + r.end - r.start, 0);
        expect(sum).toBeCloseTo(worker[state], 12);
      }
    }
    expect(rows.some(({ call }) => call === 'lock')).toBe(true);
    expect(rows.filter(({ call }) => call === 'unlock').length).toBe(64);
    expect(new Set(rows.map(({ interval }) => interval ?? ''))).toEqual(new Set(['', 'first#1', 'tasks#1']));
  });
});

test('a Chrome trace has a slice for each computation', () => {
  const path = join(folder, 'out.json');
  const document = predict(loop, { machine: node, workers: 2, trace: path });
  const events = JSON.parse(readFileSync(path, 'utf8')).traceEvents as { ph: string; name: string; dur: number }[];
  const computing = events.filter(({ ph, name }) => ph === 'X' && name === 'computing');
  const seconds = computing.reduce((sum, { dur }) => sum + dur, 0) / 1e6;
  expect(seconds).toBeCloseTo(
    document.workers!.reduce((sum, w) => sum + w.computing, 0),
    9,
  );
});

test('profile and diagnose read the record; own and stolen tasks are those of the counters', () => {
  const path = join(folder, 'out.ftrun');
  const document = predict(loop, { machine: node, workers: 4, run: path, set: { n: 200 } });
  expect(profile(path).complete).toBe(true);
  const region = diagnose(path).regions.find(({ name }) => name === 'tasks')!;
  const { workers, scheduler } = document;
  const found = scheduler!.steps['finds own']! + scheduler!.steps['has stolen']!;
  const tasks = region.ownTasks + region.otherTasks;
  // Owners that a worker continues count as well; blocked tasks begin again.
  expect(tasks).toBeGreaterThanOrEqual(found - workers!.length);
  for (const worker of region.workers!) {
    const { exec } = workers![Number(worker.worker)]!.states!;
    // Before the region, the first worker executes for 3 us.
    expect(worker.seconds.exec).toBeCloseTo(exec - (worker.worker === '0' ? 3e-6 : 0), 12);
  }
});

describe('the net', () => {
  test.each(SCHEDULERS)('%s: written as JSON and read back, it gives the same run time', (scheduler) => {
    const path = join(folder, `${scheduler}.json`);
    // Every worker ends in the instant of the program.
    const options = { machine: free, workers: 3, scheduler };
    convert(asModel(loop), path, options);
    expect(predict(path).figures.runTime.value).toBeCloseTo(predict(loop, options).figures.runTime.value, 15);
  });
});

test('a comparison has the states of workers', () => {
  const [a, b] = [2, 4].map((workers) => predict(loop, { machine: free, workers, scheduler: 'central' }));
  const { figures } = compare({ input: 'a', document: a! }, { input: 'b', document: b! });
  const names = figures.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['computing', 'overhead', 'waiting', 'idle', 'workers']));
  expect(names).not.toContain('ranks');
  expect(figures.find(({ name }) => name === 'computing')).toMatchObject({ unit: 'worker s' });
  expect(figures.find(({ name }) => name === 'workers')).toMatchObject({ a: 2, b: 4 });
});

test.each(SCHEDULERS.filter((name) => name !== 'os'))(
  '%s: predict and diagnose have the same states of workers',
  (scheduler) => {
    const chunks = threads({
      name: 'chunks',
      build: (t) =>
        t.parallelFor({
          n: 300,
          chunk: 3,
          schedule: 'dynamic',
          name: 'all',
          body: (b) => b.compute({ seconds: ({ count }) => count * 50e-9 }),
        }),
    });
    const options = { machine: node, workers: 4, scheduler };
    const { workers } = predict(chunks, options);
    const [region] = diagnose(chunks as never, { ...options, gain: false }).regions;
    for (const { worker, seconds, counters } of region!.workers!) {
      const own = workers![Number(worker)]!;
      for (const state of ['exec', 'local', 'global', 'wait'] as const)
        expect([state, seconds[state]]).toEqual([state, expect.closeTo(own.states![state], 7)]);
      expect(Math.abs(counters.localExec - own.counters!.localExec)).toBeLessThanOrEqual(1);
    }
  },
);
