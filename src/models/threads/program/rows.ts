import { ByteColumn, GrowingColumn, IntColumn, RealColumn } from '../../../base/columns.ts';
import { fail } from '../../../base/problem.ts';
import type { Noise } from '../../../base/random/noise.ts';
import type { Site } from '../../site.ts';
import type { LockKind, ObjectKind } from './object-kinds.ts';

/** Operations of a strand, one per row. `a` and `b` are the columns of the row. */
export const ROW = {
  /** The strand ends. */
  end: 0,
  /** Computes for the row's work. */
  work: 1,
  /** Moves `bytes` to or from memory. */
  memory: 2,
  /** Leaves the processor for `seconds`; a is an {@link ABSENCE}. */
  sleep: 3,
  /** Opens join group a, which waits for b strands and its owner. */
  open: 4,
  /** Makes strand a ready. As a thread of the operating system it is {@link TEAM} b. */
  spawn: 5,
  /** One condition of strand a, which has dependences, is met. */
  meet: 6,
  /** Waits for the strands of group a. */
  sync: 7,
  /** Acquires object a in mode b of {@link ACQUIRE}; waits while that is impossible. */
  acquire: 8,
  /** Releases object a in mode b of {@link RELEASE}. */
  release: 9,
  /**
   * Releases mutex b and waits on condition a, in one step. With a clock it continues at the next row if it is signalled, and otherwise at the
   * row after that, as a try; see {@link blocksOfTry}.
   */
  wait: 10,
  /** An atomic operation on object a, which adds b. */
  atomic: 11,
  /** Takes the next chunk of loop a; without one, continues with the next row. */
  fetch: 12,
  /** Ends a chunk of loop a: fetches the next one. */
  chunkEnd: 13,
  /** Continues at row b if the value of object a is at least `seconds`. */
  test: 14,
  /** Continues at row b. */
  jump: 15,
  /** Region a begins (b = 1) or ends (b = 0). */
  region: 16,
  /** Gives object a its initial value. */
  reset: 17,
  /**
   * Acquires object a in mode b if that is possible at once, and continues at the next row; otherwise at the row after that. See
   * {@link blocksOfTry}.
   */
  try: 18,
  /** Adds b to object a, in no time: the strand's count of a lock that it holds. */
  note: 19,
  /** A clock of the strand starts: the try at the next row, or the waits up to {@link ROW.unlimit}, last for at most `seconds` from now on. */
  limit: 20,
  /** Executes a range of loop a of `ranges`: the whole loop in its owner, otherwise the range that the strand was made for. */
  divide: 21,
  /** Ends a piece of loop a of `ranges`. */
  pieceEnd: 22,
  /** Stops the clock of the strand. */
  unlimit: 23,
  /** Stops the clock and continues at row b, if the time of the strand is over. */
  late: 24,
  /** Uses `shared` bytes of data block a, which are in the caches of the carrier that used the block last. */
  reuse: 25,
} as const;

/** Threads of sections: made for this one, or waiting since an earlier section of the same strand. */
export const TEAM = { new: 0, park: 1, spin: 2 } as const;

/** Why a strand leaves its processor: it is in a system call, or waits for a page of memory. */
export const ABSENCE = { call: 0, memory: 1 } as const;
export type Absence = keyof typeof ABSENCE;

/** Ways to acquire an object of value v: possible for low ≤ v ≤ high, and changes v by `change`. */
export interface AcquireMode {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly change: number;
}

/** Largest value of an object. */
export const MOST: number = 2 ** 30;

export const ACQUIRE: readonly AcquireMode[] = [
  { name: 'lock', low: 1, high: 1, change: -1 },
  { name: 'acquire', low: 1, high: MOST, change: -1 },
  { name: 'readLock', low: 0, high: MOST, change: 1 },
  { name: 'writeLock', low: 0, high: 0, change: -1 },
  { name: 'wait', low: 1, high: 1, change: 0 },
  { name: 'latch', low: -MOST, high: 0, change: 0 },
  { name: 'future', low: 1, high: 1, change: 0 },
];
/** Waiting for a task: meanwhile the worker of a pool executes other strands. */
export const FUTURE: number = ACQUIRE.findIndex((m) => m.name === 'future');

/**
 * Ways to release an object of value v with n waiters. Values outside low … high are a fault of the program: an unlock
 * of a mutex that is not locked. `set`: the new value; otherwise v + add. `waiters`: at most n, and n for `broadcast`.
 */
export interface ReleaseMode {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly add: number;
  readonly set?: number;
  readonly waiters?: 'one' | 'all';
}

export const RELEASE: readonly ReleaseMode[] = [
  { name: 'unlock', low: 0, high: 0, add: 1 },
  { name: 'release', low: 0, high: MOST - 1, add: 1 },
  { name: 'readUnlock', low: 1, high: MOST, add: -1 },
  { name: 'writeUnlock', low: -1, high: -1, add: 1 },
  { name: 'set', low: -MOST, high: MOST, add: 0, set: 1 },
  { name: 'clear', low: -MOST, high: MOST, add: 0, set: 0 },
  { name: 'arrive', low: 1, high: MOST, add: -1 },
  { name: 'signal', low: -MOST, high: MOST, add: 1, waiters: 'one' },
  { name: 'broadcast', low: -MOST, high: MOST, add: 0, waiters: 'all' },
  // Of a lock that the strand does not hold: never possible.
  ...['unlock', 'readUnlock', 'writeUnlock'].map((name) => ({ name, low: 1, high: 0, add: 0 })),
];

export const acquireMode = (name: string): number => ACQUIRE.findIndex((m) => m.name === name);
export const releaseMode = (name: string): number => RELEASE.findIndex((m) => m.name === name);
/** The mode of a release of a lock by a strand that does not hold it. */
export const foreignRelease = (name: string): number => RELEASE.findLastIndex((m) => m.name === name);
export const isForeign = (mode: number): boolean => RELEASE[mode]!.low > RELEASE[mode]!.high;

/**
 * The operation at which a strand stops that has reached an invalid release: its own row, or the wait for a condition that follows, if
 * the release represents the mutex that the wait would release and the strand does not hold.
 */
export function stoppedAt({ op, a, b }: Pick<Rows, 'op' | 'a' | 'b'>, at: number): number {
  if (op[at] !== ROW.release || !isForeign(b[at]!)) return at;
  let next = at + 1;
  while (op[next] === ROW.limit || op[next] === ROW.test) next++;
  return op[next] === ROW.wait && b[next] === a[at] ? next : at;
}

/** A synchronisation object. `latch`: made by the product, for barriers, futures and joins. */
export interface SyncObject {
  readonly kind: ObjectKind | 'latch';
  readonly name: string;
  readonly index: number;
  readonly initial: number;
  /** Absent: handed over. */
  readonly lock?: LockKind;
  /** Of mutexes that are handed over: the holder has the priorities of its waiters. */
  readonly inherits?: true;
  /** Locks of kind `readers-first` or `writers-first`: the object whose queue holds those that are not preferred. */
  readonly second?: number;
  readonly site: Site | undefined;
  /** True for the latch on which a strand waits for the strands of its group. */
  readonly isJoin?: true;
  /** True for the number of times that a strand holds a lock, which it counts in this object. */
  readonly isMemory?: true;
}

/** A parallel loop whose chunks are assigned at run time. */
export interface ChunkedLoop {
  readonly name: string;
  /** First row of each chunk. */
  readonly chunkRows: Int32Array;
  /** The strands of the team are consecutive; row to which each returns for the next chunk. */
  readonly firstStrand: number;
  readonly fetchRows: Int32Array;
}

/** A parallel loop whose tasks divide their ranges of pieces at run time. */
export interface RangeLoop {
  readonly name: string;
  /** Number of the affinity partitioner, which loops of one name share. Absent: divided as by `auto`. */
  readonly affinity?: number;
  /** First row of each piece. */
  readonly pieceRows: Int32Array;
  /** The strand that executes the loop, and the join group of the others. */
  readonly owner: number;
  readonly group: number;
  /** The strand of a range that begins with piece k > 0 is this one + k − 1. Most ranges are never made. */
  readonly firstStrand: number;
}

/** A strand: a thread, a task, or a part of a loop. */
export interface Strands {
  readonly count: number;
  /** First row. */
  readonly start: Int32Array;
  /** Join group that the strand belongs to; −1 for a main strand. */
  readonly group: Int32Array;
  /** Conditions that must be met before it is ready, its spawn included; 0: ready when spawned. */
  readonly conditions: Int32Array;
  /** The strand that spawns it; −1 for a main strand. */
  readonly parent: Int32Array;
  /** Index in `names`. */
  readonly name: Int32Array;
  /** Index of a thread within its parallel section; −1 for tasks and main strands. */
  readonly thread: Int32Array;
  /**
   * Tasks of the program that begin with the strand: 1 for a task, thread or part of a loop, and one more for each loop of
   * which it executes the first part itself; 0 for a thread that only takes chunks at run time.
   */
  readonly tasks: Int32Array;
  /** Larger is more urgent. Absent: 0 for all. */
  readonly priority?: Int32Array;
}

/** Rows of all strands. Times in seconds, sizes in bytes. */
export interface Rows {
  readonly count: number;
  readonly op: Uint8Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly flops: Float64Array;
  readonly seconds: Float64Array;
  readonly bytes: Float64Array;
  readonly shared: Float64Array;
  /** By row that computes, in the order of rows: the first iteration of its chunk of a parallel loop. Absent: 0 for all. */
  readonly parts?: Int32Array;
  /** Index in `sites`. */
  readonly site: Int32Array | Uint8Array;
}

/** True if a row acquires an object, or tries to. */
export const isAcquisition = (op: number): boolean => op === ROW.acquire || op === ROW.try;

/** True if a row waits for a limited time: a try behind the start of its clock, or a wait for a condition with two continuations. */
export const isLimited = (rows: Pick<Rows, 'op'>, k: number): boolean =>
  (rows.op[k] === ROW.try && rows.op[k - 1] === ROW.limit) || isLimitedWait(rows, k);

/** True if a row waits for a condition for a limited time. */
export const isLimitedWait = ({ op }: Pick<Rows, 'op'>, k: number): boolean =>
  op[k] === ROW.wait && op[k + 1] === ROW.jump;

/** True if a row has two blocks, of which one is executed ({@link blocksOfTry}). */
export const hasTwoBlocks = (rows: Pick<Rows, 'op'>, k: number): boolean =>
  rows.op[k] === ROW.try || isLimitedWait(rows, k);

/** Rows of the two blocks of a try. */
export interface TryBlocks {
  /** First row of the block without the object, and the jump behind it. */
  readonly failure: number;
  readonly failureEnd: number;
  /** First row of the block with the object, and the row behind it. */
  readonly success: number;
  readonly end: number;
}

/**
 * The blocks of the try, or of the wait for a limited time, at row k. Both are always written, and one of them is executed:
 *
 *     k      try            k + 1  jump success
 *     k + 2  failure …             jump end
 *            success …      end
 */
export function blocksOfTry({ b }: Pick<Rows, 'b'>, k: number): TryBlocks {
  const success = b[k + 1]!;
  return { failure: k + 2, failureEnd: success - 1, success, end: b[success - 1]! };
}

/** The row after row k in the order in which rows are written, without the blocks of tries that fail. */
export const afterSuccess = (rows: Pick<Rows, 'op' | 'b'>, k: number): number =>
  hasTwoBlocks(rows, k) ? rows.b[k + 1]! : k + 1;

/** A thread program as rows of strands: the input of nets, references and analyses. */
export interface ThreadProgram {
  readonly name: string;
  /** Workers of each pool, and number of pools. Strand p is the main strand of pool p. */
  readonly workers: number;
  readonly pools: number;
  /** First row of each pool, and the number of rows. */
  readonly poolRows: Int32Array;
  /** True if the program can be executed again after its end. */
  readonly repeats: boolean;
  /** Maximum number of strands that share a row. Default 1. */
  readonly copies?: number;
  readonly strands: Strands;
  /** Names of strands: of tasks, loops, sections and stages. */
  readonly names: readonly string[];
  readonly rows: Rows;
  readonly sites: readonly Site[];
  /** Random factors on the times of statements, by site; other statements have that of the machine. Absent: none. */
  readonly noises?: ReadonlyMap<number, Noise>;
  readonly objects: readonly SyncObject[];
  readonly loops: readonly ChunkedLoop[];
  readonly ranges: readonly RangeLoop[];
  /** Number of data blocks of {@link ROW.reuse}. Absent: none. */
  readonly blocks?: number;
  /** By join group: the row at which its owner continues, and its owner. */
  readonly groupOwner: Int32Array;
  readonly groupNext: Int32Array;
  readonly regions: readonly string[];
  /** Tasks that main strands execute themselves: the first part of a loop, by the row that begins the region of the loop. */
  readonly regionTasks: ReadonlyMap<number, number>;
}

/** Maximum number of rows of a program. */
export const MAX_ROWS = 20_000_000;

/** Columns of rows, which grow. */
export class RowWriter {
  readonly #op = new GrowingColumn<Uint8Array>(new Uint8Array(1 << 10));
  readonly #a = new IntColumn();
  readonly #b = new IntColumn();
  readonly #site = new ByteColumn();
  readonly #amounts: readonly RealColumn[] = Array.from({ length: 4 }, () => new RealColumn());
  readonly #sites: Site[] = [];
  readonly #siteOf = new Map<Site, number>();
  #parts: IntColumn | undefined;
  #works = 0;
  readonly #noises = new Map<number, Noise>();
  #lastSite: Site | undefined;
  #lastNumber = -1;

  get count(): number {
    return this.#op.length;
  }

  /** @throws InputError THR005 */
  add(op: number, site: Site, a = 0, b = 0): number {
    if (this.count >= MAX_ROWS)
      fail('THR005', `the program has more than ${MAX_ROWS} steps: use a smaller problem or larger tasks`, site.place);
    this.#a.push(a);
    this.#b.push(b);
    this.#site.push(site === this.#lastSite ? this.#lastNumber : this.#numberOf(site));
    if (op === ROW.work) this.#works++;
    return this.#op.push(op) - 1;
  }

  amounts(row: number, flops: number, seconds: number, bytes: number, shared: number): void {
    const columns = this.#amounts;
    columns[0]!.set(row, flops);
    columns[1]!.set(row, seconds);
    columns[2]!.set(row, bytes);
    columns[3]!.set(row, shared);
  }

  /** The last row, which computes, is in the chunk of a loop that begins with an iteration. */
  part(first: number): void {
    if (first === 0) return;
    this.#parts ??= new IntColumn();
    this.#parts.set(this.#works - 1, first);
  }

  /** The statement of a row has a separate random factor. */
  noise(row: number, noise: Noise): void {
    this.#noises.set(this.#site.at(row), noise);
  }

  setB(row: number, b: number): void {
    this.#b.values[row] = b;
  }

  finish(): { readonly rows: Rows } & Pick<ThreadProgram, 'sites' | 'noises'> {
    const { count } = this;
    const [flops, seconds, bytes, shared] = this.#amounts.map((x) => x.finish(count));
    return {
      rows: {
        count,
        op: this.#op.finish(),
        a: this.#a.finish(),
        b: this.#b.finish(),
        site: this.#site.finish(),
        flops: flops!,
        seconds: seconds!,
        bytes: bytes!,
        shared: shared!,
        ...(this.#parts === undefined ? {} : { parts: this.#parts.padded(this.#works) }),
      },
      sites: this.#sites,
      ...(this.#noises.size === 0 ? {} : { noises: this.#noises }),
    };
  }

  #numberOf(site: Site): number {
    let number = this.#siteOf.get(site);
    if (number === undefined) {
      number = this.#sites.push(site) - 1;
      this.#siteOf.set(site, number);
    }
    this.#lastSite = site;
    this.#lastNumber = number;
    return number;
  }
}

/** The program for analyses of all orders, which the priorities of threads do not decide. */
export function withoutPriorities({ strands, ...program }: ThreadProgram): ThreadProgram {
  const { priority: _, ...plain } = strands;
  return { ...program, strands: plain };
}

/** The pool of each strand: that of the main strand above it. */
export function poolOfStrands({ strands: { count, parent } }: ThreadProgram): Int32Array {
  const pool = new Int32Array(count);
  // Parents come before their children.
  for (let s = 0; s < count; s++) pool[s] = parent[s]! < 0 ? s : pool[parent[s]!]!;
  return pool;
}

/** Why strands of a program leave their processors. */
export function absencesIn({ rows: { op, a } }: Pick<ThreadProgram, 'rows'>): readonly Absence[] {
  const found = new Set<number>();
  op.forEach((kind, k) => {
    if (kind === ROW.sleep) found.add(a[k]!);
  });
  return (Object.keys(ABSENCE) as Absence[]).filter((reason) => found.has(ABSENCE[reason]));
}
