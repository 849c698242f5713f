import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
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
