import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import { compose, sequence, type ThreadModel, threads } from '../../../../src/models.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import {
  composedThreads,
  nestedThreads,
  type ThreadSpec,
  threadModule,
  threadSpecs,
  wholeThreads,
} from './random-threads.ts';

const TIMEOUT = 600_000;

/** Run time and end with some workers and schedulers. */
function runs(model: ThreadModel): unknown[] {
  return (
    [
      ['os', 2],
      ['os', 4],
      ['stealing', 1],
      ['stealing', 3],
      ['central', 2],
    ] as const
  ).map(([scheduler, workers]) => {
    const { figures, deadlock } = predict(model, { workers, scheduler });
    return [scheduler, workers, figures.runTime?.value, deadlock !== undefined];
  });
}

const verdicts = (model: ThreadModel, workers = 2): unknown[] =>
  verifyThreads(model, { workers }).instances.map((one) => [one.scheduler, one.pool, one.properties]);

/** A task of the whole program cannot contain a loop of a team, whose size is unknown there. A module can. */
const withoutTeams = (spec: ThreadSpec): ThreadSpec => ({
  ...spec,
  modules: spec.modules.map((steps) => steps.map((s) => (s.kind === 'team' ? { ...s, kind: 'loop' } : s))),
});

test('side by side: the run time and the verdicts of the program written whole', { timeout: TIMEOUT }, () => {
  let [good, bad] = [0, 0];
  fc.assert(
    fc.property(threadSpecs.map(withoutTeams), (spec) => {
      const composed = composedThreads(spec);
      const whole = wholeThreads(spec, 'tasks');
      expect(runs(composed)).toEqual(runs(whole));
      const found = verdicts(composed);
      expect(found).toEqual(verdicts(whole));
      if (JSON.stringify(found).includes('false')) bad++;
      else good++;
    }),
    { numRuns: effort(40) },
  );
  expect(Math.min(good, bad)).toBeGreaterThan(atFullEffort(5));
});

test('in a sequence: the run time and the verdicts of the program written whole', { timeout: TIMEOUT }, () => {
  let [good, bad] = [0, 0];
  fc.assert(
    fc.property(threadSpecs, (spec) => {
      const composed = sequence(spec.modules.map((_, k) => threadModule(spec, k)));
      const whole = wholeThreads(spec, 'parts');
      expect(runs(composed)).toEqual(runs(whole));
      const found = verdicts(composed);
      expect(found).toEqual(verdicts(whole));
      if (JSON.stringify(found).includes('false')) bad++;
      else good++;
    }),
    { numRuns: effort(40) },
  );
  expect(Math.min(good, bad)).toBeGreaterThan(atFullEffort(5));
});

test('nesting modules does not change verdicts', { timeout: TIMEOUT }, () => {
  // Every strand has its thread: a nested composition has one strand more.
  const options = { workers: 4, scheduler: 'os' } as const;
  fc.assert(
    fc.property(threadSpecs.map(withoutTeams), fc.boolean(), (spec, isFirst) => {
      const all = [...spec.modules.keys()];
      const inner = isFirst ? all.slice(0, -1) : all.slice(1);
      const verdictsOf = (model: ThreadModel): unknown =>
        verifyThreads(model, options).instances.map((one) => one.properties.map((p) => p.verdict));
      expect(verdictsOf(nestedThreads(spec, inner))).toEqual(verdictsOf(composedThreads(spec)));
    }),
    { numRuns: effort(40) },
  );
});

test('the order of modules does not change verdicts', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(threadSpecs.map(withoutTeams), (spec) => {
      // As many workers as strands can wait: with fewer, the order of spawns decides which of them run.
      const os = (model: ThreadModel): unknown =>
        verifyThreads(model, { workers: 4, scheduler: 'os' }).instances.map((one) =>
          one.properties.map((p) => p.verdict),
        );
      const order = [...spec.modules.keys()].reverse();
      expect(os(composedThreads(spec, order))).toEqual(os(composedThreads(spec)));
    }),
    { numRuns: effort(40) },
  );
});

/** Numbers of reachable markings, of steps between them, and of deadlocks; undefined if there are too many. */
function space(model: ThreadModel, workers = 2): readonly unknown[] | undefined {
  const { complete, figures } = explore(model, { workers, scheduler: 'central', maxStates: 4_000 });
  return complete ? [figures.states.value, figures.edges.value, figures.deadlockStates.value] : undefined;
}

test('the reachable markings of the program written whole', { timeout: TIMEOUT }, () => {
  let compared = 0;
  fc.assert(
    fc.property(threadSpecs.map(withoutTeams), (spec) => {
      const composed = space(composedThreads(spec));
      expect(composed).toEqual(space(wholeThreads(spec, 'tasks')));
      if (composed !== undefined) compared++;
    }),
    { numRuns: effort(40) },
  );
  expect(compared).toBeGreaterThan(atFullEffort(10));
});

test('a module that does nothing changes no run time and no verdict', { timeout: TIMEOUT }, () => {
  const idle = threads({ name: 'idle', build: () => {} });
  const options = { workers: 4, scheduler: 'os' } as const;
  const seen = new Set<boolean>();
  fc.assert(
    fc.property(threadSpecs.map(withoutTeams), fc.boolean(), (spec, isFirst) => {
      const alone = composedThreads(spec);
      const { interface: offered } = alone;
      const expose = Object.fromEntries(Object.keys(offered).map((label) => [label, `all.${label}`]));
      const all = { model: alone, as: 'all' };
      const withIdle = compose(isFirst ? [idle, all] : [all, idle], { expose } as never);
      const found = (model: ThreadModel): unknown =>
        verifyThreads(model, options).instances.map((one) => one.properties.map((p) => p.verdict));
      expect(found(withIdle)).toEqual(found(alone));
      const [a, b] = [alone, sequence([all, idle])].map((model) => {
        const { figures, deadlock } = predict(model, options);
        return { time: figures.runTime?.value, dead: deadlock !== undefined };
      });
      seen.add(a!.dead);
      expect(b).toEqual(a);
    }),
    { numRuns: effort(40) },
  );
  expect(seen.size).toBeGreaterThan(atFullEffort(1));
});
