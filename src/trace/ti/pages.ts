import { PAGE_SIZE, type PagedColumn } from '../../base/paged.ts';
import { Page } from './packed-page.ts';
import { PackedPages } from './packed-pages.ts';

/** Pages that stay unpacked. */
export const UNPACKED = 128;
/** Unpacked pages whose memory is allocated at once: an ArrayBuffer of its own costs as much as filling the page. */
const SLAB = 32;
/** Dropped pages that wait before their memory is used again, for readers that keep a page a little too long. */
const LIMBO = 32;
/** First capacity of a rank's first page, so that very many ranks with few actions stay small. */
const FIRST = 64;

const NOTHING = Page.of(0);

/**
 * The columns `code` and `amount` while they are written rank by rank, and afterwards by page. A page that is complete is
 * packed: of the packed pages at most `packedBytes` stay in memory, others lie in a temporary file.
 *
 * The memory of unpacked pages is used again, so an array of a page must not be kept: always go through
 * `pages[page] ?? load(page)`.
 */
export class Pages {
  /** The page that each rank is writing: the scanner stores into these and counts in `fill`. */
  readonly code: Int32Array[] = [];
  readonly amount: Float64Array[] = [];
  readonly fill: Int32Array;
  /** By rank: the numbers of its packed pages. */
  readonly #done: number[][] = [];
  readonly #open: Page[] = [];
  /** By rank: the number of its last page where that is packed although it has room, else −1. */
  readonly #resting: Int32Array;
  /** Whole pages without a rank. */
  readonly #spare: Page[] = [];
  readonly #packed: PackedPages;

  constructor(ranks: number, packedBytes: number) {
    this.fill = new Int32Array(ranks);
    this.#resting = new Int32Array(ranks).fill(-1);
    this.#packed = new PackedPages(packedBytes);
    for (let rank = 0; rank < ranks; rank++) {
      this.code.push(NOTHING.code);
      this.amount.push(NOTHING.amount);
      this.#done.push([]);
      this.#open.push(NOTHING);
    }
  }

  /** Positions that a rank has filled so far. */
  count(rank: number): number {
    return this.#done[rank]!.length * PAGE_SIZE + this.fill[rank]!;
  }

  /** Adds one entry to a rank. */
  append(rank: number, code: number, amount: number): void {
    if (this.fill[rank]! >= this.code[rank]!.length) this.advance(rank);
    const at = this.fill[rank]!;
    this.code[rank]![at] = code;
    this.amount[rank]![at] = amount;
    this.fill[rank] = at + 1;
  }

  /** Positions that the ranks will take with their ends, each in whole pages. */
  get length(): number {
    let pages = 0;
    for (let rank = 0; rank < this.#done.length; rank++) pages += Math.floor(this.count(rank) / PAGE_SIZE) + 1;
    return pages * PAGE_SIZE;
  }

  /** Makes room for one more entry of a rank whose current page is full (or not there). */
  advance(rank: number): void {
    const capacity = this.code[rank]!.length;
    const resting = this.#resting[rank]!;
    if (resting >= 0) {
      this.#enlarge(rank, PAGE_SIZE);
      this.#packed.read(resting, this.#open[rank]!);
      this.#resting[rank] = -1;
      if (this.fill[rank] === PAGE_SIZE) this.#complete(rank);
    } else if (capacity === PAGE_SIZE) this.#complete(rank);
    else this.#enlarge(rank, capacity === 0 && this.#spare.length === 0 ? Math.min(FIRST, PAGE_SIZE) : PAGE_SIZE);
  }

  /** A rank is not expected to go on: its page is packed for the time being, so that ranks one after the other share one. */
  rest(rank: number): void {
    if (this.fill[rank] === 0 || this.#resting[rank]! >= 0) return;
    this.#resting[rank] = this.#pack(rank);
    this.#leave(rank);
  }

  #complete(rank: number): void {
    this.#done[rank]!.push(this.#pack(rank));
    this.fill[rank] = 0;
  }

  /** Packs the page of a rank; what its memory held before must not show. */
  #pack(rank: number): number {
    if (this.code[rank]!.length < PAGE_SIZE) this.#enlarge(rank, PAGE_SIZE);
    const filled = this.fill[rank]!;
    this.code[rank]!.fill(0, filled);
    this.amount[rank]!.fill(0, filled);
    return this.#packed.add(this.#open[rank]!);
  }

  #enlarge(rank: number, capacity: number): void {
    const page = (capacity === PAGE_SIZE ? this.#spare.pop() : undefined) ?? Page.of(capacity);
    page.code.set(this.code[rank]!);
    page.amount.set(this.amount[rank]!);
    this.#hold(rank, page);
  }

  #leave(rank: number): void {
    this.#spare.push(this.#open[rank]!);
    this.#hold(rank, NOTHING);
  }

  #hold(rank: number, page: Page): void {
    this.#open[rank] = page;
    this.code[rank] = page.code;
    this.amount[rank] = page.amount;
  }

  /** Ends the writing, each rank with a code of its own: its region begins at a page boundary, rank after rank. */
  finish(endOf: (rank: number) => number): {
    start: Int32Array;
    end: Int32Array;
    length: number;
    code: PagedColumn<Int32Array>;
    amount: PagedColumn<Float64Array>;
  } {
    const ranks = this.#done.length;
    const start = new Int32Array(ranks);
    const end = new Int32Array(ranks);
    const numbers: number[] = [];
    for (let rank = 0; rank < ranks; rank++) {
      this.append(rank, endOf(rank), 0);
      start[rank] = numbers.length * PAGE_SIZE;
      end[rank] = start[rank]! + this.count(rank) - 1;
      this.#done[rank]!.push(this.#pack(rank));
      for (const number of this.#done[rank]!) numbers.push(number);
      this.#leave(rank);
    }
    this.#spare.length = 0;
    this.#done.length = 0;
    this.code.length = 0;
    this.amount.length = 0;
    this.#open.length = 0;
    return { start, end, length: numbers.length * PAGE_SIZE, ...this.#columns(Int32Array.from(numbers)) };
  }

  #columns(numbers: Int32Array): { code: PagedColumn<Int32Array>; amount: PagedColumn<Float64Array> } {
    const pages = new Array<Page | undefined>(numbers.length).fill(undefined);
    const codes = new Array<Int32Array | undefined>(numbers.length).fill(undefined);
    const amounts = new Array<Float64Array | undefined>(numbers.length).fill(undefined);
    /** Pages that are unpacked, first in, first out: readers go forward. */
    const order: number[] = [];
    const free: Page[] = [];
    const slab: Page[] = [];
    const fresh = (): Page => {
      if (slab.length === 0) {
        const code = new Int32Array(SLAB * PAGE_SIZE);
        const amount = new Float64Array(SLAB * PAGE_SIZE);
        for (let at = 0; at < code.length; at += PAGE_SIZE)
          slab.push(new Page(code.subarray(at, at + PAGE_SIZE), amount.subarray(at, at + PAGE_SIZE)));
      }
      return slab.pop()!;
    };
    const drop = (page: number): void => {
      free.push(pages[page]!);
      pages[page] = undefined;
      codes[page] = undefined;
      amounts[page] = undefined;
    };
    const load = (page: number): Page => {
      const number = numbers[page];
      if (number === undefined) throw new RangeError(`page ${page} of ${numbers.length}`);
      const known = pages[page];
      if (known !== undefined) return known;
      const held = free.length > LIMBO ? free.shift()! : fresh();
      this.#packed.read(number, held);
      if (order.length === UNPACKED) drop(order.shift()!);
      pages[page] = held;
      codes[page] = held.code;
      amounts[page] = held.amount;
      order.push(page);
      return held;
    };
    const length = numbers.length * PAGE_SIZE;
    return {
      code: { length, pages: codes, load: (page) => load(page).code },
      amount: { length, pages: amounts, load: (page) => load(page).amount },
    };
  }

  close(): void {
    this.#packed.close();
  }
}
