import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { renderDiagnosis } from '../../../src/commands/diagnose/diagnose-view.ts';
import type { DiagnosisDocument } from '../../../src/commands/diagnose/diagnosis-document.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { spmd } from '../../../src/models/program/model.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { effort } from '../../effort.ts';
import { modelOf, threadPrograms } from '../../models/threads/random-threads.ts';

const machine = cluster({
  ...{ name: 'node', nodes: 1, coresPerNode: 8, speed: '1Gf', eagerBelow: 0 },
  link: { latency: '1us', bandwidth: '1GB/s' },
});
type Builder = Parameters<Parameters<typeof threads>[0]['build']>[0];
type Scope = Record<string, number>;
const modelWith = (build: (t: Builder) => void): ThreadModel => threads({ name: 'm', build }) as ThreadModel;
const sumOf = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((sum, one) => sum + of(one), 0);

/** Threads that collect results in one list; `inside` seconds under its lock. */
const results = (inside: number, outside = 1e-6): ThreadModel =>
  modelWith((t) => {
    const list = t.mutex('list');
    t.parallel(4, () =>
      t.loop('k', 100, () => {
        t.compute({ seconds: outside });
        t.critical(list, () => t.compute({ seconds: inside }));
      }),
    );
  });

describe('lines and locks', () => {
  test('lines have all computing of a prediction, and no more waiting and overhead than it', () => {
    let checked = 0;
    fc.assert(
      fc.property(
        threadPrograms,
        fc.constantFrom('stealing', 'central', 'static', 'os', 'a0', 'a1', 'a2'),
        fc.integer({ min: 1, max: 4 }),
        (parts, scheduler, workers) => {
          const options = { machine, workers, scheduler } as const;
          const { lines = [], regions, deadlock } = diagnose(modelOf(parts), { ...options, gain: false });
          const { workers: predicted = [] } = predict(modelOf(parts), options);
          const executing = sumOf(predicted, ({ computing, memory }) => computing + memory);
          expect(sumOf(lines, (line) => line.executing)).toBeCloseTo(executing, 6);
          const overhead = sumOf(lines, (line) => line.overhead + line.spinning);
          expect(overhead).toBeLessThanOrEqual(sumOf(predicted, (one) => one.overhead) * (1 + 1e-9) + 1e-12);
          // Under a cooperative scheduler strands wait, and their workers execute others.
          const waiting = sumOf(lines, (line) => line.waiting);
          if (!['a0', 'a1', 'a2'].includes(scheduler))
            expect(waiting).toBeLessThanOrEqual(sumOf(predicted, (one) => one.waiting) * (1 + 1e-9) + 1e-12);
          for (const line of lines)
            for (const seconds of [line.executing, line.spinning, line.waiting, line.overhead])
              expect(seconds).toBeGreaterThanOrEqual(0);
          for (const { findings } of regions)
            for (const { evidence, share } of findings) {
              expect(share).toBeGreaterThan(0);
              for (const { threshold } of evidence) expect(threshold).toBeGreaterThanOrEqual(0.01);
            }
          if (deadlock === undefined) checked++;
        },
      ),
      { numRuns: effort(150) },
    );
    expect(checked).toBeGreaterThanOrEqual(20);
  });

  test('a lock has its operations and waits, as a prediction counts them', () => {
    const options = { machine, workers: 4 };
    const { locks = [], lines = [] } = diagnose(results(20e-6), { ...options, gain: false });
    const [object] = predict(results(20e-6), options).objects!;
    expect(locks).toMatchObject([{ name: 'list', kind: 'mutex', count: object!.blocked, operations: 800 }]);
    expect(locks[0]!.line).toBe(object!.line);
    // A prediction ends the wait with the release, a diagnosis when the strand runs again: at most a wake-up later.
    expect(locks[0]!.wait).toBeGreaterThanOrEqual(object!.seconds);
    expect(locks[0]!.wait).toBeLessThanOrEqual(object!.seconds + object!.blocked * 5.1e-6);
    expect(sumOf(lines, ({ executing }) => executing)).toBeCloseTo(400 * 21e-6, 9);
    expect(sumOf(lines, ({ waits }) => waits)).toBe(object!.blocked);
  });

  test.each(['spin', 'spin-then-park'] as const)(
    'waits of a lock of kind %s: spinning and parked, as a prediction counts them',
    (kind) => {
      for (const inside of [1e-6, 5e-6]) {
        const model = modelWith((t) => {
          const list = t.mutex('list', 1, { kind });
          t.parallel(4, () =>
            t.loop('k', 100, () => {
              t.compute({ seconds: 2e-6 });
              t.critical(list, () => t.compute({ seconds: inside }));
            }),
          );
        });
        const options = { machine, scheduler: 'os' } as const;
        const [lock] = diagnose(model, { ...options, gain: false }).locks!;
        const { lines = [] } = diagnose(model, { ...options, gain: false });
        const [object] = predict(model, options).objects!;
        expect(object!.spinning).toBeGreaterThan(0);
        expect(sumOf(lines, ({ spinning }) => spinning)).toBeCloseTo(object!.spinning!, 12);
        expect(lock!.wait).toBeCloseTo(object!.seconds, 12);
        expect(lock!.count).toBe(object!.blocked);
        // Three waiters: with 5 µs inside, a wait is longer than a spin of 2 µs.
        const parked = object!.seconds - object!.spinning!;
        if (kind === 'spin' || inside === 1e-6) expect(parked).toBeCloseTo(0, 12);
        else expect(parked).toBeGreaterThan(object!.spinning!);
      }
    },
  );

  test('threads in ranks', () => {
    const model = spmd({
      name: 'ranks',
      build(m) {
        m.threads({ workers: 4, scheduler: 'os' }, (t) => {
          const list = t.mutex('list');
          t.parallel(4, () => t.loop('k', 50, () => t.critical(list, () => t.compute({ seconds: 20e-6 }))));
        });
      },
    });
    const large = cluster({
      ...{ name: 'node', nodes: 2, coresPerNode: 4, speed: '1Gf', eagerBelow: 0 },
      link: { latency: '1us', bandwidth: '1GB/s' },
    });
    const { regions, locks = [] } = diagnose(model as never, { machine: large, ranks: 2, gain: true });
    expect(sumOf(locks, ({ operations }) => operations)).toBe(2 * 4 * 50 * 2);
    const [whole] = regions;
    expect(whole!.findings[0]).toMatchObject({ cause: 'lock-contention', subject: { object: 'list' } });
    // With locks of their own, each thread takes 50 x 20 us instead of 200 x 20 us.
    expect(whole!.findings[0]!.predictedGain).toBeGreaterThan(0.9 * 150 * 20e-6);
  });

  test('under a cooperative scheduler, blocked threads are no lack of tasks', () => {
    for (const scheduler of ['a0', 'a1', 'a2'] as const) {
      // Longer outside than an idle scheduler thread of A1 takes to wake up: otherwise the running thread takes the lock again.
      const { regions } = diagnose(results(100e-6, 20e-6), { machine, workers: 4, scheduler, gain: false });
      expect([scheduler, ...regions[0]!.findings.map(({ cause }) => cause)]).toEqual([scheduler, 'lock-contention']);
    }
  });

  test('periods have their own losses', () => {
    const model = modelWith((t) => {
      const m = t.mutex('m');
      t.region('all', () => {
        t.parallel(4, () => t.compute({ seconds: 10e-3 }));
        t.parallel(4, () => t.critical(m, () => t.compute({ seconds: 2.5e-3 })));
      });
    });
    const { regions } = diagnose(model, { machine, workers: 4, period: 10e-3, gain: false });
    expect(regions.slice(0, 2).map(({ findings }) => findings.map(({ cause }) => cause))).toEqual([
      [],
      expect.arrayContaining(['lock-contention']),
    ]);
  });
});

describe('10 % cheaper lines and locks', () => {
  const cheaper = (model: ThreadModel): NonNullable<DiagnosisDocument['cheaper']> =>
    diagnose(model, { machine, workers: 4, gain: false, speedup: true }).cheaper!;

  test('of two stages, only the slower one determines the run time', () => {
    const model = modelWith((t) => {
      const [free, full] = [t.semaphore('free', 4), t.semaphore('full', 0)];
      t.parallel(2, () =>
        t.when(
          (s: Scope) => s['thread'] === 0,
          () =>
            t.loop('k', 100, () => {
              t.compute({ seconds: 1e-3 });
              t.acquire(free);
              t.release(full);
            }),
          () =>
            t.loop('k', 100, () => {
              t.acquire(full);
              t.release(free);
              t.compute({ seconds: 2e-3 });
            }),
        ),
      );
    });
    const { runs, parts } = cheaper(model);
    expect(runs).toBe(2);
    // The consumer: 10 % of 100 x 2 ms. The producer: 10 % of the first item.
    expect(parts[0]!.gain).toBeCloseTo(20e-3, 5);
    expect(parts[1]!.gain).toBeCloseTo(0.1e-3, 5);
  });

  test('the gain of a line under a lock is that of all its executions', () => {
    const { parts } = cheaper(results(20e-6));
    const line = parts.filter(({ kind }) => kind === 'line').map(({ gain }) => gain!);
    // The order of wake-ups changes with the times: at most two of them.
    expect(Math.abs(Math.max(...line) - 0.1 * 400 * 20e-6)).toBeLessThan(2 * 5e-6);
    expect(parts.find(({ kind }) => kind === 'lock')!.gain).toBeGreaterThan(0);
  });

  test('at most 16 runs, and the text says how many', () => {
    const model = modelWith((t) => {
      const locks = Array.from({ length: 12 }, (_, k) => t.mutex(`m${k}`));
      t.parallel(4, () => {
        for (const m of locks) t.critical(m, () => t.compute({ seconds: 1e-6 }));
      });
    });
    const document = diagnose(model, { machine, workers: 4, gain: false, speedup: true });
    expect(document.cheaper!.runs).toBeLessThanOrEqual(16);
    expect(document.cheaper!.parts).toHaveLength(document.cheaper!.runs);
    const text = renderDiagnosis(document, { width: 100, colour: false, unicode: true }).replace(/\s+/g, ' ');
    expect(text).toContain(`${document.cheaper!.runs} runs of changed programs`);
  });
});

test('one fork around a time loop does the same work, and saves the creation of threads', () => {
  const steps = (t: Builder): void =>
    t.loop('k', 100, () =>
      t.parallelFor({
        ...{ name: 'row', n: 16, schedule: 'static' },
        body: (b) => b.compute({ seconds: (s: Scope) => s['count']! * 1e-6 }),
      }),
    );
  const options = { machine, workers: 4, scheduler: 'os' } as const;
  const [region] = diagnose(modelWith(steps), options).regions;
  const finding = region!.findings.find(({ cause }) => cause === 'forks-in-time-loop')!;
  const corrected = modelWith((t) => t.parallel(4, () => steps(t)));
  const time = (model: ThreadModel): number => predict(model, options).figures.runTime.value;
  // The pool of workers may be faster still.
  expect(finding.predictedGain).toBeGreaterThanOrEqual(time(modelWith(steps)) - time(corrected) - 1e-9);
});
