import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runThreads } from '../../../src/commands/predict/threads/run-threads.ts';
import { DEFAULT_COSTS, NO_COSTS } from '../../../src/models/threads/costs.ts';
import type { ThreadMachine } from '../../../src/models/threads/net/ports.ts';
import { threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { SPAN_COEFFICIENT, speedupBounds, type WorkSpan, workSpan } from '../../../src/models/threads/work-span.ts';
import { effort } from '../../effort.ts';
import { modelOf, taskPrograms, threadPrograms, type Work } from './random-threads.ts';

const free: ThreadMachine = { speed: 1e9, cores: 64, costs: NO_COSTS };
const of = (model: ThreadModel<never> | ThreadModel, machine = free, workers = 4): WorkSpan =>
  workSpan((model as ThreadModel).program(workers), machine);

describe('work and span', () => {
  test('recursive halves: the burdened span has a spawn and a join on each level', () => {
    const model = threads({ name: 'm', build: (t) => t.parallelFor({ n: 8, body: (b) => b.compute({ seconds: 1 }) }) });
    const { spawn, steal, wakeUp } = DEFAULT_COSTS;
    const found = of(model, { ...free, costs: DEFAULT_COSTS });
    expect(found).toMatchObject({ work: 8, span: 1, spawns: 7, spawnSeconds: 7 * spawn, notCovered: [] });
    expect(found.burdenedSpan).toBeCloseTo(1 + 3 * (spawn + 2 * (steal + wakeUp)), 12);
  });

  test('linear spawning: all spawns are on the burdened span', () => {
    const model = threads({
      name: 'm',
      build: (t) => t.parallelFor({ n: 100, spawning: 'linear', body: (b) => b.compute({ seconds: 1 }) }),
    });
    const { spawn, steal, wakeUp } = DEFAULT_COSTS;
    expect(of(model, { ...free, costs: DEFAULT_COSTS }).burdenedSpan).toBeCloseTo(
      1 + 100 * spawn + 2 * (steal + wakeUp),
      12,
    );
  });

  test('a pipeline: its serial stages', () => {
    const model = threads({
      name: 'm',
      build: (t) =>
        t.pipeline({
          items: 10,
          stages: [
            { name: 'read', serial: true, body: (b) => b.compute({ seconds: 1 }) },
            { name: 'work', body: (b) => b.compute({ seconds: 5 }) },
          ],
        }),
    });
    expect(of(model)).toMatchObject({ work: 60, span: 15, notCovered: [] });
  });

  test('futures, barriers and events that are set once', () => {
    const model = threads({
      name: 'm',
      build(t) {
        const e = t.event('e');
        const b = t.barriers('b', 2);
        t.task('slow', {}, (s) => s.compute({ seconds: 7 }));
        const f = t.spawn('slow');
        t.get(f);
        t.sync();
        t.parallel(2, () => {
          t.compute({ seconds: ({ thread }) => 1 + thread });
          t.barrier(b);
          t.when(
            ({ thread }) => thread === 0,
            () => {
              t.compute({ seconds: 3 });
              t.set(e);
            },
            () => {
              t.wait(e);
              t.compute({ seconds: 1 });
            },
          );
        });
      },
    });
    expect(of(model)).toMatchObject({ work: 7 + 3 + 4, span: 7 + 2 + 3 + 1, notCovered: [] });
  });

  test('locks, and chunks assigned at run time, are named as not covered', () => {
    const model = threads({
      name: 'm',
      build(t) {
        const m = t.mutex('m');
        t.parallel(4, () => t.critical(m, () => t.compute({ seconds: 1 })));
        t.parallelFor({ n: 5, schedule: 'dynamic', body: (b) => b.compute({ seconds: 1 }) });
      },
    });
    expect(of(model)).toMatchObject({
      work: 9,
      // Four threads share five chunks: at least 5 / 4.
      span: 1 + 5 / 4,
      notCovered: ['chunks assigned at run time', 'mutex'],
    });
  });
});

test('the span of chunks assigned at run time is at least the longest chunk', () => {
  const model = threads({
    name: 'm',
    build(t) {
      t.parallelFor({
        n: 4,
        schedule: 'dynamic',
        body: (b) => b.compute({ seconds: ({ first }) => (first === 2 ? 7 : 1) }),
      });
    },
  });
  expect(of(model)).toMatchObject({ work: 10, span: 7 });
});

test('bounds of the speed-up', () => {
  const found = { work: 100, span: 10, burdenedSpan: 20, spawns: 5, spawnSeconds: 5, notCovered: [] };
  expect(speedupBounds(found, 4)).toEqual({ upper: 4, lower: 100 / (105 / 4 + SPAN_COEFFICIENT * 20) });
  expect(speedupBounds(found, 64).upper).toBe(10);
});

/** Work and span straight from the description of a program. */
function brute(parts: readonly Work[]): [work: number, span: number] {
  const of = (w: Work): [number, number] => {
    switch (w.kind) {
      case 'compute':
        return [w.time, w.time];
      case 'sequence': {
        const all = w.parts.map(of);
        return [all.reduce((sum, [work]) => sum + work, 0), all.reduce((sum, [, span]) => sum + span, 0)];
      }
      case 'spawns': {
        const all = w.parts.map(of);
        return [all.reduce((sum, [work]) => sum + work, w.own), Math.max(w.own, ...all.map(([, span]) => span))];
      }
      case 'chain': {
        const end = new Map<number, number>();
        let work = 0;
        w.parts.forEach((part, k) => {
          const [own, span] = of(part);
          work += own;
          end.set(w.keys[k]!, (end.get(w.keys[k]!) ?? 0) + span);
        });
        return [work, Math.max(0, ...end.values())];
      }
      case 'loop':
        return [w.n * w.time, Math.min(w.n, w.grain) * w.time];
      default:
        throw new Error(w.kind);
    }
  };
  return of({ kind: 'sequence', parts });
}

test('work and span of random task programs equal those of their descriptions', () => {
  fc.assert(
    fc.property(taskPrograms, (parts) => {
      const [work, span] = brute(parts);
      expect(of(modelOf(parts))).toMatchObject({ work, span, notCovered: [] });
    }),
    { numRuns: effort(2000) },
  );
});

test('no schedule is faster than work / P and the span; a central queue is a greedy schedule', () => {
  let parallel = 0;
  fc.assert(
    fc.property(
      taskPrograms,
      fc.constantFrom('stealing' as const, 'central' as const, 'static' as const),
      fc.integer({ min: 1, max: 6 }),
      (parts, scheduler, workers) => {
        const program = modelOf(parts).program(workers);
        const { work, span } = workSpan(program, free);
        const { time } = runThreads(threadNet(program, free, { scheduler }));
        expect(time).toBeGreaterThanOrEqual(work / workers - 1e-9);
        expect(time).toBeGreaterThanOrEqual(span);
        if (scheduler === 'central') expect(time).toBeLessThanOrEqual(work / workers + span + 1e-9);
        if (time < work) parallel++;
      },
    ),
    { numRuns: effort(400) },
  );
  expect(parallel).toBeGreaterThan(0);
});

test('the span is a lower bound with locks and chunks assigned at run time, too', () => {
  fc.assert(
    fc.property(threadPrograms, fc.integer({ min: 1, max: 6 }), (parts, workers) => {
      const program = modelOf(parts).program(workers);
      const { work, span } = workSpan(program, free);
      const { time } = runThreads(threadNet(program, free, { scheduler: 'stealing' }));
      expect(time).toBeGreaterThanOrEqual(Math.max(span, work / workers) - 1e-9);
    }),
    { numRuns: effort(200) },
  );
});
