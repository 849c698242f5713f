import { pageSize } from '../base/columns.ts';
import type { Kernel, KernelArray } from '../kernel/kernel.ts';
import { type NumbersByIndex, pageOf } from '../net/table-page.ts';
import { MAX_PAGED } from './limits.ts';

/** Initial maximum number of pages of one table in a kernel's memory. */
const FEW_PAGES = 256;
/** Relative growth of that maximum when a page was evicted too early. */
const GROWTH = 1 / 8;
/** Number of pages that were read to their end but are kept, because another reader may be slightly behind. */
const LIMBO = 32;

/**
 * Loads the pages of a paged table into a kernel's memory on demand. Pages whose successor has been requested are evicted first,
 * since readers move forward, otherwise the oldest page. If an evicted page is requested again, more pages may stay in memory.
 */
export class Pager {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #source: NumbersByIndex;
  /** Positions per page. */
  readonly #size: number;
  /** Upper limit of `#max`. */
  readonly #limit: number;
  /** Pages in memory, by slot. */
  readonly #kept: number[] = [];
  /** By page: 1 if it has been requested. */
  readonly #seen: Uint8Array;
  /** Pages that were read to their end, in that order; some may have been evicted since. */
  #read: number[] = [];
  /** Current maximum number of pages in memory. */
  #max: number;
  /** Slot of the oldest page. */
  #oldest = 0;
  /** Views of the table and of the offsets of its pages; kept until the memory grows, since creating views is expensive. */
  #table: KernelArray | undefined;
  #places: Int32Array<ArrayBuffer> | undefined;

  /** @param source a table with paged values */
  constructor(kernel: Kernel, name: string, source: NumbersByIndex) {
    const column = source.values;
    if (!('pages' in column)) throw new Error(`table ${source.name} has no pages`);
    this.#kernel = kernel;
    this.#name = name;
    this.#source = source;
    this.#size = pageSize(column);
    this.#limit = MAX_PAGED / this.#size;
    this.#max = Math.min(FEW_PAGES, this.#limit);
    this.#seen = new Uint8Array(Math.ceil(column.length / this.#size));
  }

  /**
   * Loads a page and returns its offset in the memory of the table. O(size of a page).
   *
   * @throws InputError NET007 if the table has no such page
   */
  load(page: number): number {
    const data = pageOf(this.#source, page);
    // Grows only when all slots are in use: until then, pages that return were evicted before the last growth.
    if (this.#seen[page] === 1 && this.#kept.length === this.#max)
      this.#max = Math.min(this.#limit, this.#max + Math.ceil(this.#max * GROWTH));
    this.#seen[page] = 1;
    this.#look();
    const places = this.#places!;
    const part = this.#room();
    const at = part * this.#size;
    const before = this.#kept[part];
    if (before !== undefined) places[before] = -1;
    this.#kept[part] = page;
    this.#table!.set(data, at);
    if (data.length < this.#size) this.#table!.fill(0, at + data.length, at + this.#size);
    places[page] = at;
    if (page > 0 && places[page - 1]! >= 0) this.#read.push(page - 1);
    return at;
  }

  /** Makes the views again if the memory has grown: a view then has length 0. */
  #look(): void {
    if ((this.#table?.length ?? 0) > 0) return;
    this.#table = this.#kernel.array<KernelArray>(`${this.#name}_kept`);
    this.#places = this.#kernel.array(`${this.#name}_pages`);
  }

  /** A free slot, or the slot of the page to be evicted. */
  #room(): number {
    while (this.#read.length > LIMBO) {
      const at = this.#places![this.#read.shift()!]!;
      if (at >= 0) return at / this.#size;
    }
    const { length } = this.#kept;
    if (length < this.#max) return length;
    this.#oldest %= length;
    return this.#oldest++;
  }
}

/** True if an array of a kernel belongs to a pager. */
export const isPaged = (array: string): boolean => /^K\d+_/.test(array);
