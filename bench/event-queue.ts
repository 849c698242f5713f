import { execFileSync } from 'node:child_process';
import { EventQueue } from '../test/engine/event-queue.ts';
import { FourAryHeap } from './four-ary-heap.ts';

/**
 * `npx tsx bench/event-queue.ts [SIZES]`: nanoseconds per pop and push, calendar queue compared with a 4-ary heap.
 *
 * Hold model (Jones, CACM 29(4), 1986): the earliest entry is popped and pushed again, later by a random increment. The
 * second table has cases that are hard for calendar queues; their sizes are fixed. Each queue runs in a separate
 * process, so that neither affects the compiler's type feedback for the other. Results are the minimum of many short
 * measurements, because other load on the machine can only increase times. Increments come from a table; loop and table
 * cost about 3 ns. In the hard cases every operation on the calendar queue is a call from JavaScript, which costs about
 * 20 ns.
 */
type Queue = Pick<EventQueue, 'push' | 'pop' | 'time' | 'size'>;

const TABLE = 8192;

/** The minimal standard generator (Park & Miller 1988), so that both queues get the same increments. */
function random(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s * 48271) % 2147483647;
    return s / 2147483647;
  };
}

const u = random(1);
const increments: Record<string, () => number> = {
  exponential: () => -Math.log(u()),
  uniform: () => 2 * u(),
  bimodal: () => (u() < 0.9 ? u() : 100 * u()),
  constant: () => 1,
  'equal times': () => 1,
  '12 decades': () => 10 ** (12 * u() - 6),
};

const table = (draw: () => number): Float64Array => Float64Array.from({ length: TABLE }, draw);

let order = 0;

function hold(queue: Queue, table: Float64Array, count: number): void {
  // As in the engine, the loop itself runs inside the kernel.
  if (queue instanceof EventQueue) {
    order = queue.hold(table, order, count);
    return;
  }
  for (let k = 0; k < count; k++) {
    const node = queue.pop();
    queue.push(queue.time(node) + table[order & (TABLE - 1)]!, order++, 0);
  }
}

/** CPU time so far, in nanoseconds. Unlike wall-clock time it excludes other processes. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/**
 * Minimum time of several measurements, in nanoseconds per operation. Each measurement runs `count` operations in
 * slices of 512, as the engine does.
 */
function least(pieces: number, count: number, run: (count: number) => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let piece = 0; piece < pieces; piece++) {
    const start = used();
    for (let k = 0; k < count; k += 512) run(512);
    best = Math.min(best, (used() - start) / count);
  }
  return best;
}

function held(make: () => Queue, name: string, size: number): number {
  const by = table(increments[name]!);
  const queue = make();
  for (let k = 0; k < size; k++) {
    const start = name === 'equal times' ? 0 : name === 'constant' ? k / size : by[k & (TABLE - 1)]! * u();
    queue.push(start, order++, 0);
  }
  hold(queue, by, Math.max(100_000, size * 3));
  return size > 50_000 ? least(20, 1 << 17, (n) => hold(queue, by, n)) : least(100, 1 << 14, (n) => hold(queue, by, n));
}

/** Pushes all entries, then pops all; minimum of five runs. */
function filled(make: () => Queue, size: number, time: (k: number) => number, rank: (k: number) => number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 5; k++) {
    const queue = make();
    const start = used();
    for (let k = 0; k < size; k++) queue.push(time(k), rank(k), 0);
    for (let k = 0; k < size; k++) queue.pop();
    best = Math.min(best, (used() - start) / size);
  }
  return best;
}

/** Hold model with entries at the given start times and increments that depend on the time. */
function driven(make: () => Queue, starts: Iterable<number>, count: number, next: (now: number) => number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 5; k++) {
    const queue = make();
    for (const t of starts) queue.push(t, order++, 0);
    const start = used();
    for (let k = 0; k < count; k++) queue.push(next(queue.time(queue.pop())), order++, 0);
    best = Math.min(best, (used() - start) / count);
  }
  return best;
}

const M = 1_000_000;
const times = (length: number, of: (k: number) => number): number[] => Array.from({ length }, (_, k) => of(k));
const shuffled = table(u);
const some = (k: number): number => shuffled[k & (TABLE - 1)]!;
const bad: Record<string, (make: () => Queue) => number> = {
  'a million at one instant, orders ascend': (make) =>
    filled(
      make,
      M,
      () => 1,
      (k) => k,
    ),
  'a million at one instant, orders at random': (make) =>
    filled(
      make,
      M,
      () => 1,
      (k) => (k * 7919) % M,
    ),
  'a million, times ascend': (make) =>
    filled(
      make,
      M,
      (k) => k,
      (k) => k,
    ),
  'a million, times descend': (make) =>
    filled(
      make,
      M,
      (k) => M - k,
      (k) => k,
    ),
  'a million, times over 600 decades': (make) =>
    filled(
      make,
      M,
      (k) => 10 ** (600 * some(k) - 300),
      (k) => k,
    ),
  '64 lively and one at 1e300': (make) => driven(make, [1e300, ...times(64, some)], M, (t) => t + some(order)),
  '64 lively and 100,000 at 1e9': (make) =>
    driven(make, [...times(100_000, (k) => 1e9 + some(k)), ...times(64, some)], M, (t) => t + some(order)),
  '10,000 in step, but for noise of 1e-6': (make) =>
    driven(
      make,
      times(10_000, () => 0),
      M,
      (t) => Math.floor(t + 1.5) + 1e-6 * some(order),
    ),
  '10,000, dense and sparse by turns': (make) =>
    driven(make, times(10_000, some), M, (t) => t + (order & 65536 ? 1e6 : 1) * some(order)),
  '10,000, without a mean (Pareto 1/2)': (make) => driven(make, times(10_000, some), M, (t) => t + some(order) ** -2),
  '1,000, time scale grows with the time': (make) =>
    driven(
      make,
      times(1000, (k) => 1 + some(k)),
      M,
      (t) => t * (1 + 0.1 * some(order)),
    ),
  '10 and 100,000 by turns': (make) => {
    const queue = make();
    let now = 0;
    // Each measurement grows and shrinks the queue four times.
    return least(5, 1 << 20, (n) => {
      for (let k = 0; k < n; k++) {
        if ((order >> 17) & 1 ? queue.size > 10 : queue.size > 100_000) now = queue.time(queue.pop());
        else queue.push(now + some(order), order, 0);
        order++;
      }
    });
  },
};

const queues: Record<string, () => Queue> = { calendar: () => new EventQueue(1), heap: () => new FourAryHeap(1) };
const [which, given] = process.argv.slice(2);

if (which !== undefined && which in queues) {
  const make = queues[which]!;
  const sizes = given!.split(',').map(Number);
  const rows = Object.keys(increments).map((name) => sizes.map((size) => held(make, name, size)));
  const cases = Object.values(bad).map((run) => run(make));
  console.log(JSON.stringify({ rows, cases }));
} else {
  const sizes = which ?? '64,1024,10000,100000,1000000';
  const [calendar, heap] = Object.keys(queues).map((name) => {
    const out = execFileSync(process.execPath, [...process.execArgv, process.argv[1]!, name, sizes], {
      encoding: 'utf8',
    });
    return JSON.parse(out) as { rows: number[][]; cases: number[] };
  });
  const pair = (c: number, h: number): string =>
    `${c.toFixed(0)} / ${h.toFixed(0)} = ${(c / h).toFixed(2)}`.padStart(18);
  console.log('ns a pop and push: calendar / heap');
  console.log(
    ''.padEnd(12) +
      sizes
        .split(',')
        .map((s) => s.padStart(18))
        .join(''),
  );
  Object.keys(increments).forEach((name, k) => {
    console.log(name.padEnd(12) + calendar!.rows[k]!.map((ns, i) => pair(ns, heap!.rows[k]![i]!)).join(''));
  });
  Object.keys(bad).forEach((name, k) => {
    console.log(name.padEnd(44) + pair(calendar!.cases[k]!, heap!.cases[k]!));
  });
}
