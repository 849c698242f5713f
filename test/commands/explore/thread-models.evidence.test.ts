import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { structure } from '../../../src/commands/structure/structure.ts';
import { verifyThreads } from '../../../src/commands/verify/threads/verify-threads.ts';
import { compose, noise, type ThreadModel, threads } from '../../../src/models.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { composedThreads, type ThreadSpec, threadSpecs } from '../../models/program/compose/random-threads.ts';

const TIMEOUT = 600_000;
const MAX_STATES = 4_000;
const settings = fc.constantFrom(
  { scheduler: 'os' },
  { scheduler: 'stealing', pool: 'migrating' },
  { scheduler: 'stealing', pool: 'stack' },
  { scheduler: 'central' },
) as fc.Arbitrary<{ readonly scheduler: 'os' | 'stealing' | 'central'; readonly pool?: 'migrating' | 'stack' }>;

/** Two modules of at most two steps: their spaces are small. Tasks of the whole cannot contain loops of a team. */
const small = threadSpecs.map(
  ({ permits, modules }): ThreadSpec => ({
    permits,
    modules: modules
      .slice(0, 2)
      .map((steps) => steps.slice(0, 2).map((s) => (s.kind === 'team' ? { ...s, kind: 'loop' } : s))),
  }),
);

/** Two modules that hold one lock for 1 s, after 1 s of their own. */
function sharing(): ThreadModel {
  const one = (name: string): ThreadModel =>
    threads({
      name,
      interface: { lock: 'mutex' },
      build(t) {
        const lock = t.mutex('lock');
        t.compute({ seconds: 1 });
        t.critical(lock, () => t.compute({ seconds: 1 }));
      },
    }) as never;
  return compose([one('a'), one('b')], { name: 'sharing', synchronise: ['lock'] }) as never;
}

describe('explore of compositions of threads', () => {
  test('has the verdict of verify, and the prediction between its run times', { timeout: TIMEOUT }, () => {
    const seen = { free: 0, stuck: 0, timed: 0 };
    fc.assert(
      fc.property(small, settings, (spec, setting) => {
        const model = composedThreads(spec);
        const options = { workers: 2, ...setting };
        const { complete, figures, parallelism, runTime } = explore(model, { ...options, maxStates: MAX_STATES });
        fc.pre(complete);
        const [instance] = verifyThreads(model, options).instances;
        const isStuck = instance!.violations.some(({ kind }) => kind === 'deadlock' || kind === 'lost-wake-up');
        expect(figures.deadlockStates.value! > 0).toBe(isStuck);
        seen[isStuck ? 'stuck' : 'free']++;
        const run = predict(model, options);
        expect(parallelism!.maximum).toBeGreaterThanOrEqual(run.figures.parallelism!.max.value!);
        if (run.deadlock.length > 0 || runTime?.complete !== true) return;
        const time = run.figures.runTime!.value!;
        // Workers of a pool go to sleep after the end of the program, which is part of the orders.
        if (setting.scheduler === 'os') expect(time).toBeGreaterThanOrEqual(runTime.shortest.value! * (1 - 1e-12));
        expect(time).toBeLessThanOrEqual(runTime.longest.value! * (1 + 1e-12));
        seen.timed++;
      }),
      { numRuns: effort(60) },
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(atFullEffort(3));
  });

  test('counts workers, and states where they compute together', () => {
    const { parallelism, fragments, options, runTime, figures } = explore(sharing(), {
      workers: 2,
      scheduler: 'central',
    });
    expect(options).toMatchObject({ workers: 2, scheduler: 'central', pool: 'migrating', assumed: 'machine' });
    expect(parallelism!.maximum).toBe(2);
    expect(fragments!.map(({ processes }) => processes)).toEqual([[0, 1], [0], [1], []]);
    expect(figures.finalStates!.value).toBeGreaterThan(0);
    expect(figures.deadlockStates.value).toBe(0);
    expect(runTime!.shortest.value).toBeCloseTo(3, 3);
    expect(runTime!.longest.value).toBeCloseTo(3, 3);
  });

  test('takes the workers of verifyWith, else two', () => {
    const model = (verifyWith: object): ThreadModel =>
      threads({ name: 'm', verifyWith, build: (t) => t.parallel(2, () => t.compute({ seconds: 1 })) }) as never;
    expect(explore(model({ workers: 3 })).options.workers).toBe(3);
    expect(explore(model({})).options.workers).toBe(2);
  });
});

describe('structure of compositions of threads', () => {
  test('proves bounds that no reachable marking exceeds', { timeout: TIMEOUT }, async () => {
    let proved = 0;
    await fc.assert(
      fc.asyncProperty(small, async (spec) => {
        const model = composedThreads(spec);
        const options = { workers: 2, scheduler: 'os' } as const;
        const space = explore(model, { ...options, maxStates: MAX_STATES });
        fc.pre(space.complete);
        const found = await structure(model, { ...options, linearPrograms: false, sets: 20 });
        expect(found.verdicts.deadlockFree.value).not.toBe(space.verdicts.deadlock);
        const { largestBound } = found.figures;
        if (largestBound.value === null) return;
        expect(space.figures.maxTokensInPlace.value).toBeLessThanOrEqual(largestBound.value);
        proved++;
      }),
      { numRuns: effort(20) },
    );
    expect(proved).toBeGreaterThan(5);
  });
});

describe('steady of compositions of threads', () => {
  test('is one run over its run time: parallelism and load', () => {
    // Work of 4 s in about 3 s.
    const found = steady(sharing(), { workers: 2, scheduler: 'central' });
    expect(found.runTime!.mean).toBeCloseTo(3, 3);
    expect(found.parallelism!.mean).toBeCloseTo(4 / 3, 3);
    expect(found.nodes).toMatchObject([{ ranks: 2 }]);
    expect(found.nodes![0]!.load).toBeCloseTo(4 / 3, 3);
    const shares = new Map(found.fragments!.map((f) => [f.processes.length, 0]));
    for (const { processes, probability } of found.fragments!)
      shares.set(processes.length, shares.get(processes.length)! + probability);
    expect(shares.get(2)).toBeCloseTo(1 / 3, 3);
    expect(shares.get(1)).toBeCloseTo(2 / 3, 3);
  });

  test('is that of the prediction on random compositions', { timeout: TIMEOUT }, () => {
    fc.assert(
      fc.property(small, (spec) => {
        const model = composedThreads(spec);
        const options = { workers: 2, scheduler: 'os' } as const;
        const { figures, deadlock } = predict(model, options);
        const { runTime, parallelism, warnings } = steady(model, options);
        const isStuck = warnings.some((text) => text.includes('also restarted where it ends in a deadlock'));
        expect(isStuck).toBe(deadlock.length > 0);
        if (isStuck) return;
        const { value } = figures.runTime!;
        expect(Math.abs(runTime!.mean - value!)).toBeLessThanOrEqual(1e-9 * value!);
        expect(parallelism!.mean).toBeCloseTo(figures.parallelism!.mean.value!, 9);
      }),
      { numRuns: effort(40) },
    );
  });

  test('refuses drawn times, which explore replaces by their means', () => {
    const model = threads({
      name: 'noisy',
      build: (t) => t.compute({ seconds: 1, noise: noise.exponential() }),
    }) as unknown as ThreadModel;
    expect(() => steady(model)).toThrow(/STAT003.*predict with --replications/);
    expect(explore(model).warnings).toEqual([expect.stringContaining('THR013')]);
  });
});
