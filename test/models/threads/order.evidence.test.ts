import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { compile } from '../../../src/engine/compile.ts';
import { DEFAULT_COSTS, NO_COSTS } from '../../../src/models/threads/costs.ts';
import { SCHEDULERS, threadNet } from '../../../src/models/threads/net/thread-net.ts';
import { ACQUIRE, RELEASE, ROW, type ThreadProgram } from '../../../src/models/threads/program/rows.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { ThreadEvents } from '../../../src/models/threads/thread-events.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryThreads, buildThreads } from '../../reference/threads/random-threads.ts';

/** A computation of a run. */
interface Span {
  readonly strand: number;
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Objects that the rows of each strand and chunk hold, with the mode in which they were acquired. */
function heldBy(program: ThreadProgram): Map<number, ReadonlyMap<number, string>> {
  const { rows, strands, loops } = program;
  const byRow = new Map<number, ReadonlyMap<number, string>>();
  for (const start of [...strands.start, ...loops.flatMap(({ chunkRows }) => [...chunkRows])]) {
    const held = new Map<number, string>();
    for (let r = start; rows.op[r] !== ROW.end && rows.op[r] !== ROW.chunkEnd; r++) {
      if (rows.op[r] === ROW.acquire) held.set(rows.a[r]!, ACQUIRE[rows.b[r]!]!.name);
      else if (rows.op[r] === ROW.release) held.delete(rows.a[r]!);
      else if (rows.op[r] === ROW.work) byRow.set(r, new Map(held));
    }
  }
  return byRow;
}

/** Every pair of spans that use an object in these ways. */
function excludes(spans: readonly Span[], held: Map<number, ReadonlyMap<number, string>>): number {
  let pairs = 0;
  const byObject = new Map<number, (Span & { readonly mode: string })[]>();
  for (const span of spans)
    for (const [o, mode] of held.get(span.row) ?? []) byObject.set(o, [...(byObject.get(o) ?? []), { ...span, mode }]);
  for (const list of byObject.values())
    for (const [k, one] of list.entries())
      for (const other of list.slice(k + 1)) {
        const isExclusive =
          (one.mode === 'lock' && other.mode === 'lock') ||
          (one.mode === 'writeLock' && other.mode.endsWith('Lock')) ||
          (other.mode === 'writeLock' && one.mode.endsWith('Lock'));
        if (!isExclusive || one.strand === other.strand) continue;
        pairs++;
        expect(one.end <= other.start + 1e-12 || other.end <= one.start + 1e-12).toBe(true);
      }
  return pairs;
}

/** Semaphores: no more computations at a time than permits. */
function countsPermits(program: ThreadProgram, spans: readonly Span[], held: ReturnType<typeof heldBy>): void {
  for (const [o, { kind, initial }] of program.objects.entries()) {
    if (kind !== 'semaphore') continue;
    const events = spans
      .filter(({ row }) => held.get(row)?.get(o) === 'acquire')
      .flatMap(({ start, end }) => [[start, 1] as const, [end, -1] as const]);
    let running = 0;
    for (const [, by] of events.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
      running += by;
      expect(running).toBeLessThanOrEqual(initial);
    }
  }
}

/** Work of each strand before and after each of its rows. Rows of chunks belong to no strand. */
function ordered(program: ThreadProgram, spans: readonly Span[]): number {
  const { rows, strands } = program;
  const ofStrand = new Map<number, Span[]>();
  for (const span of spans) ofStrand.set(span.strand, [...(ofStrand.get(span.strand) ?? []), span]);
  const isOwn = (s: number, row: number): boolean => row >= strands.start[s]! && row < endOf[s]!;
  const endOf = Array.from({ length: strands.count }, (_, s) => {
    let r = strands.start[s]!;
    while (rows.op[r] !== ROW.end) r++;
    return r;
  });
  const last = (s: number, before: number): number =>
    Math.max(0, ...(ofStrand.get(s) ?? []).filter((x) => isOwn(s, x.row) && x.row < before).map(({ end }) => end));
  const first = (s: number, after: number): number =>
    Math.min(1e9, ...(ofStrand.get(s) ?? []).filter((x) => isOwn(s, x.row) && x.row > after).map(({ start }) => start));
  let orders = 0;
  const precedes = (end: number, start: number): void => {
    orders++;
    expect(end).toBeLessThanOrEqual(start + 1e-12);
  };
  const arrivals = new Map<number, number[]>();
  const members = new Map<number, number[]>();
  for (let s = 0; s < strands.count; s++) {
    members.set(strands.group[s]!, [...(members.get(strands.group[s]!) ?? []), s]);
    for (let r = strands.start[s]!; r < endOf[s]!; r++)
      if (rows.op[r] === ROW.release && RELEASE[rows.b[r]!]!.name === 'arrive')
        arrivals.set(rows.a[r]!, [...(arrivals.get(rows.a[r]!) ?? []), last(s, r)]);
  }
  for (let s = 0; s < strands.count; s++)
    for (let r = strands.start[s]!; r <= endOf[s]!; r++) {
      const [op, a] = [rows.op[r]!, rows.a[r]!];
      // Barriers: nobody goes on before all have come.
      if (op === ROW.acquire && ACQUIRE[rows.b[r]!]!.name === 'latch')
        precedes(Math.max(...arrivals.get(a)!), first(s, r));
      // Spawns and dependences: the other strand begins afterwards.
      if (op === ROW.spawn || op === ROW.meet) precedes(last(s, r), first(a, -1));
      // Joins: the strands of the group have ended.
      if (op === ROW.sync) for (const child of members.get(a)!) precedes(last(child, endOf[child]!), first(s, r));
    }
  return orders;
}

const seed = Number(process.env['FORETOKEN_SEED'] ?? 1);

test('locks exclude, semaphores count, barriers, joins and dependences order the computations of every run', () => {
  let [pairs, orders] = [0, 0];
  fc.assert(
    fc.property(
      arbitraryThreads({ blocking: true, tries: false }),
      fc.constantFrom(...SCHEDULERS),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      (random, scheduler, workers, free) => {
        const program = threads({ name: 'random', build: buildThreads(random) }).program(workers);
        const machine = { speed: 1e9, cores: workers, costs: free ? NO_COSTS : DEFAULT_COSTS };
        const net = threadNet(program, machine, { scheduler });
        const spans: Span[] = [];
        const computes = (_: number, strand: number, row: number, start: number, end: number): void =>
          void spans.push({ strand, row, start, end });
        simulate(compile(net.net, { log: new ThreadEvents(net, { computes }).log() }));
        const held = heldBy(program);
        pairs += excludes(spans, held);
        countsPermits(program, spans, held);
        orders += ordered(program, spans);
      },
    ),
    { numRuns: effort(300), seed },
  );
  expect(pairs).toBeGreaterThan(atFullEffort(100));
  expect(orders).toBeGreaterThan(atFullEffort(1000));
});
