import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convert } from '../../../src/commands/convert/convert.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { predictionJson } from '../../../src/commands/predict/prediction-json.ts';
import { threadModelNet } from '../../../src/commands/predict/threads/thread-model-net.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import { SCHEDULERS, type SchedulerName } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { secondsOfRows } from '../../../src/models/threads/work-span.ts';
import { type Noise, noise, spmd } from '../../../src/models.ts';
import { netFromJson } from '../../../src/net/json/json.ts';

import { effort } from '../../effort.ts';
import { modelOf, threadPrograms } from './random-threads.ts';

/** A node on which only computing takes time. */
const node = (cores: number, ofMachine?: Noise, memory?: '1GB/s') =>
  cluster({
    ...{ name: 'node', nodes: 1, coresPerNode: cores, speed: '1Gf', eagerBelow: 0, threads: NO_COSTS },
    link: { latency: '1us', bandwidth: '1GB/s' },
    ...(ofMachine === undefined ? {} : { noise: ofMachine }),
    ...(memory === undefined ? {} : { memory }),
  });

// biome-ignore lint/suspicious/noExplicitAny: any model
const model = (build: (t: any) => void): ThreadModel => threads({ name: 'm', build }) as ThreadModel;

/** n threads compute for a second each, by the given noise. */
const team = (n: number, own?: Noise): ThreadModel =>
  model((t) => t.parallel(n, () => t.compute({ seconds: 1, ...(own === undefined ? {} : { noise: own }) })));

const COUNT = 300;
/** A mean of independent runs is within this number of its standard errors, with a probability of 1 − 6 × 10⁻⁵. */
const ERRORS = 4;
const timesOf = (one: ThreadModel, machine: ReturnType<typeof node>): readonly number[] =>
  predict(one, { machine, scheduler: 'os', replications: COUNT }).replications!.seconds;
const mean = (all: readonly number[]): number => all.reduce((sum, x) => sum + x, 0) / all.length;
const variance = (all: readonly number[]): number => {
  const middle = mean(all);
  return all.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (all.length - 1);
};

describe('closed forms', () => {
  test.each([1, 2, 4, 8])('%i threads with exponential times are joined after H_n on the mean', (n) => {
    const exact = Array.from({ length: n }, (_, k) => 1 / (k + 1));
    const [h, v] = [exact.reduce((a, b) => a + b), exact.reduce((a, b) => a + b * b, 0)];
    for (const [one, machine] of [
      [team(n, noise.exponential()), node(n + 1)],
      [team(n), node(n + 1, noise.exponential())],
    ] as const) {
      const times = timesOf(one, machine);
      expect(Math.abs(mean(times) - h)).toBeLessThan(ERRORS * Math.sqrt(v / COUNT));
      // The variance of the maximum of exponential times is the sum of 1/k².
      expect(variance(times) / v).toBeGreaterThan(0.6);
      expect(variance(times) / v).toBeLessThan(1.6);
    }
  });

  test.each([
    ['exponential', noise.exponential(), 1],
    ['lognormal', noise.lognormal(0.5), 0.25],
    ['normal', noise.normal(0.2), 0.04],
    ['uniform', noise.uniform(0.6), 0.12],
  ] as const)('%s times one after the other have the sums of means and variances', (_, own, each) => {
    const parts = 5;
    const times = timesOf(
      model((t) => t.loop('k', parts, () => t.compute({ flops: 1e9, noise: own }))),
      node(1),
    );
    expect(Math.abs(mean(times) - parts)).toBeLessThan(ERRORS * Math.sqrt((parts * each) / COUNT));
    expect(variance(times) / (parts * each)).toBeGreaterThan(0.6);
    expect(variance(times) / (parts * each)).toBeLessThan(1.6);
  });

  test('threads that share one core take the sum of their times', () => {
    for (let seed = 0; seed < 20; seed++) {
      const options = { machine: node(1, noise.exponential()), scheduler: 'os', workers: 1, seed: `${seed}` } as const;
      const one = team(4);
      const { program, machine } = threadModelNet(one, options).net;
      const sum = secondsOfRows(program, machine).reduce((a, b) => a + b);
      expect(predict(one, options).figures.runTime.value).toBeCloseTo(sum, 9);
    }
  });

  test('two threads that share a core take the longer time and the shorter one', () => {
    // Processor sharing: the shorter ends after twice its time, the longer after the sum.
    const { workers } = predict(team(2), { machine: node(1, noise.uniform(0.5)), scheduler: 'os', workers: 1 });
    const [a, b] = workers!.slice(1).map(({ computing }) => computing) as [number, number];
    const { program, machine } = threadModelNet(team(2), { machine: node(1, noise.uniform(0.5)), scheduler: 'os' }).net;
    const [x, y] = [...secondsOfRows(program, machine)].filter((s) => s > 0).sort((p, q) => p - q) as [number, number];
    expect(Math.min(a, b)).toBeCloseTo(2 * x, 9);
    expect(Math.max(a, b)).toBeCloseTo(x + y, 9);
  });
});

describe('what is drawn', () => {
  test('noise of spread 0 changes nothing', () => {
    const plain = predict(team(3), { machine: node(4) });
    const { figures, notes } = predict(team(3, noise.uniform(0)), { machine: node(4) });
    expect(figures).toEqual(plain.figures);
    expect(notes?.map(({ code }) => code)).toContain('APP053');
  });

  test('bytes, transfers and sleeps have no noise of the machine; sleeps can have their own', () => {
    const machine = node(1, noise.exponential(), '1GB/s');
    const time = (build: Parameters<typeof model>[0]): number =>
      predict(model(build), { machine, scheduler: 'os' }).figures.runTime.value;
    expect(time((t) => t.compute({ bytes: 1e9 }))).toBe(1);
    expect(time((t) => t.sleep({ seconds: 2 }))).toBe(2);
    expect(time((t) => t.sleep({ seconds: 2, noise: noise.exponential() }))).not.toBe(2);
    const computing = time((t) => t.compute({ seconds: 1 }));
    expect(computing).not.toBe(1);
    expect(time((t) => t.compute({ seconds: 1, bytes: 1e9 }))).toBeCloseTo(computing + 1, 12);
  });

  test('noise of a statement replaces that of the machine', () => {
    const time = (machine: ReturnType<typeof node>): number =>
      predict(team(3, noise.lognormal(0.3)), { machine }).figures.runTime.value;
    expect(time(node(4, noise.exponential()))).toBe(time(node(4)));
  });

  test('the same seed gives the same bytes, another seed or replication other times', () => {
    const machine = node(4, noise.lognormal(1));
    const text = (options: object): string => predictionJson(predict(team(3), { machine, ...options }));
    expect(text({ seed: '7', replications: 3 })).toBe(text({ seed: '7', replications: 3 }));
    expect(text({ seed: '7' })).not.toBe(text({ seed: '8' }));
    const { seconds } = predict(team(3), { machine, replications: 20 }).replications!;
    expect(new Set(seconds).size).toBe(20);
    expect(seconds[0]).toBe(predict(team(3), { machine }).figures.runTime.value);
  });

  test('a line that is moved keeps its times', () => {
    const before = predict(
      model((t) => t.parallel(3, () => t.compute({ seconds: 1 }))),
      { machine: node(4, noise.exponential()) },
    );
    const after = predict(
      model((t) =>
        t.parallel(3, () =>
          // A comment.
          t.compute({ seconds: 1 }),
        ),
      ),
      { machine: node(4, noise.exponential()) },
    );
    expect(after.figures.runTime).toEqual(before.figures.runTime);
  });
});

test('drawn work does not depend on scheduler, workers or costs', () => {
  const workOf = (one: ThreadModel, scheduler: SchedulerName, workers: number, cores: number): number => {
    const { net } = threadModelNet(one, { machine: node(cores, noise.lognormal(0.7)), scheduler, workers });
    return secondsOfRows(net.program, net.machine).reduce((a, b) => a + b, 0);
  };
  let drawn = 0;
  fc.assert(
    fc.property(
      threadPrograms,
      fc.constantFrom(...SCHEDULERS),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 6 }),
      (parts, scheduler, workers, cores) => {
        // Chunks of guided and affinity loops depend on the number of threads.
        fc.pre(!parts.some((one) => one.kind === 'team' && (one.schedule === 'guided' || one.schedule === 'affinity')));
        const expected = workOf(modelOf(parts), 'os', 2, 8);
        if (expected > 0) drawn++;
        expect(workOf(modelOf(parts), scheduler, workers, cores)).toBeCloseTo(expected, 9);
      },
    ),
    { numRuns: effort(500) },
  );
  expect(drawn).toBeGreaterThan(0);
});

describe('other commands', () => {
  const machine = node(4, noise.exponential());
  const loop = model((t) =>
    t.parallelFor({
      ...{ n: 64, grain: 1, name: 'l' },
      body: (b: { compute(w: object): void }) => b.compute({ seconds: (s: { count: number }) => s.count }),
    }),
  );

  test('a diagnosis has the serial time of the drawn work, on any number of workers', () => {
    const serial = [1, 2, 4].map((workers) => diagnose(loop, { machine, workers, gain: false }).model!.serialTime!);
    expect(serial[0]).not.toBeCloseTo(64, 0);
    for (const one of serial) expect(one).toBeCloseTo(serial[0]!, 9);
    const alone = diagnose(loop, { machine, workers: 1, gain: false });
    expect(alone.model!.runTime).toBeCloseTo(serial[0]!, 9);
    const { warnings } = alone;
    expect(warnings.map(({ code }) => code)).toContain('THR013');
    expect(warnings.map(({ code }) => code)).not.toContain('THR012');
  });

  test('a gain over drawn times is a mean, and no gain is reported where only chance has one', () => {
    // Equal threads: any waiting is by chance, and a dynamic schedule of as many chunks gains nothing.
    const even = model((t) =>
      t.parallelFor({
        ...{ n: 4, chunk: 1, name: 'l', schedule: 'static' },
        body: (b: { compute(w: object): void }) => b.compute({ seconds: 1 }),
      }),
    );
    const { regions } = diagnose(even, { machine, workers: 4 });
    for (const { findings } of regions)
      for (const finding of findings) expect(finding).not.toHaveProperty('predictedGain');
    // Fine tasks: the gain of a larger grain is that without noise, within the noise of ten means.
    const fine = (own: ReturnType<typeof node>): number => {
      const one = model((t) =>
        t.parallelFor({
          ...{ n: 1000, grain: 1, name: 'l' },
          body: (b: { compute(w: object): void }) => b.compute({ seconds: (s: { count: number }) => 1e-8 * s.count }),
        }),
      );
      const found = diagnose(one, { machine: own, workers: 4, scheduler: 'stealing' }).regions[0]!.findings;
      return found.find(({ cause }) => cause === 'fine-grain')!.predictedGain!;
    };
    const costly = (own?: Noise) =>
      cluster({
        ...{ name: 'node', nodes: 1, coresPerNode: 4, speed: '1Gf', eagerBelow: 0 },
        link: { latency: '1us', bandwidth: '1GB/s' },
        ...(own === undefined ? {} : { noise: own }),
      });
    expect(fine(costly(noise.lognormal(0.5))) / fine(costly())).toBeGreaterThan(0.85);
    expect(fine(costly(noise.lognormal(0.5))) / fine(costly())).toBeLessThan(1.15);
  });

  test('scenarios of whatif draw the same work, and replicate it', async () => {
    const asked = { machine, workers: 1, vary: { scheduler: ['os', 'central'] } } as const;
    const once = await whatif(team(3), asked);
    expect(once.warnings.map(({ code }) => code)).toContain('WHAT018');
    const { scenarios } = await whatif(team(3), { ...asked, replications: 10 });
    for (const { figures } of scenarios as never as { figures: { runTime: { certainty?: number } } }[])
      expect(figures.runTime.certainty).toBe(0.95);
  });

  test('a converted net has mean times, which is said', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'times-')), 'net.json');
    const { notes } = convert(team(3), file, { machine });
    expect(notes.join()).toContain('THR013');
    expect(predict(netFromJson(readFileSync(file, 'utf8'))).figures.runTime.value).toBe(1);
    expect(convert(team(3), file, { machine: node(4) }).notes).toEqual([]);
  });

  test('verification ignores times', () => {
    const holds = (one: ThreadModel): string =>
      JSON.stringify(verifyThreads(one, { workers: 2 }), (key, value) => (key === 'seconds' ? 0 : value));
    expect(holds(team(2, noise.exponential()))).toEqual(holds(team(2)));
  });

  test('noise of statements is refused in regions of ranks, not silently left out', () => {
    const hybrid = spmd({
      name: 'h',
      build: (m) =>
        m.threads({ workers: 2 }, (t) => t.parallel(2, () => t.compute({ seconds: 1, noise: noise.exponential() }))),
    });
    expect(() => predict(hybrid, { machine: node(2), ranks: 1 })).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code: 'THR006' })] }),
    );
    expect(verifyProgram(hybrid, { ranks: 1 })).toBeDefined();
  });
});
