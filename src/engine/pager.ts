import { pageSize } from '../base/paged.ts';
import type { Kernel, KernelArray } from '../kernel/kernel.ts';
import { type NumbersByIndex, pageOf } from '../net/table-page.ts';
import { MAX_PAGED } from './limits.ts';

/** Pages of one table that are in a kernel's memory at first. */
const FEW_PAGES = 256;
/** By this share more may stay where too few did. */
const GROWTH = 1 / 8;
/** Pages that have been read to their end and stay nevertheless: some reader may be a little behind. */
const LIMBO = 32;

/**
 * Brings the pages of a paged table into a kernel's memory when they are asked for. Room is made by pages whose next one
 * was asked for after them, since readers go forward, else by the oldest; where one that has made room is asked for
 * again, more may stay.
 */
export class Pager {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #source: NumbersByIndex;
  /** Positions of a page, and how many pages there may be room for. */
  readonly #size: number;
  readonly #limit: number;
  /** Pages in memory, by the part of it that they have. */
  readonly #kept: number[] = [];
  /** By page: whether it has been asked for. */
  readonly #seen: Uint8Array;
  /** Pages that were read to their end, the first of them first; some may have left meanwhile. */
  #read: number[] = [];
  #most: number;
  #oldest = 0;
  /** The table and where its pages lie, as long as the memory has not grown: views are dear to make. */
  #table: KernelArray | undefined;
  #places: Int32Array<ArrayBuffer> | undefined;

  /** @param source whose values come by pages */
  constructor(kernel: Kernel, name: string, source: NumbersByIndex) {
    const column = source.values;
    if (!('pages' in column)) throw new Error(`table ${source.name} has no pages`);
    this.#kernel = kernel;
    this.#name = name;
    this.#source = source;
    this.#size = pageSize(column);
    this.#limit = MAX_PAGED / this.#size;
    this.#most = Math.min(FEW_PAGES, this.#limit);
    this.#seen = new Uint8Array(Math.ceil(column.length / this.#size));
  }

  /**
   * Where the page begins in the memory of the table. O(a page).
   *
   * @throws InputError NET007 where it is no page of the table
   */
  load(page: number): number {
    const data = pageOf(this.#source, page);
    // Not again before there are so many: what comes back meanwhile had left before.
    if (this.#seen[page] === 1 && this.#kept.length === this.#most)
      this.#most = Math.min(this.#limit, this.#most + Math.ceil(this.#most * GROWTH));
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

  /** Views of memory that has grown have no length. */
  #look(): void {
    if ((this.#table?.length ?? 0) > 0) return;
    this.#table = this.#kernel.array<KernelArray>(`${this.#name}_kept`);
    this.#places = this.#kernel.array(`${this.#name}_pages`);
  }

  /** The number of a part that is free now, or whose page makes room. */
  #room(): number {
    while (this.#read.length > LIMBO) {
      const at = this.#places![this.#read.shift()!]!;
      if (at >= 0) return at / this.#size;
    }
    const { length } = this.#kept;
    if (length < this.#most) return length;
    this.#oldest %= length;
    return this.#oldest++;
  }
}

/** Whether an array of a kernel is a pager's. */
export const isPaged = (array: string): boolean => /^K\d+_/.test(array);
