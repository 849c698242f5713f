import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { diagnosisJson, renderDiagnosis } from '../../../src/commands/diagnose/diagnose-view.ts';
import type { DiagnosisDocument } from '../../../src/commands/diagnose/diagnosis-document.ts';
import type { DiagnoseModelOptions } from '../../../src/commands/diagnose/diagnosis-options.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';

const causes = ({ regions }: DiagnosisDocument): string[][] =>
  regions.map(({ name, findings }) => [name, ...findings.map(({ cause }) => cause)]);
const diagnosed = (model: object, options: DiagnoseModelOptions = {}): DiagnosisDocument =>
  diagnose(model as ThreadModel, { workers: 4, ...options });

const linear = threads({
  name: 'linear',
  params: { tasks: 500, seconds: 3e-6 },
  build(t) {
    t.task('work', { k: 0 }, (b) => b.compute({ seconds: t.p.seconds }));
    t.compute({ seconds: 1e-4 });
    t.loop('k', t.p.tasks, () => t.spawn('work', { k: (s) => s['k'] as number }));
    t.sync();
  },
});

describe('serial time', () => {
  /** Each thread tries, and computes 1 ms with the lock or 2 ms without it. */
  const tries = threads({
    name: 'tries',
    build(t) {
      const m = t.mutex('m');
      t.parallel(3, () => {
        t.tryLock(
          m,
          () => {
            t.compute({ seconds: 1e-3 });
            t.unlock(m);
          },
          () => t.compute({ seconds: 2e-3 }),
        );
      });
    },
  });

  test.each([tries, linear])('of $name is its work: of a try one block, not both', (model) => {
    const { model: figures, regions, speedup } = diagnosed(model, { scheduler: 'os', speedup: true });
    expect(figures!.serialTime).toBe(speedup!.work);
    // All work outside regions is that of the main strand of `linear`.
    const outside = model === linear ? 1e-4 : 0;
    expect(regions.reduce((sum, { serialTime = 0 }) => sum + serialTime, outside)).toBeCloseTo(
      figures!.serialTime!,
      12,
    );
  });

  test('of tries is that of a run in which all succeed', () => {
    expect(diagnosed(tries).model!.serialTime).toBeCloseTo(3e-3, 12);
  });
});

describe('how much a cause limits the speed-up', () => {
  test('curves with and without the cause: the last point is the predicted gain', () => {
    const { speedup, regions, model } = diagnosed(linear, { workers: 8, speedup: true });
    const [finding] = regions[0]!.findings;
    expect(speedup!.without).toHaveLength(1);
    const [curve] = speedup!.without!;
    expect(curve).toMatchObject({ region: regions[0]!.name, cause: 'linear-spawning', change: finding!.change });
    expect(curve!.points.map(({ workers }) => workers)).toEqual([1, 2, 4, 8]);
    const last = curve!.points.at(-1)!;
    expect(model!.runTime - last.runTime!).toBeCloseTo(finding!.predictedGain!, 12);
    // Speed-ups of both curves are over the same work; on one worker nothing is stolen.
    for (const [k, { simulated, runTime }] of curve!.points.entries())
      expect(simulated! * runTime!).toBeCloseTo(speedup!.points[k]!.simulated! * speedup!.points[k]!.runTime!, 12);
    const factors = curve!.points.map(({ simulated }, k) => simulated! / speedup!.points[k]!.simulated!);
    expect(factors[0]).toBeCloseTo(1, 1);
    expect(factors.at(-1)).toBeGreaterThan(1.1);
    const text = renderDiagnosis(diagnosed(linear, { workers: 8, speedup: true }), {
      width: 100,
      colour: false,
      unicode: true,
    });
    expect(text).toMatch(/Simulated speed-up without a cause\nworkers +as it is +\(1\)\n/);
    expect(text).toMatch(/\(1\) without linear-spawning in region tasks diagnose-model.long.test.ts:\d+: spawning of/);
  });

  test('a program without a cause, or whose remedy is another number of workers, has no such curve', () => {
    const even = threads({
      name: 'even',
      build: (t) => t.parallelFor({ n: 64, body: (b) => b.compute({ seconds: 1e-3 }) }),
    });
    expect(diagnosed(even, { speedup: true }).speedup).not.toHaveProperty('without');
    expect(diagnosed(linear, { workers: 8, speedup: true, gain: false }).speedup).not.toHaveProperty('without');
  });

  test('the estimate of a region: its speed-up if the lost time were spent on computing', () => {
    for (const { speedup, seconds, workers, workersCount, findings } of diagnosed(linear).regions) {
      expect(speedup * seconds).toBeCloseTo(
        workers!.reduce((sum, { computing }) => sum + computing, 0),
        12,
      );
      for (const { share, speedupWithout } of findings) {
        expect(speedupWithout).toBeCloseTo(Math.min(workersCount, speedup / (1 - share)), 12);
        expect(speedupWithout).toBeGreaterThan(speedup);
      }
    }
  });
});

describe('the gain comes from changed programs', () => {
  test('linear spawning of tasks: by halves', () => {
    const document = diagnosed(linear);
    expect(document).toMatchObject({ kind: 'diagnosis', origin: 'simulated', model: { name: 'linear', workers: 4 } });
    const [region] = document.regions;
    expect(region!.name).toMatch(/^tasks diagnose-model.long.test.ts:\d+$/);
    const [finding, ...others] = region!.findings;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ cause: 'linear-spawning' });
    expect(finding!.change).toMatch(
      /^spawning of the spawning loop at diagnose-model.long.test.ts:\d+: linear → recursive$/,
    );
    expect(finding!.advice).toContain(finding!.change!);
    // The same loop written with recursive spawning.
    const recursive = threads({
      name: 'recursive',
      build(t) {
        t.compute({ seconds: 1e-4 });
        t.parallelFor({ n: 500, body: (b) => b.compute({ seconds: 3e-6 }) });
      },
    });
    const saved = document.model!.runTime - diagnosed(recursive).model!.runTime;
    expect(finding!.predictedGain! / saved).toBeCloseTo(1, 1);
  });

  test('a grain that is a function of the state is multiplied', () => {
    const model = threads({
      name: 'm',
      build: (t) =>
        t.parallelFor({
          n: 4000,
          grain: () => 1,
          name: 'loop',
          body: (b) => b.compute({ seconds: ({ count }) => count * 30e-9 }),
        }),
    });
    const [finding] = diagnosed(model).regions[0]!.findings;
    expect(finding).toMatchObject({ cause: 'fine-grain' });
    expect(finding!.change).toMatch(/^grain of the loop at diagnose-model.long.test.ts:\d+: × \d+$/);
    expect(finding!.predictedGain).toBeGreaterThan(0);
  });

  test('threads of the operating system: those that have ended wait for an uneven static loop', () => {
    const loop = (longest: number) =>
      threads({
        name: 'm',
        build: (t) =>
          t.parallelFor({
            n: 40,
            schedule: 'static',
            name: 'loop',
            // The first ten iterations are longer.
            body: (b) =>
              b.compute({
                seconds: ({ first, count }) =>
                  1e-3 * (count + (longest - 1) * Math.max(0, Math.min(10, first + count) - first)),
              }),
          }),
      });
    const document = diagnosed(loop(10), { scheduler: 'os' });
    expect(causes(document)).toEqual([['loop', 'excessive-waiting']]);
    const [region] = document.regions;
    // Three of four threads wait for 90 of 100 ms.
    expect(region!.inactiveShare).toBeCloseTo((3 * 0.9) / 4, 2);
    expect(region!.findings[0]!.change).toMatch(/schedule/);
    expect(region!.findings[0]!.predictedGain).toBeGreaterThan(0.06);
    expect(causes(diagnosed(loop(1), { scheduler: 'os' }))).toEqual([['loop']]);
  });

  test('an uneven static loop: a dynamic schedule', () => {
    const model = threads({
      name: 'm',
      build: (t) =>
        t.parallelFor({
          n: 400,
          schedule: 'static',
          name: 'loop',
          // A triangle: iteration i takes i × 100 us.
          body: (b) => b.compute({ seconds: ({ first, count }) => 1e-4 * (count * first + (count * (count - 1)) / 2) }),
        }),
    });
    const document = diagnosed(model);
    expect(causes(document)).toEqual([['loop', 'excessive-waiting']]);
    const [finding] = document.regions[0]!.findings;
    expect(finding!.change).toMatch(/: static → dynamic, \d+ chunks a thread$/);
    // 79,800 iterations' worth of 100 us on four workers, ideally; 7/4 of that with even shares.
    expect(document.model!.runTime).toBeCloseTo((7 / 4) * (7.98 / 4), 2);
    expect(finding!.predictedGain).toBeGreaterThan(0.7 * (3 / 4) * (7.98 / 4));
  });

  test('too few tasks without a grain: fewer workers do not help, and no gain is given', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.task('work', {}, (b) => b.compute({ seconds: 1e-4 }));
        t.region('steps', () =>
          t.loop('k', 20, () => {
            t.spawn('work');
            t.spawn('work');
            t.sync();
          }),
        );
      },
    });
    const document = diagnosed(model, { workers: 8 });
    expect(causes(document)).toEqual([['steps', 'too-few-tasks']]);
    const [finding] = document.regions[0]!.findings;
    expect(finding).not.toHaveProperty('predictedGain');
    expect(finding!.noGain).toMatch(/^none of the \d+ changes tried shortens the run$/);
  });

  test('no loop to change: the reason is given', () => {
    const model = threads({
      name: 'm',
      build(t) {
        t.task('short', {}, (b) => b.compute({ seconds: 0.1 }));
        t.task('long', {}, (b) => b.compute({ seconds: 1 }));
        t.region('all', () => {
          t.spawn('short');
          t.spawn('long');
          t.sync();
        });
      },
    });
    const [finding] = diagnosed(model, { workers: 2 }).regions[0]!.findings;
    expect(finding).toMatchObject({
      cause: 'excessive-waiting',
      noGain: expect.stringContaining('the region has no loop'),
    });
  });
});

describe('thresholds', () => {
  const efficient = threads({
    name: 'm',
    build: (t) => t.parallelFor({ n: 64, name: 'loop', body: (b) => b.compute({ seconds: 1e-3 }) }),
  });

  test('an efficient loop has nothing to report', () => {
    expect(causes(diagnosed(efficient))).toEqual([['loop']]);
  });

  test('options change them', () => {
    expect(causes(diagnosed(efficient, { inactive: 0, active: 0 }))).toEqual([['loop', 'excessive-waiting']]);
    expect(causes(diagnosed(linear, { stealRatio: 1000 }))[0]!.slice(1)).toEqual(['unknown']);
  });

  test('a region without gain over one worker is reported below the share thresholds', () => {
    // Spawning is part of EXEC: with two workers it costs as much as they gain.
    const model = threads({
      name: 'm',
      build: (t) => t.parallelFor({ n: 2000, name: 'loop', body: (b) => b.compute({ seconds: 50e-9 }) }),
    });
    const machine = cluster({
      ...{ name: 'slow', nodes: 1, coresPerNode: 2, speed: '1Gf', eagerBelow: 0 },
      link: { latency: '1us', bandwidth: '1GB/s' },
      threads: { spawn: '1us' },
    });
    const options = { workers: 2, active: 1, inactive: 1, machine };
    expect(causes(diagnosed(model, options))).toEqual([['loop', 'fine-grain']]);
    expect(causes(diagnosed(efficient, options))).toEqual([['loop']]);
  });

  test('a central queue has no own tasks, and so no linear spawning', () => {
    expect(causes(diagnosed(linear, { scheduler: 'central' }))[0]!.slice(1)).not.toContain('linear-spawning');
  });
});

describe('runs that do not end', () => {
  const waits = threads({
    name: 'waits',
    build(t) {
      const e = t.event('e');
      t.parallel(2, () => t.wait(e), { name: 'section' });
    },
  });

  test('a deadlock is reported with its strands, without gains', () => {
    const document = diagnosed(waits);
    expect(document.deadlock).toMatchObject([
      { operation: 'wait e', file: expect.stringContaining('diagnose-model.long.test.ts') },
      { operation: 'wait e' },
    ]);
    for (const { findings } of document.regions)
      for (const { noGain } of findings) expect(noGain).toBe('the program deadlocks');
    expect(renderDiagnosis(document, { width: 100, colours: false, unicode: true } as never)).toContain('Deadlock.');
  });

  test('unlocking what is not held is an error of the model', () => {
    const model = threads({
      name: 'm',
      build(t) {
        const m = t.mutex('m');
        t.unlock(m);
      },
    });
    expect(() => diagnosed(model)).toThrow(InputError);
    expect(() => diagnosed(model)).toThrow(/unlock m/);
  });
});

test('a model without parallel regions', () => {
  const document = diagnosed(threads({ name: 'm', build: (t) => t.compute({ seconds: 1 }) }));
  expect(document.regions).toEqual([]);
  expect(renderDiagnosis(document, { width: 100, colours: false, unicode: true } as never)).toContain(
    'No parallel region',
  );
  expect(JSON.parse(diagnosisJson(document))).toMatchObject({ kind: 'diagnosis', regions: [] });
});

test.each([
  [{ workers: 0 }, 'workers'],
  [{ workers: 1_000_001 }, 'workers'],
  [{ workers: 1.5 }, 'workers'],
  [{ scheduler: 'fast' as never }, 'scheduler'],
  [{ active: 2 }, 'active'],
  [{ set: { nothing: 1 } }, 'nothing'],
])('options %j are refused', (options, name) => {
  expect(() => diagnosed(linear, options)).toThrow(name);
});

test('equal seeds give equal documents, and --set sets parameters', () => {
  expect(diagnosed(linear, { seed: 'a' })).toEqual(diagnosed(linear, { seed: 'a' }));
  expect(diagnosed(linear, { set: { tasks: 10 } }).model!.params).toEqual({ tasks: 10, seconds: 3e-6 });
});
