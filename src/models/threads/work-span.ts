import { CACHE_LINE } from './costs.ts';
import type { ThreadMachine } from './net/ports.ts';
import { ACQUIRE, afterSuccess, RELEASE, ROW, type ThreadProgram } from './program/rows.ts';
import { sumByRegion } from './region-sums.ts';

/** Work and span of a thread program, in seconds. */
export interface WorkSpan {
  /** T1: time of all work on one core, without operations of the scheduler. */
  readonly work: number;
  /** T∞: the longest path of work through spawns, joins and dependences; a lower bound of the run time on any number of cores. */
  readonly span: number;
  /** The longest path with the burden of every spawn and join on it, and the costs of its operations. */
  readonly burdenedSpan: number;
  /** Strands that are spawned, and the seconds that making them takes. */
  readonly spawns: number;
  readonly spawnSeconds: number;
  /** Constructs whose waiting is not part of the span, which is then a lower bound; empty: the span is exact. */
  readonly notCovered: readonly string[];
}

/**
 * Work and span of the graph that a program's strands form, and its burdened span: each spawn and each join carries the time
 * to steal a task and to wake a worker. After Cilkview: He, Leiserson and Leiserson, SPAA 2010.
 *
 * Every try and every wait for a limited time succeeds. Exact for tasks, joins, futures, dependences, barriers, and events that are set once. Other synchronisation is passed without
 * waiting. The chunks of a loop that are assigned at run time count as the larger of the longest one and an even share.
 *
 * O(rows).
 */
export function workSpan(program: ThreadProgram, machine: ThreadMachine): WorkSpan {
  return new Traversal(program, machine).result();
}

/** A strand that can continue at a row, with the length of the longest paths to it. */
interface Continuation {
  readonly strand: number;
  readonly at: number;
  readonly plain: number;
  readonly burdened: number;
}

/** Executes all strands without a clock: times are sums along paths, and maxima where paths meet. */
class Traversal {
  readonly #program: ThreadProgram;
  readonly #machine: ThreadMachine;
  readonly #seconds: Float64Array;
  readonly #burden: number;
  readonly #ready: Continuation[] = [];
  /** By strand: conditions that are not met, and the latest that is. */
  readonly #conditions: Int32Array;
  readonly #metAt: Times;
  /** By group: members and owner that have not come, and the latest that has. */
  readonly #members: Int32Array;
  readonly #joinedAt: Times;
  /** By object: value, the latest release, and waiting strands. */
  readonly #value: Int32Array;
  readonly #releasedAt: Times;
  readonly #waiting = new Map<number, Continuation[]>();
  readonly #isOneShot: Uint8Array;
  /** By loop: the first thread that comes to it. */
  readonly #firstAt: Float64Array;
  readonly #loopsOfGroup = new Map<number, number[]>();
  readonly #notCovered = new Set<string>();
  #span = 0;
  #burdenedSpan = 0;

  constructor(program: ThreadProgram, machine: ThreadMachine) {
    this.#program = program;
    this.#machine = machine;
    const { strands, groupOwner, objects, loops, rows } = program;
    this.#seconds = secondsOfRows(program, machine);
    this.#burden = machine.costs.steal + machine.costs.wakeUp;
    this.#conditions = strands.conditions.slice();
    this.#metAt = new Times(strands.count);
    this.#members = new Int32Array(groupOwner.length);
    this.#joinedAt = new Times(groupOwner.length);
    this.#value = Int32Array.from(objects, ({ initial }) => initial);
    this.#releasedAt = new Times(objects.length);
    this.#firstAt = new Float64Array(loops.length).fill(Number.POSITIVE_INFINITY);
    const [sets, clears] = [new Int32Array(objects.length), new Int32Array(objects.length)];
    for (let k = 0; k < rows.count; k++)
      if (rows.op[k] === ROW.release) {
        const { name } = RELEASE[rows.b[k]!]!;
        if (name === 'set') sets[rows.a[k]!]!++;
        if (name === 'clear') clears[rows.a[k]!]!++;
      }
    this.#isOneShot = Uint8Array.from(objects, ({ kind }, o) =>
      kind === 'latch' || (kind === 'event' && sets[o] === 1 && clears[o] === 0) ? 1 : 0,
    );
    loops.forEach(({ firstStrand }, l) => {
      const group = strands.group[firstStrand]!;
      this.#loopsOfGroup.set(group, [...(this.#loopsOfGroup.get(group) ?? []), l]);
    });
  }

  result(): WorkSpan {
    const { pools, strands, rows } = this.#program;
    for (let p = 0; p < pools; p++) this.#ready.push({ strand: p, at: strands.start[p]!, plain: 0, burdened: 0 });
    for (let next = this.#ready.pop(); next !== undefined; next = this.#ready.pop()) this.#execute(next);
    const { spawn } = this.#machine.costs;
    const { ranges, workers } = this.#program;
    // Steals decide how many strands a divided loop has; the fewest count here.
    const unused = ranges.reduce((sum, { pieceRows: { length } }) => sum + length - Math.min(length, 4 * workers), 0);
    const spawns = strands.count - pools - unused;
    return {
      work: sumOfRows(rows, this.#seconds),
      span: this.#span,
      burdenedSpan: this.#burdenedSpan,
      spawns,
      spawnSeconds: spawns * spawn,
      notCovered: [...this.#notCovered].sort(),
    };
  }

  /** Executes a strand to its end, or until it has to wait. */
  #execute({ strand, at: start, plain: from, burdened: burdenedFrom }: Continuation): void {
    const { rows, objects, groupNext, strands } = this.#program;
    const { costs } = this.#machine;
    let [plain, burdened] = [from, burdenedFrom];
    for (let at = start; ; at++) {
      const [a, b] = [rows.a[at]!, rows.b[at]!];
      switch (rows.op[at]) {
        case ROW.work:
        case ROW.memory:
        case ROW.sleep:
        case ROW.reuse:
          plain += this.#seconds[at]!;
          burdened += this.#seconds[at]! + Math.ceil(rows.shared[at]! / CACHE_LINE) * costs.cacheLine;
          break;
        case ROW.spawn:
          burdened += costs.spawn;
          this.#ready.push({ strand: a, at: strands.start[a]!, plain, burdened: burdened + this.#burden });
          break;
        case ROW.meet:
          this.#metAt.add(a, plain, burdened);
          if (--this.#conditions[a]! > 0) break;
          burdened += costs.spawn;
          this.#ready.push({
            strand: a,
            at: strands.start[a]!,
            plain: this.#metAt.plain[a]!,
            burdened: Math.max(this.#metAt.burdened[a]! + costs.spawn, burdened) + this.#burden,
          });
          break;
        case ROW.open:
          this.#members[a]! += b + 1;
          break;
        case ROW.sync:
          this.#comes(a, plain, burdened);
          return;
        case ROW.end: {
          const group = strands.group[strand]!;
          if (group < 0) {
            this.#span = Math.max(this.#span, plain);
            this.#burdenedSpan = Math.max(this.#burdenedSpan, burdened);
          } else if (groupNext[group]! >= 0) this.#comes(group, plain, burdened + this.#burden);
          return;
        }
        case ROW.try:
          burdened += costs.lock;
          this.#notCovered.add(objects[a]!.kind);
          break;
        case ROW.acquire:
          burdened += costs.lock;
          if (this.#isOneShot[a] === 0) {
            this.#notCovered.add(objects[a]!.kind);
            break;
          }
          if (this.#value[a]! < ACQUIRE[b]!.low || this.#value[a]! > ACQUIRE[b]!.high) {
            const waiting = this.#waiting.get(a) ?? [];
            waiting.push({ strand, at: at + 1, plain, burdened });
            this.#waiting.set(a, waiting);
            return;
          }
          plain = Math.max(plain, this.#releasedAt.plain[a]!);
          burdened = Math.max(burdened, this.#releasedAt.burdened[a]!);
          break;
        case ROW.release:
          burdened += costs.lock;
          if (this.#isOneShot[a] === 1) this.#releases(a, b, plain, burdened + this.#burden);
          break;
        case ROW.atomic:
          burdened += costs.atomic;
          break;
        case ROW.wait:
          this.#notCovered.add('condition');
          break;
        case ROW.test:
          this.#notCovered.add('condition');
          at = b - 1;
          break;
        case ROW.jump:
          at = b - 1;
          break;
        case ROW.fetch:
          this.#notCovered.add('chunks assigned at run time');
          this.#firstAt[a] = Math.min(this.#firstAt[a]!, plain);
          break;
        case ROW.divide: {
          this.#notCovered.add('ranges divided at run time');
          const longest = this.#longestOf(this.#program.ranges[a]!.pieceRows, ROW.pieceEnd).longest;
          plain += longest;
          burdened += longest + this.#burden;
          break;
        }
      }
    }
  }

  /** A member or the owner of a group has come to its end; the last one lets the owner continue. */
  #comes(group: number, plain: number, burdened: number): void {
    this.#joinedAt.add(group, plain, burdened);
    if (--this.#members[group]! > 0) return;
    for (const loop of this.#loopsOfGroup.get(group) ?? []) {
      const end = this.#firstAt[loop]! + this.#leastOf(loop);
      this.#joinedAt.add(group, end, end);
    }
    this.#ready.push({
      strand: this.#program.groupOwner[group]!,
      at: this.#program.groupNext[group]!,
      plain: this.#joinedAt.plain[group]!,
      burdened: this.#joinedAt.burdened[group]!,
    });
  }

  #releases(object: number, mode: number, plain: number, burdened: number): void {
    this.#releasedAt.add(object, plain, burdened);
    const { add, set } = RELEASE[mode]!;
    this.#value[object] = set ?? this.#value[object]! + add;
    const isOpen = set === undefined ? this.#value[object]! <= 0 : set === 1;
    if (!isOpen) return;
    for (const waiter of this.#waiting.get(object) ?? [])
      this.#ready.push({
        ...waiter,
        plain: Math.max(waiter.plain, this.#releasedAt.plain[object]!),
        burdened: Math.max(waiter.burdened, this.#releasedAt.burdened[object]!),
      });
    this.#waiting.delete(object);
  }

  /** Least time of a loop whose chunks are assigned at run time, from the arrival of its first thread. */
  #leastOf(loop: number): number {
    const { loops } = this.#program;
    const { chunkRows, fetchRows } = loops[loop]!;
    const { total, longest } = this.#longestOf(chunkRows, ROW.chunkEnd);
    return chunkRows.length === 0 ? 0 : Math.max(longest, total / fetchRows.length);
  }

  /** Times of the chunks that begin at some rows. */
  #longestOf(firsts: Int32Array, last: number): { readonly total: number; readonly longest: number } {
    const { rows } = this.#program;
    let [total, longest] = [0, 0];
    for (const first of firsts) {
      let seconds = 0;
      for (let k = first; rows.op[k] !== last; k = afterSuccess(rows, k)) seconds += this.#seconds[k]!;
      total += seconds;
      longest = Math.max(longest, seconds);
    }
    return { total, longest };
  }
}

/** Latest times by number, plain and burdened. */
class Times {
  readonly plain: Float64Array;
  readonly burdened: Float64Array;

  constructor(count: number) {
    this.plain = new Float64Array(count);
    this.burdened = new Float64Array(count);
  }

  add(k: number, plain: number, burdened: number): void {
    if (plain > this.plain[k]!) this.plain[k] = plain;
    if (burdened > this.burdened[k]!) this.burdened[k] = burdened;
  }
}

/** Factor of the burdened span in the estimated run time (Cilkview). */
export const SPAN_COEFFICIENT = 1.7;

/** Bounds of the speed-up on a number of workers. */
export interface SpeedupBounds {
  /** No schedule is faster: min(workers, work / span). */
  readonly upper: number;
  /** Estimate for work stealing: work / ((work + spawns) / workers + 1.7 × burdened span). */
  readonly lower: number;
}

export function speedupBounds({ work, span, burdenedSpan, spawnSeconds }: WorkSpan, workers: number): SpeedupBounds {
  if (work === 0) return { upper: 1, lower: 1 };
  return {
    upper: span > 0 ? Math.min(workers, work / span) : workers,
    lower: work / ((work + spawnSeconds) / workers + SPAN_COEFFICIENT * burdenedSpan),
  };
}

/**
 * Seconds that each row takes on one core without contention: computing, memory at a core's rate, and sleep. Other rows
 * take 0. O(rows).
 */
export function secondsOfRows(program: ThreadProgram, { speed, memory }: ThreadMachine): Float64Array {
  const { rows, pools, poolRows } = program;
  // A core alone has all of its socket's memory, if no lower rate is its own.
  const shares = memory?.links.map(({ capacity }) => capacity) ?? [];
  const rate = Math.min(memory?.perCore ?? Number.POSITIVE_INFINITY, ...shares);
  const times = new Float64Array(rows.count);
  for (let pool = 0; pool < pools; pool++) {
    const own = typeof speed === 'number' ? speed : speed[pool]!;
    for (let k = poolRows[pool]!; k < poolRows[pool + 1]!; k++)
      if (rows.op[k] === ROW.work) times[k] = rows.flops[k]! / own + rows.seconds[k]!;
      else if (rows.op[k] === ROW.memory) times[k] = rows.bytes[k]! / rate;
      else if (rows.op[k] === ROW.sleep) times[k] = rows.seconds[k]!;
  }
  return times;
}

/** Seconds of all work on one core, where every try succeeds. O(rows). */
export function workOf(program: ThreadProgram, machine: ThreadMachine): number {
  return sumOfRows(program.rows, secondsOfRows(program, machine));
}

/** The sum over the rows of a program in which every try succeeds. */
function sumOfRows(rows: ThreadProgram['rows'], seconds: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < rows.count; k = afterSuccess(rows, k)) sum += seconds[k]!;
  return sum;
}

/**
 * Seconds by region that operations of the program's own objects (locks, events, atomic words) take without contention; index
 * k is region k of the program. Joins and futures belong to the handling of tasks, and are left out. O(rows).
 */
export function objectSeconds(program: ThreadProgram, { costs }: ThreadMachine): Float64Array {
  const { rows, objects } = program;
  return sumByRegion(program, (row) => {
    const op = rows.op[row];
    if (op === ROW.atomic) return costs.atomic;
    if (op !== ROW.acquire && op !== ROW.try && op !== ROW.release && op !== ROW.wait) return 0;
    return objects[rows.a[row]!]!.kind === 'latch' ? 0 : costs.lock;
  });
}
