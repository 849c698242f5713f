import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { compile } from '../../../src/engine/compile.ts';
import { DEFAULT_COSTS, NO_COSTS, type ThreadCosts } from '../../../src/models/threads/costs.ts';
import type { Allocator } from '../../../src/models/threads/net/cooperative/cooperative.ts';
import { type SchedulerName, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { ROW, type ThreadProgram } from '../../../src/models/threads/program/rows.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import { ThreadEvents } from '../../../src/models/threads/thread-events.ts';
import { atFullEffort, effort } from '../../effort.ts';

const COOPERATIVE = ['a0', 'a1', 'a2'] as const;

interface Ran {
  readonly ends: boolean;
  readonly time: number;
  /** Executions of each computing row, by row. */
  readonly computed: ReadonlyMap<number, number>;
  readonly firings: Readonly<Record<string, number>>;
}

function run(program: ThreadProgram, scheduler: SchedulerName, costs: ThreadCosts = NO_COSTS, numaNodes = 1): Ran {
  const net = threadNet(program, { speed: 1e9, cores: program.workers, costs, numaNodes }, { scheduler });
  const computed = new Map<number, number>();
  const events = new ThreadEvents(net, {
    computes: (_, __, at) => computed.set(at, (computed.get(at) ?? 0) + 1),
  });
  const result = simulate(compile(net.net, { log: events.log() }));
  expect(result.ended).toBe('quiescent');
  if (net.net.places.some(({ name }) => name === 'faults')) expect(result.game.tokens('faults')).toEqual([]);
  return { ends: result.game.tokens('ended').length === 1, time: result.time, computed, firings: result.firings };
}

/** Statements of a thread. Every thread of a program executes all of them, in this order. */
type Part =
  | {
      readonly kind: 'compute' | 'mutex' | 'read' | 'write' | 'semaphore' | 'autoEvent' | 'barrier';
      readonly ms: number;
    }
  /** One thread sets an event or changes a counter, and the others wait for that. */
  | { readonly kind: 'event' | 'condition'; readonly by: number; readonly ms: number }
  /** A task or a nested team. */
  | { readonly kind: 'spawn' | 'team'; readonly ms: number }
  /** A deadlock, whatever the times: one thread does not come to a barrier, or waits for an event that nobody sets. */
  | { readonly kind: 'absent' | 'never'; readonly by: number };

interface Random {
  readonly threads: number;
  readonly workers: number;
  readonly parts: readonly Part[];
}

const randomPart = (blocks: boolean): fc.Arbitrary<Part> => {
  const ms = fc.integer({ min: 0, max: 5 });
  const by = fc.integer({ min: 0, max: 4 });
  const kind = fc.constantFrom(
    ...(['compute', 'mutex', 'read', 'write', 'semaphore', 'autoEvent', 'barrier'] as const),
  );
  return fc.oneof(
    { weight: 7, arbitrary: fc.record({ kind, ms }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('event' as const, 'condition' as const), by, ms }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('spawn' as const, 'team' as const), ms }) },
    ...(blocks
      ? [{ weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('absent' as const, 'never' as const), by }) }]
      : []),
  );
};
const random = (blocks: boolean): fc.Arbitrary<Random> =>
  fc.record({
    threads: fc.integer({ min: 1, max: 5 }),
    workers: fc.integer({ min: 1, max: 4 }),
    parts: fc.array(randomPart(blocks), { minLength: 1, maxLength: 6 }),
  });

/** The program: threads wait in equal order, so that no deadlock depends on times. */
const modelOf = ({ threads: count, parts }: Random): ThreadModel =>
  threads({
    name: 'random',
    vars: ['ms'],
    build(t) {
      const mutex = t.mutex('mutex');
      const lock = t.rwlock('lock');
      const permits = t.semaphore('permits', 2);
      const turn = t.autoEvent('turn', { set: true });
      const condition = t.condition('changed');
      t.task('task', { ms: 0 }, (b) => b.compute({ seconds: ({ ms }) => ms / 1000 }));
      const stepOf = (part: Part, k: number): (() => void) => {
        const work = (): void => t.compute({ seconds: 'ms' in part ? part.ms / 1000 : 0 });
        const one = 'by' in part ? part.by % count : 0;
        const either = (mine: () => void, others: () => void): void => t.when((s) => s.thread === one, mine, others);
        switch (part.kind) {
          case 'compute':
            return work;
          case 'mutex':
            return () => t.critical(mutex, work);
          case 'read':
            return () => {
              t.readLock(lock);
              work();
              t.readUnlock(lock);
            };
          case 'write':
            return () => {
              t.writeLock(lock);
              work();
              t.writeUnlock(lock);
            };
          case 'semaphore':
            return () => {
              t.acquire(permits);
              work();
              t.release(permits);
            };
          case 'autoEvent':
            return () => {
              t.wait(turn);
              work();
              t.set(turn);
            };
          case 'barrier': {
            const barrier = t.barriers(`barrier ${k}`, count);
            return () => {
              work();
              t.barrier(barrier);
            };
          }
          case 'event': {
            const event = t.event(`event ${k}`);
            return () => {
              either(
                () => {
                  work();
                  t.set(event);
                },
                () => t.wait(event),
              );
            };
          }
          case 'condition': {
            const counter = t.counter(`counter ${k}`);
            return () =>
              either(
                () => {
                  work();
                  t.lock(mutex);
                  t.add(counter, 1);
                  t.broadcast(condition);
                  t.unlock(mutex);
                },
                () => {
                  t.lock(mutex);
                  t.waitUntil(condition, mutex, counter, 1);
                  t.unlock(mutex);
                },
              );
          }
          case 'spawn':
            return () => {
              t.spawn('task', { ms: part.ms });
              work();
              t.sync();
            };
          case 'team':
            return () => t.parallel(2, work);
          case 'absent': {
            const barrier = t.barriers(`barrier ${k}`, count);
            return () => either(work, () => t.barrier(barrier));
          }
          case 'never': {
            const event = t.event(`event ${k}`);
            return () => either(() => t.wait(event), work);
          }
        }
      };
      const steps = parts.map(stepOf);
      t.parallel(count, () => {
        for (const step of steps) step();
      });
    },
  }) as ThreadModel;

const work = ({ rows: { op } }: ThreadProgram): number[] => Array.from(op.keys()).filter((k) => op[k] === ROW.work);

describe.each(COOPERATIVE)('scheduler %s: properties', (scheduler) => {
  test.each(['object', 'counter'] as const)(
    'a program without deadlock executes all rows once (joins: %s)',
    (joins) => {
      fc.assert(
        fc.property(random(false), fc.boolean(), (r, free) => {
          const program = modelOf(r).program(r.workers, { joins });
          const { ends, computed } = run(program, scheduler, free ? NO_COSTS : DEFAULT_COSTS, 2);
          expect(ends).toBe(true);
          expect([...computed.keys()].sort((a, b) => a - b)).toEqual(work(program));
          expect(new Set(computed.values()).size).toBeLessThanOrEqual(1);
        }),
        { numRuns: effort(100) },
      );
    },
  );

  test('it ends, or computes as far, as threads of the operating system do', () => {
    const found = { ends: 0, deadlocks: 0 };
    fc.assert(
      fc.property(random(true), fc.boolean(), (r, free) => {
        const program = modelOf(r).program(r.workers, { joins: 'object' });
        const costs = free ? NO_COSTS : DEFAULT_COSTS;
        const [own, os] = [run(program, scheduler, costs), run(program, 'os', costs)];
        found[os.ends ? 'ends' : 'deadlocks']++;
        expect(own.ends).toBe(os.ends);
        expect(new Map([...own.computed].sort())).toEqual(new Map([...os.computed].sort()));
      }),
      { numRuns: effort(150) },
    );
    expect(Math.min(found.ends, found.deadlocks)).toBeGreaterThan(atFullEffort(0));
  });
});

describe.each(COOPERATIVE)('scheduler %s: processors', (scheduler) => {
  test('equal chunks, at most one for each scheduler thread, run at the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat({ max: 8 }), fc.boolean(), (n, more, halves) => {
        const model = threads({
          name: 'chunks',
          build(t) {
            const spawning = halves ? 'recursive' : 'linear';
            t.parallelFor({ n, grain: 1, schedule: 'tasks', spawning, body: (b) => b.compute({ seconds: 1 }) });
          },
        });
        expect(run(model.program(n + more, { joins: 'object' }), scheduler).time).toBe(1);
      }),
      { numRuns: effort(60) },
    );
  });

  test('system calls and memory waits free the processor: the longest thread decides on one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.boolean()), { minLength: 1, maxLength: 6 }), (parts) => {
        const model = threads({
          name: 'calls',
          build(t) {
            t.parallel(parts.length, () => {
              t.when(
                ({ thread }) => parts[thread]![2],
                () => t.memoryWait({ seconds: ({ thread }) => parts[thread]![0] }),
                () => t.sleep({ seconds: ({ thread }) => parts[thread]![0] }),
              );
              t.compute({ seconds: ({ thread }) => parts[thread]![1] });
            });
          },
        });
        // One processor serves the threads in the order of their returns.
        const times = parts.map(([calls, computes], k) => ({ calls, computes, k }));
        times.sort((a, b) => a.calls - b.calls || a.k - b.k);
        const end = times.reduce((now, { calls, computes }) => Math.max(now, calls) + computes, 0);
        const { time, firings } = run(model.program(1, { joins: 'object' }), scheduler);
        expect(time).toBe(end);
        // Each of them comes back by a completion list.
        const waits = parts.filter(([, , isMemory]) => isMemory).length;
        expect(firings['returns from a memory wait'] ?? 0).toBe(waits);
        expect(firings['returns from a system call'] ?? 0).toBe(parts.length - waits);
        expect(firings['pulls']).toBeGreaterThanOrEqual(parts.length);
      }),
      { numRuns: effort(60) },
    );
  });
});

describe('the work of the schedulers, in firings and times', () => {
  const COST = 1e-6;
  /** No costs but these, of 1 µs each. */
  const only = (...names: readonly (keyof ThreadCosts)[]): ThreadCosts => ({
    ...NO_COSTS,
    ...Object.fromEntries(names.map((name) => [name, COST])),
  });
  /** 12 threads wait for an event that the first one sets after a second. */
  const waiters = threads({
    name: 'waiters',
    build(t) {
      const event = t.event('event');
      t.parallel(13, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => {
            t.compute({ seconds: 1 });
            t.set(event);
          },
          () => t.wait(event),
        ),
      );
    },
  }).program(4, { joins: 'object' });
  /** The same with an event for each waiter. */
  const pairs = threads({
    name: 'pairs',
    build(t) {
      const events = t.events('event', 12);
      t.parallel(13, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => {
            t.compute({ seconds: 1 });
            t.loop('k', 12, () => t.set(events, ({ k }) => k));
          },
          () => t.wait(events, ({ thread }) => thread - 1),
        ),
      );
    },
  }).program(4, { joins: 'object' });
  /** Three of them belong to the scheduler thread of the first one, and begin after it. */
  const BLOCKED = 9;
  const THREADS = 13;

  test('a0: every released thread passes through the shared list, one at a time', () => {
    const { firings, time } = run(waiters, 'a0', only('osCall'));
    expect(firings).toMatchObject({
      blocks: BLOCKED + 1,
      grants: BLOCKED + 1,
      // Threads that have ended come into the list, too.
      'appends to the completion list': BLOCKED + 1 + THREADS,
      pulls: BLOCKED + 1 + THREADS,
      matches: BLOCKED + 1 + THREADS,
      'marks ready': BLOCKED + 1,
      'removes an ended thread': THREADS,
    });
    // Setting, twelve pulls, and the calls of the end: the pulls are serialised.
    expect(time).toBeGreaterThanOrEqual(1 + (1 + BLOCKED) * COST);
    expect(run(waiters, 'a0', only('osNotify')).time).toBeGreaterThan(1);
  });

  test('a1: each scheduler thread registers once, is notified once, and scans its queue', () => {
    const { firings } = run(waiters, 'a1', only('scan'));
    // The main thread waits for all others, too.
    expect(firings).toMatchObject({ registers: 4, 'is registered': 6, notifies: 4, scans: 4, finds: BLOCKED + 1 });
    // An event for each waiter: a registration, a notification and a scan for each.
    const many = run(pairs, 'a1', only('scan'));
    expect(many.firings).toMatchObject({ registers: 10, notifies: 10, scans: 10, finds: 10 });
    // One after the other, scheduler threads scan 4 (with the main thread), 3 and 2 blocked threads, and at the end the main thread.
    expect(many.time).toBeCloseTo(1 + (4 + 3 + 2 + 1) * COST, 9);
  });

  test('a2: neither registrations nor scans; waiters are handed over by the thread that sets', () => {
    const { firings, time } = run(waiters, 'a2', only('enqueue'));
    expect(firings).toMatchObject({ 'begins to join': 10, 'begins to set': 2, 'hands over': 10 });
    // Released threads come straight into ready queues, ended ones into completion lists.
    expect(firings).toMatchObject({ 'removes an ended thread': THREADS });
    expect(Object.keys(firings)).not.toContain('pulls');
    expect(Object.keys(firings).filter((name) => /scan|register|notif/.test(name))).toEqual([]);
    expect(time).toBeGreaterThanOrEqual(1 + BLOCKED * COST);
  });

  test.each(COOPERATIVE)('%s: data on another NUMA node costs more', (scheduler) => {
    const costs = { ...DEFAULT_COSTS, remote: 1e-4 };
    expect(run(waiters, scheduler, costs, 2).time).toBeGreaterThan(run(waiters, scheduler, costs, 1).time);
  });

  /** On one processor: two threads wait for an event that a third one sets after a second. */
  const late = threads({
    name: 'late',
    build(t) {
      const event = t.event('event');
      t.parallel(3, () =>
        t.when(
          ({ thread }) => thread === 2,
          () => {
            t.compute({ seconds: 1 });
            t.set(event);
          },
          () => t.wait(event),
        ),
      );
    },
  }).program(1, { joins: 'object' });

  test.each(['a1', 'a2'] as const)('%s: only memory without buffers is allocated for each entry', (scheduler) => {
    const time = (allocator: Allocator): number => {
      const machine = { speed: 1e9, cores: 1, costs: only('allocate'), numaNodes: 1 };
      return simulate(compile(threadNet(late, machine, { scheduler, allocator }).net)).time;
    };
    // The main thread and two others wait before the third one computes.
    expect(time('buffered')).toBe(1);
    expect(time('own')).toBeCloseTo(1 + 3 * COST, 12);
  });

  test('each cost makes a program slower', () => {
    const used: Readonly<Record<(typeof COOPERATIVE)[number], readonly (keyof ThreadCosts)[]>> = {
      a0: ['osCall', 'osNotify', 'match', 'enqueue', 'dequeue', 'userSwitch'],
      a1: ['osNotify', 'swap', 'register', 'notify', 'scan', 'enqueue', 'dequeue', 'userSwitch'],
      a2: ['swap', 'enqueue', 'dequeue', 'userSwitch'],
    };
    for (const scheduler of COOPERATIVE)
      for (const name of used[scheduler])
        expect([scheduler, name, [waiters, late].some((p) => run(p, scheduler, only(name)).time > 1)]).toEqual([
          scheduler,
          name,
          true,
        ]);
  });
});
