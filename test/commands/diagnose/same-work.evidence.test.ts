import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

const machine = cluster({
  ...{ name: 'node', nodes: 2, coresPerNode: 8, speed: '1Gf', memory: '20GB/s', eagerBelow: 0 },
  link: { latency: '1us', bandwidth: '1GB/s' },
});

type Work = { readonly seconds?: number; readonly flops?: number; readonly bytes?: number };

/** A fine loop; `isPerPart`: the body does the same, whatever the number of its iterations. */
const loop = (work: Work, isPerPart: boolean, schedule: 'tasks' | 'dynamic', reduce: boolean): ThreadModel =>
  threads({
    name: 'm',
    build: (t) =>
      t.parallelFor({
        ...{ n: 2000, chunk: 1, name: 'l', schedule },
        ...(reduce ? { reduce: { seconds: 1e-8 } } : {}),
        body: (b) =>
          b.compute(
            Object.fromEntries(
              Object.entries(work).map(([key, amount]) => [
                key,
                (s: { readonly count: number }) => amount * (isPerPart ? 1 : s.count),
              ]),
            ),
          ),
      }),
  }) as ThreadModel;

test('a grain is changed only where the changed program does the same work', () => {
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom<Work>({ seconds: 2e-8 }, { flops: 20 }, { flops: 20, bytes: 8 }, { seconds: 1e-8, bytes: 16 }),
      fc.constantFrom('tasks' as const, 'dynamic' as const),
      fc.boolean(),
      fc.integer({ min: 2, max: 6 }),
      (work, schedule, reduce, workers) => {
        const options = { machine, workers, scheduler: 'stealing' } as const;
        for (const isPerPart of [true, false]) {
          const [region] = diagnose(loop(work, isPerPart, schedule, reduce), options).regions;
          const finding = region!.findings.find(({ cause }) => cause === 'fine-grain')!;
          if (isPerPart) {
            refused++;
            expect(finding.noGain).toContain('would change the work of the program');
            expect(finding).not.toHaveProperty('predictedGain');
          } else expect(finding.predictedGain).toBeGreaterThan(0);
        }
      },
    ),
    { numRuns: effort(60) },
  );
  expect(refused).toBeGreaterThan(0);
});

test('the same in ranks', () => {
  const model = (isPerPart: boolean) =>
    spmd({
      name: 'hybrid',
      build: (m) =>
        m.threads({ workers: 2 }, (t) =>
          t.parallelFor({
            n: 2000,
            grain: 1,
            name: 'l',
            body: (b) =>
              b.compute({
                seconds: (s) => 2e-8 * (isPerPart ? 1 : (s as unknown as { readonly count: number }).count),
              }),
          }),
        ),
    });
  const found = (isPerPart: boolean) =>
    diagnose(model(isPerPart) as never, { machine, ranks: 2 }).regions[0]!.findings[0]!;
  expect(found(true).noGain).toContain('would change the work of the program');
  expect(found(false).predictedGain).toBeGreaterThan(0);
});

describe('one default for predict and diagnose', () => {
  const programs = {
    tasks: (t) => t.parallelFor({ n: 16, name: 'l', body: (b) => b.compute({ seconds: 1e-3 }) }),
    shares: (t) => t.parallelFor({ n: 16, schedule: 'static', name: 'l', body: (b) => b.compute({ seconds: 1e-3 }) }),
    section: (t) => t.parallel(4, () => t.compute({ seconds: 1e-3 })),
    'a section that needs all its threads': (t) => {
      const all = t.barriers('all', 12);
      t.parallel(12, () => t.barrier(all));
    },
  } satisfies Record<string, Parameters<typeof threads>[0]['build']>;

  test.each(Object.entries(programs))('predict and diagnose run the same program by default: %s', (name, build) => {
    const model = threads({ name, build: build as never }) as ThreadModel;
    const prediction = predict(model, { machine });
    const { model: diagnosed, deadlock } = diagnose(model, { machine, gain: false });
    expect(diagnosed).toMatchObject({
      scheduler: prediction.scheduler!.name,
      workers: prediction.options['workers'],
      runTime: prediction.figures.runTime.value,
    });
    expect(deadlock).toBeUndefined();
  });
});

test('noise of the machine, which threads of ranks do not have, is reported', () => {
  const noisy = cluster({
    ...{ name: 'noisy', nodes: 1, coresPerNode: 2, speed: '1Gf', eagerBelow: 0 },
    link: { latency: '1us', bandwidth: '1GB/s' },
    noise: { kind: 'lognormal', cv: 1 },
  });
  const build = programsOf();
  const model = threads({ name: 'm', build }) as ThreadModel;
  const codes = (warnings: readonly { readonly code: string }[]): string[] => warnings.map(({ code }) => code);
  expect(codes(predict(model, { machine: noisy }).warnings)).not.toContain('THR012');
  expect(codes(diagnose(model, { machine: noisy, gain: false }).warnings)).not.toContain('THR012');
  const hybrid = spmd({ name: 'h', build: (m) => m.threads({ workers: 2 }, build as never) });
  expect(codes(predict(hybrid, { machine: noisy, ranks: 1 }).warnings)).toContain('THR012');
  const plain = spmd({ name: 'p', build: (m) => m.compute({ seconds: 1 }) });
  expect(codes(predict(plain, { machine: noisy, ranks: 1 }).warnings)).not.toContain('THR012');
});

const programsOf = (): ((t: never) => void) =>
  ((t: { parallel(n: number, body: () => void): void; compute(w: object): void }) =>
    t.parallel(2, () => t.compute({ seconds: 1 }))) as never;
