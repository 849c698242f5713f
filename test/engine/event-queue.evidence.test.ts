import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { effort } from '../effort.ts';
import { EventQueue } from './event-queue.ts';

const RUNS = effort(1200);

/** Number of operations performed on both queues; printed with FORETOKEN_TABLE=1. */
const done = { push: 0, pop: 0, remove: 0, gather: 0, clear: 0, restore: 0 };
afterAll(() => {
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(done);
});

interface Entry {
  time: number;
  readonly order: number;
  readonly node: number;
  readonly kind: number;
}

const byTurn = (a: Entry, b: Entry): number => a.time - b.time || a.order - b.order || a.node - b.node;

/** Time increments as functions of a number in [0, 1). */
const INCREMENTS: Record<string, (u: number) => number> = {
  none: () => 0,
  one: () => 1,
  'one, two or three': (u) => 1 + Math.floor(3 * u),
  'none mostly': (u) => (u < 0.8 ? 0 : u),
  uniform: (u) => u,
  exponential: (u) => -Math.log(1 - u),
  'nearly equal': (u) => 1 + 1e-12 * Math.floor(8 * u),
  'in clusters': (u) => Math.floor(4 * u) + 1e-6 * ((1000 * u) % 1),
  '12 decades': (u) => 10 ** (12 * u - 6),
  '600 decades': (u) => 10 ** (600 * u - 300),
  'near and far': (u) => (u < 0.9 ? 1e-3 * u : 1e9 * u),
  'some about a year ahead': (u) => (u < 0.9 ? 0.1 * u : 100 * (u - 0.9)),
  'seldom at the end of time': (u) => (u < 0.97 ? u : 1e300),
  subnormal: (u) => Math.floor(5 * u) * Number.MIN_VALUE,
};
/** Orders as functions of a number in [0, 1) and the number of earlier pushes. */
const ORDERS: Record<string, (u: number, pushes: number) => number> = {
  ascending: (_, pushes) => pushes,
  'sometimes old': (u, pushes) => (u < 0.1 ? Math.floor(10 * u * pushes) + 0.5 : pushes),
  descending: (_, pushes) => -pushes,
  few: (u) => Math.floor(4 * u),
};

/**
 * The queue and a sorted array: every operation is applied to both, and the observable results are compared. `expect` is
 * called only for differences, because it would dominate the run time.
 */
class Pair {
  queue: EventQueue = new EventQueue(2);
  entries: Entry[] = [];
  now: number;
  pushes = 0;
  readonly #pending: Set<number> = new Set();

  constructor(now: number) {
    this.now = now;
  }

  push(increment: number, order: number): void {
    const time = Math.min(this.now + increment, 1e300);
    const kind = this.pushes++ & 7;
    const node = this.queue.push(time, order, kind);
    this.queue.setValue(node, 0, time);
    this.queue.setValue(node, 1, order);
    if (this.#pending.has(node)) expect(node).not.toBe(node);
    this.#pending.add(node);
    this.#place({ time, order, node, kind });
    this.#same('push');
  }

  pop(): void {
    const first = this.entries.shift();
    if (first === undefined) return;
    const { queue } = this;
    const node = queue.pop();
    this.#pending.delete(node);
    const found = { time: queue.time(node), order: queue.value(node, 1), node, kind: queue.kind(node) };
    if (byTurn(found, first) !== 0 || found.kind !== first.kind) expect(found).toEqual(first);
    this.now = first.time;
    this.#same('pop');
  }

  remove(at: number): void {
    const [entry] = this.entries.splice(at, 1);
    if (entry === undefined) return;
    this.queue.remove(entry.node);
    this.#pending.delete(entry.node);
    this.#same('remove');
  }

  gather(span: number): void {
    if (this.entries.length === 0) return;
    this.now = this.queue.next;
    const limit = this.now + span;
    this.queue.gather(this.now, limit);
    const due = this.entries.filter((e) => e.time <= limit);
    for (const e of due) e.time = this.now;
    this.entries.sort(byTurn);
    this.#same('gather');
  }

  clear(): void {
    this.queue.clear();
    this.#pending.clear();
    this.entries = [];
    this.#same('clear');
  }

  /** Continues with a copy in another queue that was used before. */
  move(): void {
    const state = structuredClone(this.queue.state());
    this.queue = new EventQueue(2);
    for (let k = 0; k < 5; k++) this.queue.push(k, k, k);
    this.queue.pop();
    this.queue.remove(3);
    this.queue.restore(state);
    this.#same('restore');
  }

  #place(entry: Entry): void {
    let low = 0;
    for (let high = this.entries.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (byTurn(this.entries[middle]!, entry) < 0) low = middle + 1;
      else high = middle;
    }
    this.entries.splice(low, 0, entry);
  }

  #same(after: keyof typeof done): void {
    done[after]++;
    const { size, next } = this.queue;
    if (size !== this.entries.length || next !== (this.entries[0]?.time ?? Number.POSITIVE_INFINITY))
      expect({ size, next }).toEqual({ size: this.entries.length, next: this.entries[0]?.time ?? Infinity });
  }
}

type Step = readonly [operation: string, u: number, count: number];

function runQueue(
  pair: Pair,
  increment: (u: number) => number,
  orders: (u: number, n: number) => number,
  step: Step,
): void {
  const [operation, u, count] = step;
  // Derives further numbers from one draw: multiples of the golden ratio are well spread.
  const fraction = (k: number): number => (u + k * 0.6180339887498949) % 1;
  const push = (k: number): void => pair.push(increment(fraction(k)), orders(fraction(k * k + 1), pair.pushes));
  for (let k = 0; k < (operation === 'burst' ? count : 0); k++) push(k);
  for (let k = 0; k < (operation === 'drain' ? count : 0); k++) pair.pop();
  for (let k = 0; k < (operation === 'hold' ? count : 0); k++) {
    pair.pop();
    push(k);
  }
  if (operation === 'push') push(0);
  if (operation === 'pop') pair.pop();
  if (operation === 'remove') pair.remove(Math.floor(u * pair.entries.length));
  if (operation === 'remove first') pair.remove(0);
  if (operation === 'gather') pair.gather(pair.now * 1e-12);
  if (operation === 'gather more') pair.gather(increment(u));
  if (operation === 'move') pair.move();
  if (operation === 'clear') pair.clear();
}

const arbitraryStep: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof(
    { weight: 40, arbitrary: fc.constant('push') },
    { weight: 30, arbitrary: fc.constant('pop') },
    { weight: 6, arbitrary: fc.constant('remove') },
    { weight: 4, arbitrary: fc.constant('remove first') },
    { weight: 6, arbitrary: fc.constant('gather') },
    { weight: 3, arbitrary: fc.constant('gather more') },
    { weight: 3, arbitrary: fc.constantFrom('burst', 'drain', 'hold') },
    { weight: 1, arbitrary: fc.constantFrom('move', 'move', 'clear') },
  ),
  fc.integer({ min: 0, max: 2 ** 30 - 1 }).map((n) => n / 2 ** 30),
  fc.integer({ min: 1, max: 60 }),
);

const arbitraryTape = fc.record({
  now: fc.constantFrom(0, 1, 1e-9, 1e9, 1e299),
  before: fc.constantFrom(...Object.keys(INCREMENTS)),
  after: fc.constantFrom(...Object.keys(INCREMENTS)),
  orders: fc.constantFrom(...Object.keys(ORDERS)),
  steps: fc.array(arbitraryStep, { maxLength: 300, size: 'max' }),
});

describe('the queue behaves like a sorted array', () => {
  test('on random sequences of operations', () => {
    fc.assert(
      fc.property(arbitraryTape, ({ now, before, after, orders, steps }) => {
        const pair = new Pair(now);
        steps.forEach((step, k) => {
          runQueue(pair, INCREMENTS[2 * k < steps.length ? before : after]!, ORDERS[orders]!, step);
        });
        while (pair.entries.length > 0) pair.pop();
      }),
      { numRuns: RUNS },
    );
  });

  test.each(Object.keys(INCREMENTS))('while filling, constant, changing its rate and emptying: %s', (name) => {
    const pair = new Pair(0);
    const increment = INCREMENTS[name]!;
    const { ascending } = ORDERS;
    for (const [operation, count] of [
      ['burst', 3000],
      ['hold', 4000],
      ['drain', 2900],
      ['hold', 2000],
      ['burst', 300],
      ['drain', 375],
      ['hold', 6000],
    ] as const)
      runQueue(pair, increment, ascending!, [operation, 0.3, count]);
    runQueue(pair, (u) => 1e-6 * increment(u), ascending!, ['hold', 0.7, 3000]);
    runQueue(pair, increment, ORDERS['few']!, ['hold', 0.7, 3000]);
    while (pair.entries.length > 0) pair.pop();
    expect(pair.now).toBeGreaterThanOrEqual(0);
  });

  test('days are shorter for single completions than for bursts', () => {
    const pair = new Pair(0);
    const hold = (increment: (u: number, now: number) => number): void => {
      for (let k = 0; k < 40_000; k++) {
        const u = (k * 0.6180339887498949) % 1;
        pair.pop();
        pair.push(increment(u, pair.now), pair.pushes);
        if (k % 64 > 0) continue;
        pair.remove(Math.floor(u * pair.entries.length));
        pair.push(increment(u / 2, pair.now), pair.pushes);
      }
    };
    for (let k = 0; k < 100; k++) pair.push(k / 100, k);
    hold((u) => -Math.log(1 - u));
    expect(pair.queue.fineness).toBe(8);
    hold((u, now) => Math.floor(now) + 1 - now + 1e-4 * u);
    expect(pair.queue.fineness).toBe(2);
    hold((u) => u);
    expect(pair.queue.fineness).toBe(8);
    while (pair.entries.length > 0) pair.pop();
  });

  test('with most events removed', () => {
    const pair = new Pair(0);
    for (let k = 0; k < 3000; k++) {
      const u = (k * 0.6180339887498949) % 1;
      pair.push(u, k);
      pair.push(u < 0.1 ? 1e9 : 1 - u, k + 0.5);
      pair.remove(Math.floor(u * pair.entries.length));
      if (k % 3 === 0) pair.pop();
      if (k % 3 === 1) pair.remove(0);
    }
    while (pair.entries.length > 0) pair.pop();
  });

  test('removed completions of the far future: their nodes are reused', () => {
    const pair = new Pair(0);
    for (let k = 0; k < 100; k++) pair.push(k, k);
    for (let k = 0; k < 10_000; k++) {
      pair.push(1e9 + k, k);
      pair.remove(pair.entries.length - 1);
    }
    expect(pair.queue.capacity).toBe(512);
    while (pair.entries.length > 0) pair.pop();
  });

  test('removed completions of the far future: the others keep their order', () => {
    const pair = new Pair(0);
    for (let k = 0; k < 100; k++) pair.push(k, k);
    for (let k = 0; k < 400; k++) pair.push(1e9 + ((k * 7919) % 400), k);
    for (let k = 0; k < 300; k++) pair.remove(100);
    while (pair.entries.length > 0) pair.pop();
    expect(pair.now).toBe(1e9 + 399);
  });

  test.each([1, -1, 7919])('with 50,000 at one instant, orders in steps of %i', (step) => {
    const n = 50_000;
    const queue = new EventQueue(0);
    const orderOf = new Map<number, number>();
    for (let k = 0; k < n; k++) {
      const order = (((k * step) % n) + n) % n;
      orderOf.set(queue.push(3, order, 0), order);
    }
    for (let k = 0; k < n; k++) expect(orderOf.get(queue.pop())).toBe(k);
    expect(queue.next).toBe(Number.POSITIVE_INFINITY);
  });
});

test('a restored queue gives the same nodes from then on', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryStep, { maxLength: 150, size: 'max' }),
      fc.array(arbitraryStep, { maxLength: 60 }),
      (a, b) => {
        const one = new Pair(0);
        for (const step of a) runQueue(one, INCREMENTS['uniform']!, ORDERS['few']!, step);
        const other = new Pair(one.now);
        other.queue.restore(one.queue.state());
        other.entries = one.entries.map((e) => ({ ...e }));
        other.pushes = one.pushes;
        for (const pair of [one, other])
          for (const step of b) runQueue(pair, INCREMENTS['uniform']!, ORDERS['few']!, step);
        expect(other.entries).toEqual(one.entries);
        expect(other.queue.state()).toEqual(one.queue.state());
      },
    ),
    { numRuns: effort(150) },
  );
});

test('gather moves due events to one time and keeps the order of their starts', () => {
  const queue = new EventQueue(0);
  const [late, middle, early, other] = [
    queue.push(1.2, 1, 0),
    queue.push(1.1, 2, 0),
    queue.push(1, 3, 0),
    queue.push(2, 0, 0),
  ];
  queue.gather(1, 1.2);
  expect([queue.next, queue.size]).toEqual([1, 4]);
  expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()]).toEqual([late, middle, early, other]);
  expect([queue.time(late!), queue.time(other!)]).toEqual([1, 2]);
});

test('only pending events can be removed', () => {
  const queue = new EventQueue(0);
  const node = queue.push(1, 1, 0);
  const other = queue.push(2, 2, 0);
  queue.remove(other);
  expect(() => queue.remove(other)).toThrow(`node ${other} is not pending`);
  expect(queue.pop()).toBe(node);
  expect(() => queue.remove(node)).toThrow(`node ${node} is not pending`);
  expect(() => queue.remove(1e6)).toThrow('node 1000000 is not pending');
  expect([queue.size, queue.next]).toEqual([0, Number.POSITIVE_INFINITY]);
});
