import type { PagedColumn } from '../../base/paged.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { mostPacked } from './packed-page.ts';
import { PackedPages } from './packed-pages.ts';
import { pageColumns } from './page-columns.ts';

/** Positions of all pages that are being written, about; a page has from 128 to 512. */
const WRITTEN = 1 << 16;

/** A page of a trace of so many ranks has `1 << shift` positions: large ones are fewer to load, but every rank writes one. */
export const pageShift = (ranks: number): number => Math.min(9, Math.max(7, Math.floor(Math.log2(WRITTEN / ranks))));

/** The pages that ranks are writing, one each: of their room memory takes no more than was touched. */
export const pagesText = (size: number): string => `
let codes: ints = ints(${size}); let amounts: nums = nums(${size}); let amountWords: ints = view(amounts);
export function record(at, code, amount: num) {
  codes[at] = code;
  amounts[at] = amount;
}
export cold function beginPages(ranks) {
  codes = grown(codes, ranks * ${size});
  amounts = grown(amounts, ranks * ${size});
}`;

/**
 * The columns `code` and `amount` while they are written rank by rank, and afterwards by page. A page that is complete is
 * packed: of the packed pages at most `packedBytes` stay in memory, others lie in a temporary file.
 */
export class Pages {
  readonly #kernel: Kernel;
  readonly #shift: number;
  /** Positions of a page. */
  readonly #size: number;
  readonly #record: (at: number, code: number, amount: number) => number;
  /** By rank: where the page begins that it is writing, −1 for none, and what it has of it. */
  readonly #at: Int32Array;
  readonly #fill: Int32Array;
  /** By rank: the numbers of its packed pages. */
  readonly #done: number[][] = [];
  /** By rank: the number of its last page where that is packed although it has room, else −1. */
  readonly #resting: Int32Array;
  /** Pages without a rank. */
  readonly #spare: number[] = [];
  #taken = 0;
  readonly #packed: PackedPages;
  #staging: Uint8Array<ArrayBuffer>;

  constructor(kernel: Kernel, ranks: number, packedBytes: number) {
    this.#kernel = kernel;
    this.#shift = pageShift(ranks);
    this.#size = 1 << this.#shift;
    this.#record = kernel.call['record']!;
    kernel.call['beginPages']!(ranks);
    this.#staging = kernel.array('packedBytes');
    this.#at = new Int32Array(ranks).fill(-1);
    this.#fill = new Int32Array(ranks);
    this.#resting = new Int32Array(ranks).fill(-1);
    this.#packed = new PackedPages(packedBytes, mostPacked(this.#size));
    for (let rank = 0; rank < ranks; rank++) this.#done.push([]);
  }

  /** Positions that a rank has filled so far. */
  count(rank: number): number {
    return this.#done[rank]!.length * this.#size + this.#fill[rank]!;
  }

  /** Adds one entry to a rank. */
  append(rank: number, code: number, amount: number): void {
    this.#record(this.next(rank), code, amount);
    this.#fill[rank] = this.#fill[rank]! + 1;
  }

  /** Where the next entry of a rank belongs, in a page that has room. */
  next(rank: number): number {
    if (this.#at[rank]! < 0 || this.#fill[rank] === this.#size) this.#advance(rank);
    return this.#at[rank]! + this.#fill[rank]!;
  }

  /** Entries that have room there. */
  roomOf(rank: number): number {
    return this.#size - this.#fill[rank]!;
  }

  /** So many have been entered there. */
  filled(rank: number, entries: number): void {
    this.#fill[rank] = this.#fill[rank]! + entries;
  }

  /** Positions that the ranks will take with their ends, each in whole pages. */
  get length(): number {
    let pages = 0;
    for (let rank = 0; rank < this.#done.length; rank++) pages += Math.floor(this.count(rank) / this.#size) + 1;
    return pages * this.#size;
  }

  /** Makes room for one more entry of a rank whose current page is full (or not there). */
  #advance(rank: number): void {
    if (this.#at[rank]! < 0) {
      this.#hold(rank);
      const resting = this.#resting[rank]!;
      if (resting < 0) return;
      this.#resting[rank] = -1;
      this.#unpack(resting, this.#at[rank]!);
      if (this.#fill[rank]! < this.#size) return;
    }
    this.#done[rank]!.push(this.#pack(rank));
    this.#fill[rank] = 0;
  }

  /** A rank is not expected to go on: its page is packed for the time being, so that ranks one after the other share one. */
  rest(rank: number): void {
    if (this.#fill[rank] === 0 || this.#resting[rank]! >= 0) return;
    this.#resting[rank] = this.#pack(rank);
    this.#leave(rank);
  }

  #pack(rank: number): number {
    const length = this.#kernel.call['pack']!(this.#at[rank]!, this.#fill[rank]!);
    return this.#packed.add(this.#staged().subarray(0, length));
  }

  /** Where the kernel has a page that is packed; anew where its memory has grown meanwhile. */
  #staged(): Uint8Array<ArrayBuffer> {
    if (this.#staging.length === 0) this.#staging = this.#kernel.array('packedBytes');
    return this.#staging;
  }

  #unpack(number: number, at: number): void {
    this.#staged().set(this.#packed.read(number));
    this.#kernel.call['unpack']!(at);
  }

  /** Gives a page to a rank that has none. */
  #hold(rank: number): void {
    let at = this.#spare.pop();
    if (at === undefined) {
      at = this.#taken;
      this.#taken += this.#size;
    }
    this.#at[rank] = at;
  }

  #leave(rank: number): void {
    this.#spare.push(this.#at[rank]!);
    this.#at[rank] = -1;
  }

  /**
   * Ends the writing, each rank with a code of its own: its region begins at a page boundary, rank after rank. What writes is not
   * needed any more.
   */
  finish(endOf: (rank: number) => number): {
    start: Int32Array;
    end: Int32Array;
    length: number;
    code: PagedColumn<Int32Array>;
    amount: PagedColumn<Float64Array>;
    close(): void;
  } {
    const ranks = this.#done.length;
    const start = new Int32Array(ranks);
    const end = new Int32Array(ranks);
    const numbers: number[] = [];
    for (let rank = 0; rank < ranks; rank++) {
      this.append(rank, endOf(rank), 0);
      start[rank] = numbers.length * this.#size;
      end[rank] = start[rank]! + this.count(rank) - 1;
      this.#done[rank]!.push(this.#pack(rank));
      for (const number of this.#done[rank]!) numbers.push(number);
      this.#leave(rank);
    }
    this.#spare.length = 0;
    this.#done.length = 0;
    const packed = this.#packed;
    const length = numbers.length * this.#size;
    return {
      start,
      end,
      length,
      ...pageColumns(packed, Int32Array.from(numbers), this.#shift),
      close: () => packed.close(),
    };
  }

  close(): void {
    this.#packed.close();
  }
}
