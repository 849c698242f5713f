import { PAGE_SIZE, type PagedColumn } from '../../base/paged.ts';
import { Spill } from './spill.ts';

const BYTES = 12;
const FULL = PAGE_SIZE * BYTES;
/** Dropped pages that wait before their memory is used again, for readers that keep a page a little too long. */
const LIMBO = 32;
/** Full pages that are allocated at once. */
const SLAB = 32;
/** First capacity of a rank's first page, so that very many ranks with few actions stay small. */
const FIRST = 64;

/** One page of both columns, in memory or in the spill file (or both). */
interface Page {
  code: Int32Array;
  amount: Float64Array;
  /** Entries of the two arrays when they are in memory; those that were never filled are never read. */
  readonly capacity: number;
  /** Number of the page in the spill file, −1 while it is not there. */
  slot: number;
}

const NOTHING_CODE = new Int32Array(0);
const NOTHING_AMOUNT = new Float64Array(0);

/**
 * The columns `code` and `amount` while they are written rank by rank, and afterwards by page. At most `cacheBytes`
 * (but never less than two pages a rank) stay in memory; other pages lie in a temporary file that is made when the
 * first page leaves memory. Writing and reading back binary pages costs a tenth of decoding the text again.
 *
 * The memory of dropped pages is used again (left to the garbage collector, 64 MiB of it would pile up), so an array of
 * a page must not be kept: always go through `pages[page] ?? load(page)`.
 */
export class Pages {
  /** The page that each rank is writing: the scanner stores into these and counts in `fill`. */
  readonly code: Int32Array[] = [];
  readonly amount: Float64Array[] = [];
  readonly fill: Int32Array;
  readonly #done: Page[][] = [];
  readonly #budget: number;
  #bytes = 0;
  /** Pages of a rank from this one on are spilled as soon as they are complete. */
  #keep = Number.POSITIVE_INFINITY;
  readonly #pool: Page[] = [];
  #spill: Spill | undefined;
  /** Memory for full pages, and how many it still has. */
  #slab = new ArrayBuffer(0);
  #left = 0;

  constructor(ranks: number, cacheBytes: number) {
    this.fill = new Int32Array(ranks);
    this.#budget = Math.max(cacheBytes, 2 * FULL * ranks);
    for (let rank = 0; rank < ranks; rank++) {
      this.code.push(NOTHING_CODE);
      this.amount.push(NOTHING_AMOUNT);
      this.#done.push([]);
    }
  }

  /** Positions that a rank has filled so far. */
  count(rank: number): number {
    return this.#done[rank]!.length * PAGE_SIZE + this.fill[rank]!;
  }

  /** Adds one entry to a rank. */
  append(rank: number, code: number, amount: number): void {
    if (this.fill[rank] === this.code[rank]!.length) this.advance(rank);
    const at = this.fill[rank]!;
    this.code[rank]![at] = code;
    this.amount[rank]![at] = amount;
    this.fill[rank] = at + 1;
  }

  /** Positions that the ranks take, each in whole pages. */
  get length(): number {
    let pages = 0;
    for (let rank = 0; rank < this.#done.length; rank++) pages += Math.ceil(this.count(rank) / PAGE_SIZE);
    return pages * PAGE_SIZE;
  }

  /** Makes room for one more entry of a rank whose current page is full (or not there yet). */
  advance(rank: number): void {
    const capacity = this.code[rank]!.length;
    const first = this.#done[rank]!.length === 0;
    if (capacity === PAGE_SIZE) {
      this.#complete(rank);
      this.#open(rank, PAGE_SIZE);
    } else if (capacity === 0) this.#open(rank, first ? Math.min(FIRST, PAGE_SIZE) : PAGE_SIZE);
    else {
      const { code, amount } = this.#allocate(Math.min(PAGE_SIZE, capacity * 8));
      code.set(this.code[rank]!);
      amount.set(this.amount[rank]!);
      this.code[rank] = code;
      this.amount[rank] = amount;
      this.#bytes += (code.length - capacity) * BYTES;
    }
  }

  #open(rank: number, capacity: number): void {
    const page = (capacity === PAGE_SIZE ? this.#pool.pop() : undefined) ?? this.#allocate(capacity);
    this.code[rank] = page.code;
    this.amount[rank] = page.amount;
    this.fill[rank] = 0;
    this.#bytes += capacity * BYTES;
  }

  #complete(rank: number): void {
    const done = this.#done[rank]!;
    const code = this.code[rank]!;
    const page: Page = { code, amount: this.amount[rank]!, capacity: code.length, slot: -1 };
    done.push(page);
    if (this.#bytes > this.#budget - FULL && this.#keep === Number.POSITIVE_INFINITY) {
      // Readers start at every rank's first pages: those stay, whatever is further on goes.
      this.#keep = Math.max(1, Math.floor(this.#budget / FULL / this.#done.length) - 1);
      for (const pages of this.#done) for (let k = this.#keep; k < pages.length; k++) this.#drop(pages[k]!);
    } else if (done.length > this.#keep) this.#drop(page);
  }

  /** Drops a page from memory, writing it first where the file does not have it. */
  #drop(page: Page): void {
    if (page.code.length === 0) return;
    if (page.slot < 0) {
      this.#spill ??= new Spill('pages of the trace', FULL);
      page.slot = this.#spill.add(bytesOf(page));
    }
    this.#bytes -= page.code.length * BYTES;
    if (page.capacity === PAGE_SIZE) this.#pool.push({ ...page });
    page.code = NOTHING_CODE;
    page.amount = NOTHING_AMOUNT;
  }

  /** Ends the writing: every rank's region begins at a page boundary, rank after rank. */
  finish(): {
    start: Int32Array;
    end: Int32Array;
    length: number;
    code: PagedColumn<Int32Array>;
    amount: PagedColumn<Float64Array>;
  } {
    const ranks = this.#done.length;
    const start = new Int32Array(ranks);
    const end = new Int32Array(ranks);
    const all: Page[] = [];
    for (let rank = 0; rank < ranks; rank++) {
      start[rank] = all.length * PAGE_SIZE;
      end[rank] = start[rank]! + this.count(rank) - 1;
      // What the memory held before must not show.
      this.code[rank]!.fill(0, this.fill[rank]);
      this.amount[rank]!.fill(0, this.fill[rank]);
      this.#complete(rank);
      for (const page of this.#done[rank]!) all.push(page);
    }
    const order: number[] = [];
    const depth = this.#done.reduce((most, pages) => Math.max(most, pages.length), 0);
    for (let k = 0; k < depth; k++) {
      for (let rank = 0; rank < ranks; rank++) {
        const page = this.#done[rank]![k];
        if (page !== undefined && page.code.length > 0) order.push(start[rank]! / PAGE_SIZE + k);
      }
    }
    this.#done.length = 0;
    this.code.length = 0;
    this.amount.length = 0;
    return { start, end, length: all.length * PAGE_SIZE, ...this.#columns(all, order) };
  }

  #columns(
    all: readonly Page[],
    order: number[],
  ): { code: PagedColumn<Int32Array>; amount: PagedColumn<Float64Array> } {
    const codes = all.map((page) => (page.code.length > 0 ? page.code : undefined));
    const amounts = all.map((page) => (page.amount.length > 0 ? page.amount : undefined));
    let oldest = 0;
    // First in, first out: with at least two pages a rank, readers that go forward reload at most every second page.
    const load = (number: number): Page => {
      const page = all[number];
      if (page === undefined) throw new RangeError(`page ${number} of ${all.length}`);
      if (page.code.length > 0) return page;
      if (this.#spill === undefined) throw new Error('the trace is closed');
      while (this.#bytes + FULL > this.#budget && oldest < order.length) {
        const victim = order[oldest++]!;
        this.#drop(all[victim]!);
        codes[victim] = undefined;
        amounts[victim] = undefined;
      }
      if (oldest > 1024 && oldest * 2 > order.length) {
        order.splice(0, oldest);
        oldest = 0;
      }
      const free = page.capacity === PAGE_SIZE && this.#pool.length > LIMBO ? this.#pool.shift() : undefined;
      const { code, amount } = free ?? this.#allocate(page.capacity);
      page.code = code;
      page.amount = amount;
      this.#spill.read(page.slot, bytesOf(page));
      this.#bytes += code.length * BYTES;
      codes[number] = code;
      amounts[number] = amount;
      order.push(number);
      return page;
    };
    const length = all.length * PAGE_SIZE;
    return {
      code: { length, pages: codes, load: (page) => load(page).code },
      amount: { length, pages: amounts, load: (page) => load(page).amount },
    };
  }

  /** Whether pages have left memory. */
  get spilled(): boolean {
    return this.#spill !== undefined;
  }

  close(): void {
    this.#spill?.close();
    this.#spill = undefined;
  }

  /** Full pages are cut from slabs: an ArrayBuffer of its own costs as much as filling the page. */
  #allocate(capacity: number): Page {
    if (capacity < PAGE_SIZE) return cut(new ArrayBuffer(capacity * BYTES), 0, capacity);
    if (this.#left === 0) {
      this.#slab = new ArrayBuffer(SLAB * FULL);
      this.#left = SLAB;
    }
    return cut(this.#slab, --this.#left * FULL, capacity);
  }
}

/** Both columns of a page lie side by side, so that it is one read or write. */
function cut(buffer: ArrayBuffer, from: number, capacity: number): Page {
  return {
    amount: new Float64Array(buffer, from, capacity),
    code: new Int32Array(buffer, from + capacity * 8, capacity),
    capacity,
    slot: -1,
  };
}

function bytesOf({ amount }: Page): Uint8Array {
  return new Uint8Array(amount.buffer, amount.byteOffset, amount.length * BYTES);
}
