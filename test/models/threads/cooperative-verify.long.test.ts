import { describe, expect, test } from 'vitest';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { property } from '../../../src/index.ts';
import { NO_COSTS } from '../../../src/models/threads/costs.ts';
import type { ThreadMachine } from '../../../src/models/threads/net/ports.ts';
import { type ThreadNetOptions, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { type ThreadModel, threads } from '../../../src/models/threads/program/threads.ts';
import type { Net } from '../../../src/net/net.ts';

const free: ThreadMachine = { speed: 1e9, cores: 4, costs: NO_COSTS };
const final = 'tokens(ended) = 1';

/** Threads that each wait for one primitive and set it again, some times. */
const users = (count: number, rounds: number): ThreadModel =>
  threads({
    name: 'users',
    build(t) {
      const primitive = t.autoEvent('primitive', { set: true });
      t.parallel(count, () =>
        t.loop('k', rounds, () => {
          t.wait(primitive);
          t.set(primitive);
        }),
      );
    },
  }) as ThreadModel;

const netOf = (model: ThreadModel, workers: number, options: Partial<ThreadNetOptions> = {}): Net =>
  threadNet(model.program(workers, { joins: 'object' }), free, { scheduler: 'a2', ...options }).net;

/** No primitive that is set, at rest, has waiters; one scheduler thread at a time is in the passing state of a primitive. */
const noneLost = (threads: number): ReturnType<typeof property.AG> =>
  property.AG(
    property.le(
      property.sum(...Array.from({ length: threads }, (_, n) => property.tokensOf('objects', 0, 1, n + 1, 'rest'))),
      0,
    ),
  );
const oneAtATime = property.AG(
  // The primitive, and the one that joins the threads.
  property.le(property.tokens('joining', 'appended', 'setting', 'handing over'), 2),
);

describe("A2's primitive, on the net that predictions run", () => {
  test.each([
    { count: 2, rounds: 2, workers: 2 },
    { count: 3, rounds: 1, workers: 3 },
    { count: 4, rounds: 1, workers: 2 },
  ])('$count threads, $rounds operations, $workers scheduler threads: safe, no wake-up lost, no deadlock', (c) => {
    const { properties } = verify(
      netOf(users(c.count, c.rounds), c.workers),
      ['deadlock-free', 'safe', noneLost(c.count), oneAtATime],
      { final },
    );
    expect(properties.map(({ verdict }) => verdict)).toEqual([true, true, true, true]);
  });

  test.each([
    // Threads of one scheduler thread are symmetric: two, and three and two of them.
    { count: 3, rounds: 2, workers: 2, factor: 1.5 },
    { count: 5, rounds: 1, workers: 2, factor: 6 },
  ])('$count threads, $rounds operations, $workers scheduler threads, in all orders of queues, by symmetry', (c) => {
    const net = netOf(users(c.count, c.rounds), c.workers, { order: 'any', spawned: true });
    const asked = ['deadlock-free', noneLost(c.count), oneAtATime] as const;
    const reduced = verify(net, asked, { final, reduce: 'symmetry' });
    expect(reduced.properties.map(({ verdict }) => verdict)).toEqual([true, true, true]);
    const [certificate] = reduced.properties.map((p) => p.certificate as { states: number });
    const whole = verify(net, asked, { final, reduce: 'none' });
    expect(whole.properties.map(({ verdict }) => verdict)).toEqual([true, true, true]);
    const { states } = whole.properties[0]!.certificate as unknown as { states: number };
    expect(certificate!.states * c.factor).toBeLessThan(states);
  });

  test('a retry happens: an operation meets each passing state', () => {
    const net = netOf(users(3, 1), 3);
    const reaches = (phase: string): ReturnType<typeof property.EF> =>
      property.EF(
        property.ge(
          property.sum(...[0, 1].flatMap((v) => [0, 1, 2].map((n) => property.tokensOf('objects', 0, v, n, phase)))),
          1,
        ),
      );
    const asked = ['joined', 'set'].flatMap((of) =>
      ['', ', set tried', ', reset tried'].map((tried) => reaches(of + tried)),
    );
    expect(verify(net, asked).properties.map(({ verdict }) => verdict)).toEqual(asked.map(() => true));
  });

  test('without the retry, the shortest lost wake-up is found', () => {
    const [found] = verify(netOf(users(2, 1), 2, { retry: false, spawned: true }), [noneLost(2)], {}).properties;
    expect(found!.verdict).toBe(false);
    const steps = found!.witness!.steps.map(({ node }) => node);
    // One thread adds itself to the queue while the other one sets the primitive.
    expect(steps.slice(-4)).toEqual(expect.arrayContaining(['appends a waiter', 'sets without retry', 'ends joining']));
    expect(steps).toMatchInlineSnapshot(`
      [
        "notices a ready thread",
        "dequeues",
        "acquires",
        "begins to join",
        "appends a waiter",
        "ends joining",
        "dequeues",
        "begins to join",
        "appends a waiter",
        "sets without retry",
        "ends joining",
      ]
    `);
    const [dead] = verify(netOf(users(2, 1), 2, { retry: false }), ['deadlock-free'], { final }).properties;
    expect(dead!.verdict).toBe(false);
  });
});

describe('the lock of the allocator', () => {
  /** A thread waits for another one while it holds the lock of the allocator: it is blocked inside the allocator. */
  const allocating = threads({
    name: 'allocating',
    build(t) {
      const allocator = t.mutex('allocator');
      const page = t.event('page');
      t.parallel(2, () =>
        t.when(
          ({ thread }) => thread === 0,
          () => t.critical(allocator, () => t.wait(page)),
          () => t.set(page),
        ),
      );
    },
  }) as ThreadModel;

  test.each(['a1', 'a2'] as const)('%s: a shared allocator can deadlock, a buffered one cannot', (scheduler) => {
    const verdict = (allocator: 'shared' | 'buffered') =>
      verify(netOf(allocating, 2, { scheduler, allocator }), ['deadlock-free'], { final }).properties[0]!;
    const shared = verdict('shared');
    expect(shared.verdict).toBe(false);
    // The scheduler thread wants the lock in order to queue the thread that holds it.
    expect(shared.witness!.steps.map(({ node }) => node)).toContain(
      scheduler === 'a1' ? 'registers' : 'begins to join',
    );
    expect(verdict('buffered').verdict).toBe(true);
  });

  test('a shared allocator needs its lock', () => {
    expect(() => netOf(users(2, 1), 2, { allocator: 'shared' })).toThrow(/THR006.*mutex named allocator/);
  });
});
