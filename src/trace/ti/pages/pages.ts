import type { PagedColumn } from '../../../base/columns.ts';
import type { Kernel } from '../../../kernel/kernel.ts';
import { maxPackedBytes } from './packed-page.ts';
import { PackedPages } from './packed-pages.ts';
import { pageColumns } from './page-columns.ts';

/** Approximate number of positions in all pages that are being written. A page has 128 to 512 positions. */
const WRITTEN = 1 << 16;

/** A page has `1 << shift` positions. Larger pages need fewer loads, but each rank has one page that is being written. */
export const pageShift = (ranks: number): number => Math.min(9, Math.max(7, Math.floor(Math.log2(WRITTEN / ranks))));

/** Pages that are being written, one per rank. Only touched parts of them use memory. */
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
 * The columns `code` and `amount`: first written rank by rank, then read by page. Complete pages are packed; at most
 * `packedBytes` of packed pages stay in memory, the others are in a temporary file.
 */
export class Pages {
  readonly #kernel: Kernel;
  readonly #shift: number;
  /** Positions per page. */
  readonly #size: number;
  readonly #record: (at: number, code: number, amount: number) => number;
  /** By rank: start of the page that it is writing (−1: none), and number of entries in that page. */
  readonly #at: Int32Array;
  readonly #fill: Int32Array;
  /** By rank: numbers of its packed pages. */
  readonly #done: number[][] = [];
  /** By rank: number of its last page if that is packed although it is not full, else −1. */
  readonly #resting: Int32Array;
  /** Starts of pages that no rank is using. */
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
    this.#packed = new PackedPages(packedBytes, maxPackedBytes(this.#size));
    for (let rank = 0; rank < ranks; rank++) this.#done.push([]);
  }

  /** Number of entries of a rank so far. */
  count(rank: number): number {
    return this.#done[rank]!.length * this.#size + this.#fill[rank]!;
  }

  /** Adds an entry to a rank. */
  append(rank: number, code: number, amount: number): void {
    this.#record(this.next(rank), code, amount);
    this.#fill[rank] = this.#fill[rank]! + 1;
  }

  /** Position for the next entry of a rank, in a page that is not full. */
  next(rank: number): number {
    if (this.#at[rank]! < 0 || this.#fill[rank] === this.#size) this.#advance(rank);
    return this.#at[rank]! + this.#fill[rank]!;
  }

  /** Number of entries that still fit into the current page of a rank. */
  roomOf(rank: number): number {
    return this.#size - this.#fill[rank]!;
  }

  /** Records that `entries` entries have been written to the current page of a rank. */
  filled(rank: number, entries: number): void {
    this.#fill[rank] = this.#fill[rank]! + entries;
  }

  /** Total number of positions, including the ends of the ranks, with each rank padded to whole pages. */
  get length(): number {
    let pages = 0;
    for (let rank = 0; rank < this.#done.length; rank++) pages += Math.floor(this.count(rank) / this.#size) + 1;
    return pages * this.#size;
  }

  /** Makes room for another entry of a rank whose current page is full or absent. */
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

  /** Packs the page of a rank that is not expected to continue, so that ranks whose lines follow one another share one page. */
  rest(rank: number): void {
    if (this.#fill[rank] === 0 || this.#resting[rank]! >= 0) return;
    this.#resting[rank] = this.#pack(rank);
    this.#leave(rank);
  }

  #pack(rank: number): number {
    const length = this.#kernel.call['pack']!(this.#at[rank]!, this.#fill[rank]!);
    return this.#packed.add(this.#staged().subarray(0, length));
  }

  /** The kernel's buffer for a packed page; fetched again if the kernel's memory has grown. */
  #staged(): Uint8Array<ArrayBuffer> {
    if (this.#staging.length === 0) this.#staging = this.#kernel.array('packedBytes');
    return this.#staging;
  }

  #unpack(number: number, at: number): void {
    this.#staged().set(this.#packed.read(number));
    this.#kernel.call['unpack']!(at);
  }

  /** Assigns a page to a rank that has none. */
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
   * Ends the writing and appends to each rank its end code. The regions of the ranks follow one another; each begins at
   * a page boundary. The methods for writing must not be used afterwards.
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
