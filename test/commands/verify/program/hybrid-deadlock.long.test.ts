import { expect, test } from 'vitest';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { renderPrediction } from '../../../../src/commands/predict/view/terminal.ts';
import { renderProgramVerification } from '../../../../src/commands/verify/program/program-verify-view.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { cluster } from '../../../../src/machine/cluster.ts';
import type { SchedulerName } from '../../../../src/models/threads/net/thread-net.ts';
import type { ThreadBuilder } from '../../../../src/models/threads/program/builder-types.ts';
import { spmd } from '../../../../src/models.ts';

type Region = (t: ThreadBuilder<Record<never, never>, string>) => void;
const hybrid = (scheduler: SchedulerName, region: Region, workers = 2) =>
  spmd({ name: 'hybrid', build: (m) => m.threads({ workers, scheduler }, region) });

/** Two threads lock two mutexes in opposite order. */
const crossed: Region = (t) => {
  const l = t.mutex('l', 2);
  t.parallel(2, () => {
    t.lock(l, ({ thread }) => thread);
    t.compute({ seconds: 1e-3 });
    t.lock(l, ({ thread }) => 1 - thread);
    t.unlock(l, 0);
    t.unlock(l, 1);
  });
};

const strandsOf = (model: ReturnType<typeof hybrid>): string[] => {
  const [instance] = verifyProgram(model, { ranks: 1, sends: 'eager' }).instances;
  const [blocked] = instance!.deadlock!.blocked;
  return blocked!.strands!.map(({ strand, operation, heldBy }) =>
    [strand, operation, ...(heldBy === undefined ? [] : [`held by ${heldBy}`])]
      .join(', ')
      .replace(/ of parallel[^,]*/g, ''),
  );
};

test.each(['os', 'stealing', 'central', 'static', 'a0', 'a1', 'a2'] as const)(
  '%s: threads, locks and holders',
  (scheduler) => {
    expect(strandsOf(hybrid(scheduler, crossed, 3))).toEqual([
      'thread 0, lock l[1], held by thread 1',
      'thread 1, lock l[0], held by thread 0',
    ]);
  },
);

test('an event that nobody sets, and a task without a worker', () => {
  const region: Region = (t) => {
    const e = t.event('e');
    t.task('waits', {}, (b) => b.wait(e));
    t.task('sets', {}, (b) => b.set(e));
    t.spawn('sets', {}, { reads: 1 });
    t.spawn('waits', {}, { writes: 2 });
    t.sync();
  };
  // The only worker takes the younger task, and waits.
  expect(strandsOf(hybrid('stealing', region, 1))).toEqual([
    'task sets, ready, but no worker is free',
    'task waits, wait e',
  ]);
});

test('a strand that has waited with a mutex, and has unlocked it, does not hold it', () => {
  const region: Region = (t) => {
    const [m, e, turn] = [t.mutex('m'), t.event('e'), t.events('turn', 2)];
    const [c, n] = [t.condition('c'), t.counter('n')];
    t.parallel(3, () =>
      t.when(
        ({ thread }) => thread === 0,
        () => {
          t.critical(m, () => t.waitConditionFor(c, m, 1));
          t.critical(m, () => t.waitUntil(c, m, n, 0));
          t.set(turn, 0);
          t.wait(e);
        },
        () =>
          t.when(
            ({ thread }) => thread === 1,
            () => {
              t.wait(turn, 0);
              t.lock(m);
              t.set(turn, 1);
              t.wait(e);
            },
            () => {
              t.wait(turn, 1);
              t.tryLockFor(m, 1, () => t.unlock(m));
              t.lock(m);
            },
          ),
      ),
    );
  };
  expect(strandsOf(hybrid('os', region, 3))).toEqual([
    'thread 0, wait e',
    'thread 1, wait e',
    'thread 2, lock m, held by thread 1',
  ]);
});

test('pages name the strands and no unknown partner', () => {
  const options = { width: 100, unicode: true, colour: false } as never;
  const page = renderProgramVerification(verifyProgram(hybrid('os', crossed), { ranks: 2, sends: 'eager' }), options);
  const machine = cluster({
    nodes: 2,
    coresPerNode: 4,
    speed: 1e9,
    link: { latency: 1e-6, bandwidth: 1e10 },
    eagerBelow: 65536,
  });
  const prediction = renderPrediction(predict(hybrid('os', crossed), { ranks: 2, machine }), options);
  for (const text of [page, prediction]) {
    expect(text).toMatch(/rank 1: threads, .*waits for its threads and tasks/);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /thread 0 of parallel \S+: lock l\[1\], \S+ held by thread 1 of parallel/,
    );
    expect(text).not.toContain('unknown partner');
  }
});
