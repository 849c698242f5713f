import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { noise, spmd } from '../../../src/models.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { effort } from '../../effort.ts';

/** Ranks that compute for exponential times; without noise nothing is drawn. */
const jobs = spmd({
  name: 'jobs',
  params: { seconds: 1, drawn: true },
  build(m) {
    const random = m.p.drawn ? { noise: noise.exponential() } : {};
    m.compute({ seconds: m.p.seconds, ...random });
    m.compute({ seconds: m.p.seconds / 2, ...random });
  },
});

test('every scenario has the precision, and all run equally often', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10, max: 30 }),
      fc.constantFrom(90, 95, 99),
      fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 3 }),
      fc.integer(),
      async (percent, level, ranks, seed) => {
        const study = await whatif(jobs, {
          vary: { ranks, 'model.seconds': [1, 3] },
          precision: `${percent}%`,
          confidence: `${level}%`,
          seed: String(seed),
          workers: 1,
        });
        expect(study).toMatchObject({ complete: true, options: { precision: `${percent}%`, confidence: `${level}%` } });
        const counts = study.scenarios.map(({ replications }) => replications!.length);
        expect(new Set(counts).size).toBe(1);
        expect(counts[0]).toBeGreaterThanOrEqual(10);
        for (const { figures, difference } of study.scenarios) {
          const { value, lower, upper, certainty } = figures!['runTime'] as Required<
            NonNullable<typeof figures>[string]
          >;
          expect(certainty).toBe(level / 100);
          // A scenario that ran more often than it needed can only by chance be wider than it was.
          expect((upper! - lower!) / 2).toBeLessThanOrEqual(1.2 * (percent / 100) * value!);
          if (difference !== undefined) expect(difference).toMatchObject({ certainty: level / 100 });
        }
      },
    ),
    { numRuns: effort(40) },
  );
});

test('the number of threads does not matter, and the runs are those of --replications', async () => {
  const options = { vary: { ranks: [2, 4] }, precision: '10%' } as const;
  const one = await whatif(jobs, { ...options, workers: 1 });
  const { scenarios } = await whatif(jobs, { ...options, workers: 2 });
  expect(scenarios).toEqual(one.scenarios);
  const replications = one.scenarios[0]!.replications!.length;
  const fixed = await whatif(jobs, { vary: { ranks: [2, 4] }, replications, workers: 1 });
  expect(fixed.scenarios).toEqual(one.scenarios);
});

/** One rank computes for a second, the others for exponential times; every rank has a host that takes 100 W while it computes. */
const uneven = spmd({
  name: 'uneven',
  params: { seconds: 1 },
  build(m) {
    m.when(
      (s) => s.rank === 0,
      () => m.compute({ seconds: 1 }),
    );
    m.when(
      (s) => s.rank > 0,
      () => m.compute({ seconds: m.p.seconds, noise: noise.exponential() }),
    );
  },
});
const powered = cluster({
  ...{ nodes: 8, coresPerNode: 1, speed: 1e9, link: { latency: 0, bandwidth: 1e9 }, eagerBelow: 0 },
  power: { idle: 0, full: 100 },
});

test('the precision is that of the figure by which scenarios are compared', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('runTime', 'energy'),
      fc.integer({ min: 5, max: 20 }),
      fc.integer({ min: 2, max: 6 }),
      fc.integer(),
      async (name, percent, ranks, seed) => {
        const study = await whatif(uneven, {
          ...{ machine: powered, ranks, vary: { 'model.seconds': [0.5, 2] }, workers: 1 },
          ...{ precision: `${percent}%`, figures: [name], seed: String(seed) },
        });
        expect(study.complete).toBe(true);
        for (const { figures, values } of study.scenarios) {
          const { value, lower, upper } = figures![name] as Required<NonNullable<typeof figures>[string]>;
          expect((upper! - lower!) / 2).toBeLessThanOrEqual(1.2 * (percent / 100) * value!);
          if (name !== 'energy') continue;
          // 100 W for one second, and for the mean of each exponential time; the interval is one of 95 %.
          const mean = 100 * (1 + (ranks - 1) * (values['model.seconds'] as number));
          expect(Math.abs(value! - mean)).toBeLessThan(3 * (upper! - value!));
        }
      },
    ),
    { numRuns: effort(15) },
  );
});

test('a study of the energy is precise where all runs take equally long', async () => {
  const short = { machine: powered, ranks: 2, vary: { 'model.seconds': [0.01] }, precision: '5%', workers: 1 } as const;
  const ofEnergy = await whatif(uneven, { ...short, figures: ['energy'], precision: '0.1%' });
  expect(ofEnergy).toMatchObject({ complete: true, warnings: [] });
  const ofTime = await whatif(uneven, short);
  expect(ofTime.warnings.map(({ code }) => code)).toEqual(['WHAT025']);
  const few = await whatif(uneven, { ...short, figures: ['energy'], precision: '0.01%', replications: 12 });
  expect(few.warnings[0]!.message).toMatch(/after 12 runs its energy is known to [\d.]+ %, not to 0.01 %/);
});

test('a scenario without random parts runs once, and does not hold up the others', async () => {
  const study = await whatif(jobs, { vary: { 'model.drawn': [true, false] }, ranks: 2, precision: '10%', workers: 1 });
  expect(study.complete).toBe(true);
  expect(study.scenarios.map(({ replications = [] }) => replications.length > 1)).toEqual([true, false]);
});

test('a precision that the runs do not reach is a warning, and the study is incomplete', async () => {
  const study = await whatif(jobs, { vary: { ranks: [2] }, precision: '1%', replications: 12, workers: 1 });
  expect(study.complete).toBe(false);
  const [warning] = study.warnings.filter(({ code }) => code === 'WHAT025');
  expect(warning!.message).toMatch(/^scenario ranks=2: after 12 runs its run time is known to [\d.]+ %, not to 1 %/);
  expect(study.scenarios[0]!.replications).toHaveLength(12);
});

test('where a time ends every run, a precision of the run time means nothing, and a warning says so', async () => {
  const n = new NetBuilder('clock');
  const p = n.place('p', {}, { initial: 1 });
  n.transition('tick', (t) => {
    t.take(p);
    t.put(p, {});
    t.delay(exponential(1));
  });
  const study = await whatif(n.build(), {
    vary: { 'delay.tick': ['x1', 'x2'] },
    until: 5,
    precision: '1%',
    workers: 1,
  });
  expect(study.complete).toBe(false);
  expect(study.warnings.filter(({ code }) => code === 'WHAT025')).toHaveLength(2);
  expect(study.warnings.at(-1)!.message).toContain('every run takes 5.000 s, as where a time ends it');
});

test.each([
  [{ precision: 2 }, /APP025 precision: expected a share between 0 and 1 such as 1%, got 2/],
  [{ confidence: 0.9 }, /APP025 a confidence needs replications/],
  [{ precision: '5%', confidence: 1 }, /APP025 confidence: expected a share/],
] as const)('%o is refused', async (options, message) => {
  await expect(whatif(jobs, { vary: { ranks: [2] }, workers: 1, ...options })).rejects.toThrow(message);
});
