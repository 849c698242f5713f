import type { Window } from '../../trace/run/run-window.ts';
import { CACHE_LINE } from './costs.ts';
import { CARRIER_STATES, COMPUTING, initialCarriers, OVERHEAD, WAITING } from './firing-meanings.ts';
import { Inversions } from './inversions.ts';
import {
  addFigure,
  COUNT,
  CROWDED,
  EXECUTING,
  INVERTED,
  type LedgerPart,
  LedgerParts,
  OPERATING,
  PREEMPTED,
  SHARING,
  SPINNING,
  WAITED,
  WAITS,
} from './ledger-parts.ts';
import { LedgerPool } from './ledger-pool.ts';
import { isCooperative, type ThreadNet } from './net/thread-net.ts';
import { groupKey, USES_OBJECT as HAS_OBJECT } from './program/row-names.ts';
import { ROW, type ThreadProgram } from './program/rows.ts';
import type { RowEvent, ThreadSink } from './thread-events.ts';
import { secondsOfRows } from './work-span.ts';

const STATE = { memory: CARRIER_STATES.indexOf('memory') } as const;
/** 1 in states in which a carrier computes, loads or stores. */
const isActive = (state: number): number => (state === COMPUTING || state === STATE.memory ? 1 : 0);

/** The work of the rows of a line, and the objects that it concerns; objects of one name and declaration are one. */
export interface LedgerLine {
  readonly site: number;
  /** Index of the first object of the group in the program; −1: rows without an object. */
  readonly object: number;
  /** Kind of its rows: an operation of {@link ROW}, for those that compute, load, store or sleep; otherwise −1. */
  readonly work: number;
}

/**
 * The time of the carriers of a thread program by region, source line and object. Every span of a carrier is charged to the
 * row in which it ends: between two rows, a strand on the processor waits for the object of the next one.
 *
 * O(1) per event and open region, and O(carriers of the pool) per beginning and end of a region; memory O(rows + regions × lines).
 */
export class TimeLedger implements ThreadSink {
  readonly lines: readonly LedgerLine[];
  /** All time, also outside regions. */
  readonly whole: LedgerPart;
  readonly #net: ThreadNet;
  readonly #lineOf: Int32Array;
  readonly #nominal: Float64Array;
  readonly #parts: LedgerParts;
  readonly #rank: number;
  readonly #state: Uint8Array;
  readonly #since: Float64Array;
  /** By carrier: row and strand that it executes, −1: none; and time at which it began to compute. */
  readonly #row: Int32Array;
  readonly #strand: Int32Array;
  readonly #begun: Float64Array;
  /** By strand: the row at which it has been woken and tries again, −1: none; by carrier: whether its row is such a try. */
  readonly #retry: Int32Array;
  readonly #isRetry: Uint8Array;
  /** By carrier: whether its thread waits for a processor. */
  readonly #queued: Uint8Array;
  readonly #pools: readonly LedgerPool[];
  /** Cooperative schedulers: time since which each strand waits. */
  readonly #blockedAt: Float64Array | undefined;
  readonly #blockedRow: Int32Array;
  readonly #inversions: Inversions | undefined;
  /** Holders of locks; present if threads have different priorities. */
  readonly holds?: NonNullable<ThreadSink['holds']>;

  /** @param options.rank number of the rank of the first pool; `period` as in `WorkerMeter`; `window`: only this part of the run */
  constructor(
    net: ThreadNet,
    { period, window, rank = 0 }: { readonly period?: number; readonly window?: Window; readonly rank?: number } = {},
  ) {
    this.#net = net;
    this.#rank = rank;
    const { program, machine, carriers } = net;
    const { lines, lineOf } = linesOf(program);
    this.lines = lines;
    this.#lineOf = lineOf;
    this.#nominal = secondsOfRows(program, machine);
    this.#state = initialCarriers(net);
    this.#since = new Float64Array(carriers);
    this.#row = new Int32Array(carriers).fill(-1);
    this.#strand = new Int32Array(carriers).fill(-1);
    this.#begun = new Float64Array(carriers);
    this.#retry = new Int32Array(program.strands.count).fill(-1);
    this.#isRetry = new Uint8Array(carriers);
    this.#queued = new Uint8Array(carriers);
    this.#blockedRow = new Int32Array(isCooperative(net.scheduler) ? program.strands.count : 0);
    if (isCooperative(net.scheduler)) this.#blockedAt = new Float64Array(program.strands.count).fill(-1);
    this.#parts = new LedgerParts(lines.length, period, window);
    this.whole = this.#parts.whole;
    this.#pools = Array.from({ length: program.pools }, () => new LedgerPool(this.#parts));
    this.#inversions = Inversions.of(net, (strand, row, start, end) =>
      this.#parts.split(this.#poolOf(strand).regions, start, end, (part, seconds) => {
        addFigure(part, this.#lineOf[row]!, INVERTED, seconds);
      }),
    );
    const inversions = this.#inversions;
    if (inversions !== undefined) this.holds = (strand, at, what, time) => inversions.holds(strand, at, what, time);
  }

  /** The times of a region in the period that contains an instant. */
  part(region: string, from: number): LedgerPart | undefined {
    return this.#parts.of(region, from);
  }

  row(worker: number, strand: number, at: number, event: RowEvent, time: number): void {
    const { rows, pools } = this.#net.program;
    this.#inversions?.row(strand, event, time);
    const state = this.#state[worker]!;
    const isOwn = this.#strand[worker] === strand;
    const op = rows.op[at]!;
    if (event === 'preempted' || event === 'queues' || event === 'dispatched') {
      this.#span(worker, time);
      const waits = event !== 'dispatched';
      if (waits !== this.#queued[worker]! > 0) this.#poolOf(worker).crowd(waits ? 1 : -1, time);
      this.#queued[worker] = event === 'preempted' ? IN_COMPUTATION : waits ? ELSEWHERE : 0;
      return;
    }
    if (event === 'spun' || event === 'parks') {
      this.#charge(worker, this.#lineOf[at]!, SPINNING, time);
      // The wait of a thread that parks is counted when it parks.
      if (event === 'spun' && this.#isRetry[worker] === 0) this.#count(worker, at, WAITS, time);
      return;
    }
    if (event === 'begins') {
      if (state === OVERHEAD)
        this.#charge(worker, isOwn && USES_OBJECT.has(op) ? this.#lineOf[at]! : -1, SPINNING, time);
      else this.#span(worker, time);
      this.#begun[worker] = time;
      // A strand that is woken and has to wait again makes one operation, and one wait.
      const again = this.#retry[strand] === at;
      this.#isRetry[worker] = again ? 1 : 0;
      this.#retry[strand] = -1;
      if (COUNTED.has(op) && !again) this.#count(worker, at, COUNT, time);
      if (this.#makesThreads(op)) this.#poolOf(worker).creates(1, time);
    } else if (event === 'ends') {
      this.#row[worker] = at;
      this.#span(worker, time);
      this.#computed(worker, at, op, time);
      if (this.#makesThreads(op)) this.#poolOf(worker).creates(-1, time);
    } else {
      this.#span(worker, time);
      if (event === 'retries') this.#retry[strand] = at;
      if (this.#blockedAt !== undefined) this.#resumed(worker, strand, time);
    }
    if (strand < pools) this.#pools[strand]!.main(op, rows.site[at]!, event, time);
    else if (event !== 'begins' && event !== 'ends') this.#poolOf(worker).others(time);
    this.#row[worker] = at;
    this.#strand[worker] = LEAVES.has(op) && event === 'ends' ? -1 : strand;
  }

  carrier(worker: number, state: number, time: number): void {
    this.#inversions?.carrier(worker, state, time);
    const before = this.#state[worker]!;
    if (before === state) return;
    this.#span(worker, time);
    this.#state[worker] = state;
    const row = this.#row[worker]!;
    const again = this.#isRetry[worker] === 1;
    const waits = state === WAITING && this.#queued[worker] === 0;
    if (waits && row >= 0 && !again && !this.#isJoining(row) && this.#blockedAt === undefined)
      this.#count(worker, row, WAITS, time);
    const pool = this.#poolOf(worker);
    pool.active(isActive(state) - isActive(before), time);
    if (state === COMPUTING) pool.crowd(1, time);
    else if (before === COMPUTING) pool.crowd(-1, time);
  }

  /** A strand begins to wait at a row. */
  blocks(worker: number, strand: number, at: number, time: number): void {
    this.#inversions?.blocks(strand, at, time);
    // Elsewhere the carrier itself waits.
    if (this.#blockedAt === undefined) return;
    this.#blockedAt[strand] = time;
    this.#blockedRow[strand] = at;
    this.#count(worker, at, WAITS, time);
  }

  creates(thread: number, begins: boolean, time: number): void {
    const pool = this.#poolOf(thread);
    if (begins) for (const part of this.#parts.open(pool.regions, time)) part.created++;
    pool.creates(begins ? 1 : -1, time);
  }

  /** Under `os`, a strand is created by its parent and by the system. */
  #makesThreads(op: number): boolean {
    return this.#net.scheduler === 'os' && (op === ROW.spawn || op === ROW.meet);
  }

  region(pool: number, region: number, time: number): void {
    const one = this.#pools[pool]!;
    this.#inversions?.end(time);
    this.#close(pool, time);
    if (region < 0) one.regions = [];
    else {
      const name = this.#net.program.regions[region]!;
      one.regions = this.#net.program.pools === 1 ? [name] : [name, `${name}, rank ${this.#rank + pool}`];
    }
  }

  /** Ends all spans, at the end of the run. */
  end(time: number): void {
    this.#inversions?.end(time);
    for (let pool = 0; pool < this.#pools.length; pool++) this.#close(pool, time);
  }

  #close(pool: number, time: number): void {
    const one = this.#pools[pool]!;
    for (let w = 0; w < this.#since.length; w++) if (this.#poolOf(w) === one) this.#span(w, time);
    one.close(time);
  }

  /** A row has been computed: accounts for the time beyond its own. */
  #computed(worker: number, at: number, op: number, time: number): void {
    if (op === ROW.reuse) this.#add(worker, this.#lineOf[at]!, SHARING, time - this.#begun[worker]!, time);
    if (op !== ROW.work && op !== ROW.memory) return;
    const line = this.#lineOf[at]!;
    const { rows } = this.#net.program;
    const sharing = Math.ceil(rows.shared[at]! / CACHE_LINE) * this.#net.machine.costs.cacheLine;
    if (sharing > 0) this.#add(worker, line, SHARING, sharing, time);
    const more = time - this.#begun[worker]! - this.#nominal[at]! - sharing;
    if (op === ROW.memory) this.#add(worker, line, CROWDED, Math.max(0, more), time);
    // Where busy cores are slower, the time does not tell whether threads share cores.
    else if (this.#net.shared && !this.#net.slowed) this.#add(worker, line, PREEMPTED, Math.max(0, more), time);
  }

  #resumed(worker: number, strand: number, time: number): void {
    const from = this.#blockedAt![strand]!;
    if (from < 0) return;
    this.#blockedAt![strand] = -1;
    this.#add(worker, this.#lineOf[this.#blockedRow[strand]!]!, WAITED, time - from, time);
  }

  /** A thread that waits for those that it has created does not count, as in `WorkerLives`. */
  #isJoining(row: number): boolean {
    return row >= 0 && this.#net.program.rows.op[row] === ROW.sync;
  }

  /** Ends the span of a carrier, which belongs to its row. */
  #span(worker: number, time: number): void {
    const row = this.#row[worker]!;
    const line = row < 0 ? -1 : this.#lineOf[row]!;
    const state = this.#state[worker]!;
    const queued = this.#queued[worker]!;
    if (queued > 0) {
      // Waiting within a computation is counted when it ends: its time beyond its work.
      if (queued === ELSEWHERE && line >= 0)
        this.#parts.split(this.#poolOf(worker).regions, this.#since[worker]!, time, (part, seconds) => {
          addFigure(part, line, PREEMPTED, seconds);
        });
      this.#charge(worker, line, EXECUTING, time);
    } else if (state === COMPUTING || state === STATE.memory) this.#charge(worker, line, EXECUTING, time);
    else if (state === WAITING) this.#charge(worker, this.#isJoining(row) ? -1 : line, WAITED, time);
    else if (state === OVERHEAD) this.#charge(worker, this.#strand[worker]! < 0 ? -1 : line, OPERATING, time);
    else this.#since[worker] = time;
  }

  #charge(worker: number, line: number, figure: number, time: number): void {
    const start = this.#since[worker]!;
    this.#since[worker] = time;
    if (line < 0 || time <= start) return;
    this.#parts.split(this.#poolOf(worker).regions, start, time, (part, seconds) => {
      addFigure(part, line, figure, seconds);
    });
  }

  #add(worker: number, line: number, figure: number, amount: number, time: number): void {
    if (line < 0 || amount === 0) return;
    for (const part of this.#parts.open(this.#poolOf(worker).regions, time)) addFigure(part, line, figure, amount);
  }

  #count(worker: number, row: number, figure: number, time: number): void {
    this.#add(worker, this.#lineOf[row]!, figure, 1, time);
  }

  #poolOf(worker: number): LedgerPool {
    const { program, scheduler } = this.#net;
    if (this.#pools.length === 1) return this.#pools[0]!;
    if (scheduler !== 'os') return this.#pools[Math.floor(worker / program.workers)]!;
    let at = worker;
    for (const { parent } = program.strands; parent[at]! >= 0; ) at = parent[at]!;
    return this.#pools[at]!;
  }
}

const [IN_COMPUTATION, ELSEWHERE] = [1, 2];

const OPERATIONS = [ROW.acquire, ROW.try, ROW.release, ROW.wait, ROW.atomic, ROW.fetch];
const USES_OBJECT: ReadonlySet<number> = new Set([...OPERATIONS, ROW.reset]);
const COUNTED: ReadonlySet<number> = new Set([
  ...OPERATIONS,
  ROW.work,
  ROW.memory,
  ROW.sleep,
  ROW.reuse,
  ROW.spawn,
  ROW.meet,
]);
/** Rows of a `compute` or `sleep`, whose figures are kept by operation. */
const WORKS: ReadonlySet<number> = new Set([ROW.work, ROW.memory, ROW.sleep, ROW.reuse]);
/** Rows after which the carrier may execute another strand. */
const LEAVES: ReadonlySet<number> = new Set([ROW.end, ROW.sync]);

/** The lines of a program, and the line of each row. O(rows). */
function linesOf({ rows, objects }: ThreadProgram): {
  readonly lines: readonly LedgerLine[];
  readonly lineOf: Int32Array;
} {
  const groups = new Map<string, number>();
  const groupOf = Int32Array.from(objects, (object, o) => {
    const key = groupKey(object);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, o);
    return known ?? o;
  });
  const lines: LedgerLine[] = [];
  const known = new Map<number, number>();
  const lineOf = new Int32Array(rows.count);
  for (let k = 0; k < rows.count; k++) {
    const op = rows.op[k]!;
    const object = HAS_OBJECT.has(op) ? groupOf[rows.a[k]!]! : -1;
    const work = WORKS.has(op) ? op : -1;
    const site = rows.site[k]!;
    const key = (site * (objects.length + 1) + object + 1) * (ROW.reuse + 2) + work + 1;
    let line = known.get(key);
    if (line === undefined) {
      line = lines.push({ site, object, work }) - 1;
      known.set(key, line);
    }
    lineOf[k] = line;
  }
  return { lines, lineOf };
}
