import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyThreads } from '../../../../src/commands/verify/threads/verify-threads.ts';
import { POOL_KINDS } from '../../../../src/models/threads/net/worker-stacks.ts';
import type { ThreadModel } from '../../../../src/models/threads/program/threads.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import { modelOf, threadPrograms } from '../../../models/threads/random-threads.ts';
import { model } from './cases.ts';

/** Operations of a thread, each with the index of an object. Nothing keeps them from deadlocks and faults. */
const OPERATIONS = [
  'lock',
  'unlock',
  'critical',
  'both',
  'read',
  'readUnlock',
  'write',
  'writeUnlock',
  'acquire',
  'release',
  'wait',
  'set',
  'clear',
  'take',
  'give',
  'until',
  'announce',
  'waitCondition',
  'waitConditionFor',
  'waitUntilFor',
  'tryRead',
  'tryReadFor',
  'tryWriteFor',
  'signal',
  'add',
  'barrier',
  'spawn',
  'sync',
  'chunks',
] as const;
type Operation = readonly [(typeof OPERATIONS)[number], number];

const KINDS = ['barging', 'handed-over', 'spin', 'spin-then-park'] as const;
const RWLOCKS = ['handed-over', 'barging', 'readers-first', 'writers-first'] as const;

function program(threads: readonly (readonly Operation[])[], same: boolean, kind = 0): ThreadModel {
  return model((t) => {
    const m = t.mutex('m', 2, { kind: KINDS[kind % 4]! });
    const l = t.rwlock('l', 2, { kind: RWLOCKS[Math.floor(kind / 4)]! });
    const s = t.semaphore('s', 1, 2);
    const [e, a] = [t.events('e', 2), t.autoEvent('a', { count: 2 })];
    const [c, n] = [t.condition('c', 2), t.counter('n', 0, 2)];
    const b = t.barriers('b', threads.length);
    t.task('task', { k: 0 }, (x) => {
      x.lock(m, ({ k }) => k);
      x.unlock(m, ({ k }) => k);
    });
    const critical = (k: number, body: () => void): void => t.critical(m, body, k);
    const actions: Record<(typeof OPERATIONS)[number], (k: number) => void> = {
      lock: (k) => t.lock(m, k),
      unlock: (k) => t.unlock(m, k),
      critical: (k) => critical(k, () => t.add(n, 1, k)),
      both: (k) => critical(k, () => critical(1 - k, () => t.compute({ seconds: 1 }))),
      read: (k) => t.readLock(l, k),
      readUnlock: (k) => t.readUnlock(l, k),
      write: (k) => t.writeLock(l, k),
      writeUnlock: (k) => t.writeUnlock(l, k),
      acquire: (k) => t.acquire(s, k),
      release: (k) => t.release(s, k),
      wait: (k) => t.wait(e, k),
      set: (k) => t.set(e, k),
      clear: (k) => t.clear(e, k),
      take: (k) => t.wait(a, k),
      give: (k) => t.set(a, k),
      until: (k) => critical(k, () => t.waitUntil(c, m, n, 1, k)),
      announce: (k) =>
        critical(k, () => {
          t.add(n, 1, k);
          t.signal(c, k);
        }),
      waitCondition: (k) => critical(k, () => t.waitCondition(c, m, k)),
      waitConditionFor: (k) =>
        critical(k, () =>
          t.waitConditionFor(
            c,
            m,
            1,
            () => t.add(n, 1, k),
            () => t.set(e, k),
            k,
          ),
        ),
      waitUntilFor: (k) => critical(k, () => t.waitUntilFor(c, m, n, 1, 1, undefined, () => t.signal(c, k), k)),
      tryRead: (k) =>
        t.tryReadLock(
          l,
          () => t.readUnlock(l, k),
          () => t.clear(e, k),
          k,
        ),
      tryReadFor: (k) => t.tryReadLockFor(l, 1, () => t.readUnlock(l, k), undefined, k),
      tryWriteFor: (k) =>
        t.tryWriteLockFor(
          l,
          1,
          () => t.writeUnlock(l, k),
          () => t.set(e, k),
          k,
        ),
      signal: (k) => t.signal(c, k),
      add: (k) => t.add(n, 1, k),
      barrier: () => t.barrier(b),
      spawn: (k) => {
        t.spawn('task', { k });
      },
      sync: () => t.sync(),
      chunks: (k) =>
        t.parallelFor({ n: 2, schedule: 'dynamic', nowait: k === 0, body: () => critical(k, () => t.add(n, 1, k)) }),
    };
    const one = ([operation, k]: Operation): void => actions[operation](k);
    t.parallel(threads.length, () => {
      if (same) for (const operation of threads[0]!) one(operation);
      else
        for (const [thread, own] of threads.entries())
          t.when(
            (state) => state.thread === thread,
            () => {
              for (const operation of own) if (operation[0] !== 'chunks') one(operation);
            },
          );
    });
  });
}

const operation = fc.tuple(fc.constantFrom(...OPERATIONS), fc.nat({ max: 1 }));
const seed = Number(process.env['FORETOKEN_SEED'] ?? 1);

test('verdicts with and without reductions agree', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(fc.array(operation, { maxLength: 5 }), { minLength: 2, maxLength: 3 }),
      fc.boolean(),
      fc.constantFrom('os' as const, 'stealing' as const, 'central' as const),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(...POOL_KINDS),
      fc.nat({ max: 15 }),
      (threads, same, scheduler, workers, pool, kind) => {
        const given = program(threads, same, kind);
        const options = { scheduler, workers, maxStates: 4000, ...(scheduler === 'os' ? {} : { pool }) };
        const [reduced] = verifyThreads(given, options).instances;
        const [full] = verifyThreads(given, { ...options, reduce: false }).instances;
        const verdicts = ({ properties }: typeof full & object): string =>
          properties.map(({ id, verdict }) => `${id} ${verdict}`).join(', ');
        const isDecided = (one: typeof full): boolean => one!.properties.every(({ verdict }) => verdict !== null);
        expect(reduced!.states).toBeLessThanOrEqual(full!.states);
        if (isDecided(reduced) && isDecided(full)) {
          expect(verdicts(reduced!)).toBe(verdicts(full!));
          for (const { kind } of full!.violations) seen.set(kind, (seen.get(kind) ?? 0) + 1);
          if (full!.violations.length === 0) seen.set('none', (seen.get('none') ?? 0) + 1);
        } else if (full!.violations.length > 0) expect(reduced!.violations.length).toBeGreaterThan(0);
      },
    ),
    { numRuns: effort(400), seed },
  );
  if (process.env['FORETOKEN_TABLE'] === '1') console.table(Object.fromEntries(seen));
  for (const kind of ['deadlock', 'lost-wake-up', 'fault', 'locks-held', 'none'])
    expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(atFullEffort(5));
});

test('programs without operations that wait end in every order: tasks, joins, dependences, loops', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      threadPrograms.map((parts) => parts.filter(({ kind }) => kind !== 'critical')),
      fc.constantFrom('os' as const, 'stealing' as const, 'central' as const, 'static' as const),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom('migrating' as const, 'stack' as const),
      (parts, scheduler, workers, pool) => {
        const given = modelOf(parts);
        const options = { scheduler, workers, maxStates: 4000, ...(scheduler === 'os' ? {} : { pool }) };
        const [one] = verifyThreads(given, options).instances;
        // A path.
        expect(one!.edges).toBe(one!.states - 1);
        expect(one!.properties.map(({ verdict }) => verdict)).toEqual(Array(5).fill(true));
        const [all] = verifyThreads(given, { ...options, reduce: false }).instances;
        expect(all!.violations).toEqual([]);
        if (all!.truncation === undefined) decided++;
      },
    ),
    { numRuns: effort(300), seed },
  );
  expect(decided).toBeGreaterThan(atFullEffort(100));
});

test('10,000 tasks spawned one by one, and 10,000 chunks, are verified at once', () => {
  const linear = model((t) => {
    t.task('w', {}, (b) => b.compute({ seconds: 1 }));
    t.loop('k', 10_000, () => t.spawn('w'));
    t.sync();
  });
  const chunks = model((t) =>
    t.parallelFor({ n: 10_000, schedule: 'dynamic', body: (b) => b.compute({ seconds: 1 }) }),
  );
  for (const one of [linear, chunks]) {
    const { instances, complete } = verifyThreads(one);
    expect(complete).toBe(true);
    for (const { states } of instances) expect(states).toBeLessThan(70_000);
  }
});

test('pools in which a worker does not take every task are explored', () => {
  const crossing = model((t) => {
    t.task('inner', {}, (b) => b.compute({ seconds: 1 }));
    t.task('outer', {}, (b) => {
      b.spawn('inner');
      b.sync();
    });
    t.spawn('outer');
    t.spawn('outer');
    t.sync();
  });
  const options = { scheduler: 'static', workers: 2 } as const;
  const [isolated] = verifyThreads(crossing, { ...options, pool: 'isolated' }).instances;
  const [unreduced] = verifyThreads(crossing, { ...options, pool: 'isolated', reduce: false }).instances;
  expect(isolated!.properties.map(({ verdict }) => verdict)).toEqual(
    unreduced!.properties.map(({ verdict }) => verdict),
  );
  // More than one path.
  expect(isolated!.edges).toBeGreaterThan(isolated!.states);
});
