import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import type { DiagnosisDocument } from '../../../src/commands/diagnose/diagnosis-document.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { guidedChunks } from '../../../src/models/threads/chunks.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';
import { modelOf, threadPrograms, type Work } from '../../models/threads/random-threads.ts';
import { arbitraryThreads, buildThreads } from '../../reference/threads/random-threads.ts';

const folder = mkdtempSync(join(tmpdir(), 'agreement-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'run.ftrun');

const machine = cluster({
  ...{ name: 'node', nodes: 1, coresPerNode: 8, speed: '1Gf', eagerBelow: 0 },
  link: { latency: '1us', bandwidth: '1GB/s' },
});

const STATES = ['computing', 'overhead', 'waiting', 'idle'] as const;
type Sums = Record<(typeof STATES)[number], number>;
interface WithStates extends Sums {
  readonly memory?: number;
}

/** Seconds by state, added up. */
function sums(parts: readonly WithStates[]): Sums {
  const total: Sums = { computing: 0, overhead: 0, waiting: 0, idle: 0 };
  for (const part of parts) {
    for (const state of STATES) total[state] += part[state];
    total.computing += part.memory ?? 0;
  }
  return total;
}

const workersOf = ({ regions }: DiagnosisDocument): Sums => sums(regions.flatMap(({ workers }) => workers!));

function expectNear(actual: Sums, expected: Sums, time: number): void {
  for (const state of STATES)
    expect(Math.abs(actual[state] - expected[state]), `${state}: ${actual[state]} and ${expected[state]}`).toBeLessThan(
      1e-9 * time + 1e-15,
    );
}

const POOLS = ['stealing', 'central', 'static'] as const;
const COOPERATIVE = ['a0', 'a1', 'a2'] as const;

test('predict, profile and diagnose agree on how the time of workers is spent', () => {
  let overhead = 0;
  fc.assert(
    fc.property(
      arbitraryThreads({ blocking: false, tries: false }),
      fc.constantFrom(...POOLS, ...COOPERATIVE),
      fc.integer({ min: 1, max: 5 }),
      (program, scheduler, workers) => {
        const build = buildThreads(program);
        const model = threads({ name: 'random', build }) as ThreadModel;
        const options = { machine, workers, scheduler };
        const prediction = predict(model, { ...options, run: path });
        const time = prediction.figures.runTime.value;
        if (!(time > 0)) return;
        const regions = prediction.regions!;
        const diagnosis = diagnose(model, { ...options, gain: false });
        expectNear(workersOf(diagnosis), sums(regions), time);
        for (const region of diagnosis.regions) {
          const own = sums(region.workers!);
          const all = region.workersCount * region.seconds;
          expect(Math.abs(STATES.reduce((s, state) => s + own[state], 0) - all)).toBeLessThan(1e-9 * time);
          expect(region.activeShare * all).toBeCloseTo(own.overhead, 12);
          expect(region.inactiveShare * all).toBeCloseTo(own.waiting + own.idle, 12);
          overhead += own.overhead;
        }
        // A profile calls time waiting or idle communication or idle.
        const { figures } = profile(path);
        const whole = sums(prediction.workers!);
        const value = (name: keyof typeof figures): number => figures[name].value;
        const near = (a: number, b: number): void => expect(Math.abs(a - b)).toBeLessThan(1e-9 * time + 1e-15);
        near(value('cpuTimeSequential') + value('cpuTimeParallel'), whole.computing);
        near(value('overhead'), whole.overhead);
        if (scheduler !== 'stealing') return;
        // The record of a pool gives the diagnosis of the model. A record without searches is not that of a pool.
        if (prediction.scheduler!.steps['looks'] === undefined) return;
        const ofRecord = diagnose(path);
        expect(ofRecord.origin).toBe('simulated');
        const recorded = ofRecord.regions.filter(({ name }) => name !== 'all');
        expectNear(sums(recorded.flatMap((r) => r.workers!)), workersOf(diagnosis), time);
      },
    ),
    { numRuns: effort(200) },
  );
  expect(overhead).toBeGreaterThan(0);
});

/** Tasks of a program: spawned ones, threads of sections, and parts of loops; inside regions. */
function tasksIn(work: Work, workers: number): number {
  const all = (parts: readonly Work[]): number => parts.reduce((sum, part) => sum + tasksIn(part, workers), 0);
  switch (work.kind) {
    case 'compute':
      return 0;
    case 'sequence':
      return all(work.parts);
    case 'spawns':
    case 'chain':
      return work.parts.length + all(work.parts);
    case 'loop':
      return Math.ceil(work.n / work.grain);
    case 'team': {
      if (work.schedule === 'static' || work.schedule === 'dynamic') return Math.ceil(work.n / work.chunk);
      if (work.schedule === 'guided') return guidedChunks(work.n, work.chunk, workers).length;
      const shares = Array.from({ length: workers }, (_, k) => Math.floor((work.n + workers - 1 - k) / workers));
      return shares.reduce((sum, share) => sum + guidedChunks(share, work.chunk, workers).length, 0);
    }
    case 'critical':
      return work.threads;
  }
}

/**
 * The same program with regions that are reported under every scheduler: loops and critical sections take time, and loops have
 * more than one task. Under `os` the creating thread executes a single task itself, and no other thread is there.
 */
const withRegions = (parts: readonly Work[]): readonly Work[] =>
  JSON.parse(JSON.stringify(parts), (key, value) => {
    if (key === 'time' && value === 0) return 0.5;
    if (value?.kind === 'loop' && value.n <= value.grain) return { ...value, n: value.grain + 1 };
    return value;
  });

test('the number of tasks is that of the program, under every scheduler', () => {
  // Regions that take no time are not reported: creating a thread takes some, and so does a loop.
  const withCosts = cluster({
    ...{ name: 'node', nodes: 1, coresPerNode: 8, speed: '1Gf', eagerBelow: 0, threads: { create: '1us' } },
    link: { latency: '1us', bandwidth: '1GB/s' },
  });
  fc.assert(
    fc.property(
      threadPrograms.map(withRegions),
      fc.constantFrom(...POOLS, ...COOPERATIVE, 'os' as const),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (parts, scheduler, workers, bypass) => {
        const pool = (POOLS as readonly string[]).includes(scheduler) ? { bypass } : {};
        const { regions } = diagnose(modelOf(parts), { machine: withCosts, workers, scheduler, ...pool, gain: false });
        const expected = parts.reduce((sum, part) => sum + tasksIn(part, workers), 0);
        const measured = regions.filter(({ seconds }) => seconds > 0);
        expect(measured.reduce((sum, r) => sum + r.ownTasks + r.otherTasks, 0)).toBe(expected);
        expect(measured.reduce((sum, r) => sum + r.tasks, 0)).toBe(expected);
        for (const { workers: all, ownTasks } of measured)
          expect(all!.reduce((sum, w) => sum + w.ownTasks, 0)).toBe(ownTasks);
      },
    ),
    { numRuns: effort(300) },
  );
});

test('a fine loop: the parts of the loop are counted, the continued strands are not', () => {
  const model = threads({
    name: 'fine',
    build: (t) =>
      t.parallelFor({ name: 'l', n: 20_000, body: (b) => b.compute({ seconds: ({ count }) => count * 2e-7 }) }),
  });
  const [region] = diagnose(model as ThreadModel, { machine, workers: 4, gain: false }).regions;
  expect(region).toMatchObject({ tasks: 20_000, findings: [{ cause: 'fine-grain' }] });
  expect(region!.ownTasks + region!.otherTasks).toBe(20_000);
  expect(region!.activeShare).toBeGreaterThan(0.2);
});
