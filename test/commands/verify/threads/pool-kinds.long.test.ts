import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { runThreads } from '../../../../src/commands/predict/threads/run-threads.ts';
import type { ThreadInstance } from '../../../../src/commands/verify/threads/thread-verification.ts';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import { DEFAULT_COSTS } from '../../../../src/models/threads/costs.ts';
import { threadNet } from '../../../../src/models/threads/net/thread-net.ts';
import { POOL_KINDS, type PoolKind } from '../../../../src/models/threads/net/worker-stacks.ts';
import type { ThreadModel } from '../../../../src/models/threads/program/threads.ts';
import { compiledProgram, ONE_TBB } from '../../../compiled-program.ts';
import { effort } from '../../../effort.ts';
import { model } from './cases.ts';

type Queues = 'stealing' | 'central';
const verified = (given: ThreadModel, pool: PoolKind, scheduler: Queues): ThreadInstance =>
  verifyThreads(given, { scheduler, workers: 2, pool }).instances[0]!;
const isFree = ({ properties }: ThreadInstance): boolean | null =>
  properties.find(({ id }) => id === 'deadlock-free')!.verdict;
const verdicts = (given: ThreadModel, scheduler: Queues): Record<string, boolean | null> =>
  Object.fromEntries(POOL_KINDS.map((pool) => [pool, isFree(verified(given, pool, scheduler))]));

/** A task holds a lock while it waits for another task, and has made a task that wants the same lock. */
const lockAcross = (wait: 'get' | 'loop' | 'section'): ThreadModel =>
  model((t) => {
    const m = t.mutex('m');
    t.task('inner', {}, (b) => b.compute({ seconds: 20e-3 }));
    t.task('outer', { i: 0 }, (b) => {
      b.lock(m);
      const next = (): void =>
        b.when(
          ({ i }) => i! > 0,
          () => b.spawn('outer', { i: ({ i }) => i! - 1 }),
        );
      if (wait === 'get') {
        const f = b.spawn('inner');
        b.compute({ seconds: 5e-3 });
        next();
        b.get(f);
      } else {
        next();
        if (wait === 'loop') b.parallelFor({ n: 2, body: (c) => c.compute({ seconds: 1e-3 }) });
        else b.parallel(2, () => b.compute({ seconds: 1e-3 }));
      }
      b.unlock(m);
    });
    t.spawn('outer', { i: 1 });
    t.sync();
  });

describe('a lock that is held while a task waits', () => {
  test('get: only a stack-based pool deadlocks', () => {
    expect(verdicts(lockAcross('get'), 'stealing')).toEqual({ migrating: true, stack: false, isolated: true });
  });

  test.each(['loop', 'section'] as const)('%s: so it does, if the oldest task is taken first', (wait) => {
    expect(verdicts(lockAcross(wait), 'central')).toEqual({ migrating: true, stack: false, isolated: true });
    // Owners take the youngest task, which is the one that they wait for.
    expect(verdicts(lockAcross(wait), 'stealing')).toEqual({ migrating: true, stack: true, isolated: true });
  });

  test('the violation names the strand that lies below another one', () => {
    const [violation] = verified(lockAcross('get'), 'stack', 'stealing').violations;
    expect(violation!.kind).toBe('deadlock');
    expect(violation!.stuck.map(({ strand, operation }) => `${strand}: ${operation}`).sort()).toEqual([
      'main: sync, below task outer on worker 0',
      'task outer: get future of inner, below task outer on worker 0',
      'task outer: lock m',
    ]);
  });

  test('an inner loop under a lock: an outer half above it wants the lock', () => {
    const nested = model((t) => {
      const m = t.mutex('m');
      t.parallelFor({
        n: 2,
        body(b) {
          b.lock(m);
          b.parallelFor({ n: 2, body: (c) => c.compute({ seconds: 1e-3 }) });
          b.unlock(m);
        },
      });
    });
    expect(verdicts(nested, 'central')).toEqual({ migrating: true, stack: false, isolated: true });
  });
});

test('errors: a kind with a scheduler that is no pool, and an unknown kind', () => {
  expect(() => verifyThreads(lockAcross('get'), { scheduler: 'os', pool: 'stack' })).toThrow(
    /VER005 .*pool: scheduler os is no pool; kinds of pools belong to stealing, central, static/,
  );
  expect(() => verifyThreads(lockAcross('get'), { pool: 'stacks' as never })).toThrow(/VER005 .*Did you mean "stack"/);
});

/** Tasks that lock, make tasks, and wait for them, in any order; the unlocks are at the end. */
type Step = 'lock' | 'unlock' | 'spawn' | 'get' | 'sync' | 'loop';
const steps = fc.array(fc.constantFrom<Step>('lock', 'lock', 'unlock', 'spawn', 'spawn', 'get', 'sync', 'loop'), {
  minLength: 2,
  maxLength: 6,
});

function taskProgram(tasks: readonly (readonly Step[])[]): ThreadModel {
  return model((t) => {
    const m = t.mutex('m');
    tasks.forEach((own, k) => {
      t.task(`task ${k}`, {}, (b) => {
        let isHeld = false;
        let last: ReturnType<typeof b.spawn> | undefined;
        b.compute({ seconds: 1e-3 * (k + 1) });
        for (const step of own) {
          if (step === 'lock' && !isHeld) b.lock(m);
          if (step === 'unlock' && isHeld) b.unlock(m);
          if (step === 'lock' || step === 'unlock') isHeld = step === 'lock';
          if (step === 'spawn' && k > 0) last = b.spawn(`task ${k - 1}`);
          if (step === 'get' && last !== undefined) b.get(last);
          if (step === 'sync') b.sync();
          if (step === 'loop') b.parallelFor({ n: 2, body: (c) => c.compute({ seconds: 1e-4 }) });
        }
        if (isHeld) b.unlock(m);
      });
    });
    t.spawn(`task ${tasks.length - 1}`);
    t.spawn(`task ${tasks.length - 1}`);
    t.sync();
  });
}

test('runs that deadlock are found by the verification of the same kind of pool, with and without reductions', () => {
  const seen = { deadlock: 0, free: 0 };
  fc.assert(
    fc.property(
      fc.array(steps, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(...POOL_KINDS),
      fc.constantFrom('stealing' as const, 'central' as const),
      fc.integer({ min: 1, max: 2 }),
      (tasks, pool, scheduler, workers) => {
        const given = taskProgram(tasks);
        const options = { scheduler, workers, pool, maxStates: 20_000 };
        const reduced = isFree(verifyThreads(given, options).instances[0]!);
        const full = isFree(verifyThreads(given, { ...options, reduce: false }).instances[0]!);
        if (reduced !== null && full !== null) expect(reduced).toBe(full);
        if (reduced === null) return;
        seen[reduced ? 'free' : 'deadlock']++;
        const machine = { speed: 1e9, cores: workers, costs: DEFAULT_COSTS };
        const { ended } = runThreads(threadNet(given.program(workers), machine, { scheduler, pool }));
        if (reduced) expect(ended).toBe(true);
      },
    ),
    { numRuns: effort(60) },
  );
  expect(seen.deadlock + seen.free).toBeGreaterThan(0);
});

describe('oneTBB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'foretoken-pools-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const source = join(import.meta.dirname, '../../../models/threads/programs/lock-across-wait.cpp');
  const program = compiledProgram(source, folder, ONE_TBB);

  test.skipIf(program === undefined)(
    'a task is executed above the one that waits, and the program hangs',
    { timeout: 60_000 },
    () => {
      // Twenty rounds of 50 ms.
      const { stdout } = spawnSync(program!, { encoding: 'utf8', timeout: 6000, killSignal: 'SIGKILL' });
      expect(stdout).toBe('');
    },
  );
});

/** Philosophers who take their forks under one mutex, as a pool executes them. */
const philosophers = (n: number, returnsUnderMutex: boolean): ThreadModel =>
  model((t) => {
    const room = t.mutex('room');
    const fork = t.mutex('fork', n);
    const right = ({ thread }: { readonly thread: number }): number => (thread + 1) % n;
    t.parallel(n, () => {
      t.lock(room);
      t.lock(fork, ({ thread }) => thread);
      t.lock(fork, right);
      t.unlock(room);
      if (returnsUnderMutex) t.lock(room);
      t.unlock(fork, right);
      t.unlock(fork, ({ thread }) => thread);
      if (returnsUnderMutex) t.unlock(room);
    });
  });

describe('workers without names are one state', () => {
  test.each([
    { returnsUnderMutex: true, pool: 'migrating', free: false },
    { returnsUnderMutex: true, pool: 'stack', free: false },
    { returnsUnderMutex: false, pool: 'migrating', free: true },
  ] as const)(
    'five philosophers on five workers: $pool, faulty $returnsUnderMutex',
    ({ returnsUnderMutex, pool, free }) => {
      const options = { scheduler: 'stealing', workers: 5, pool } as const;
      const [instance] = verifyThreads(philosophers(5, returnsUnderMutex), options).instances;
      expect(isFree(instance!)).toBe(free);
      expect(instance!.states).toBeLessThan(1e5);
    },
  );

  test.each([2, 3])('all orders with named workers give the same verdicts: %i philosophers', (n) => {
    for (const returnsUnderMutex of [true, false])
      for (const pool of ['migrating', 'stack'] as const) {
        const options = { scheduler: 'stealing', workers: 2, pool, maxStates: 3e5 } as const;
        const given = philosophers(n, returnsUnderMutex);
        const [few] = verifyThreads(given, options).instances;
        const [all] = verifyThreads(given, { ...options, reduce: false }).instances;
        expect(isFree(all!)).not.toBeNull();
        expect(isFree(few!)).toBe(isFree(all!));
        expect(few!.states).toBeLessThan(all!.states / 2);
      }
  });
});

describe('programs in which only the main strand waits for tasks', () => {
  const operation = fc.oneof(
    fc.record({ kind: fc.constant('lock' as const), which: fc.nat(1), other: fc.boolean() }),
    fc.record({ kind: fc.constant('set' as const), which: fc.nat(1) }),
    fc.record({ kind: fc.constant('wait' as const), which: fc.nat(1) }),
    fc.record({ kind: fc.constant('acquire' as const) }),
    fc.record({ kind: fc.constant('release' as const) }),
  );
  const operations = fc.array(operation, { minLength: 1, maxLength: 2 });
  const groups = fc.array(
    fc.record({ first: operations, second: operations, isSection: fc.boolean(), main: operations }),
    {
      minLength: 1,
      maxLength: 2,
    },
  );
  type Operations = typeof operations extends fc.Arbitrary<infer A> ? A : never;
  type Groups = typeof groups extends fc.Arbitrary<infer A> ? A : never;

  const flat = (list: Groups): ThreadModel =>
    model((t) => {
      const [m, e, s] = [t.mutex('m', 2), t.events('e', 2), t.semaphore('s', 1)];
      // biome-ignore lint/suspicious/noExplicitAny: any block
      const write = (b: any, all: Operations): void => {
        for (const o of all)
          if (o.kind === 'set') b.set(e, o.which);
          else if (o.kind === 'wait') b.wait(e, o.which);
          else if (o.kind === 'acquire') b.acquire(s);
          else if (o.kind === 'release') b.release(s);
          else {
            b.lock(m, o.which);
            if (o.other) b.lock(m, 1 - o.which);
            if (o.other) b.unlock(m, 1 - o.which);
            b.unlock(m, o.which);
          }
      };
      list.forEach(({ first, second, isSection, main }, k) => {
        if (isSection)
          t.parallel(2, () =>
            t.when(
              ({ thread }) => thread === 0,
              () => write(t, first),
              () => write(t, second),
            ),
          );
        else {
          t.task(`first ${k}`, {}, (b) => write(b, first));
          t.task(`second ${k}`, {}, (b) => write(b, second));
          t.spawn(`first ${k}`);
          t.spawn(`second ${k}`);
          write(t, main);
          t.sync();
        }
      });
    });

  test('pools with stacks have the verdicts of their own nets without reduction', () => {
    let [decided, violated] = [0, 0];
    fc.assert(
      fc.property(
        groups,
        fc.constantFrom<Queues>('stealing', 'central'),
        fc.constantFrom<PoolKind>('stack', 'isolated'),
        (list, scheduler, pool) => {
          const given = flat(list);
          const one = verifyThreads(given, { scheduler, workers: 2, pool }).instances[0]!;
          const own = verifyThreads(given, { scheduler, workers: 2, pool, reduce: false }).instances[0]!;
          if (own.truncation !== undefined) return;
          const verdictOf = ({ properties }: ThreadInstance) => properties.every(({ verdict }) => verdict === true);
          expect(verdictOf(one)).toBe(verdictOf(own));
          expect(own.decidedBy).toBeUndefined();
          if (pool === 'isolated') expect(one.decidedBy).toBeUndefined();
          else if (one.decidedBy === 'migrating') decided++;
          else violated++;
        },
      ),
      { seed: 38, numRuns: effort(40) },
    );
    expect(Math.min(decided, violated)).toBeGreaterThan(5);
  });

  test('five philosophers are decided for threads and both kinds of pools with less than 10^5 states', () => {
    const { instances } = verifyThreads(philosophers(5, false), { workers: 5 });
    expect(instances.map(({ pool, decidedBy, states }) => [pool, decidedBy, states])).toEqual([
      [undefined, undefined, 6361],
      ['migrating', undefined, 55_857],
      ['stack', 'migrating', 0],
    ]);
    expect(instances.every((i) => isFree(i) === true)).toBe(true);
  });

  test('a task that is still running while another group is awaited can lie on the main strand', () => {
    const given = model((t) => {
      const e = t.event('e');
      t.task('waits', {}, (b) => b.wait(e));
      t.spawn('waits');
      t.parallel(1, () => t.compute({ seconds: 1e-3 }));
      t.set(e);
      t.sync();
    });
    const [migrating, stack] = verifyThreads(given, { scheduler: 'central', workers: 2 }).instances;
    expect([isFree(migrating!), isFree(stack!)]).toEqual([true, false]);
    expect(stack!.decidedBy).toBeUndefined();
  });
});
