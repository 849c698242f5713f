import { PAGE_SIZE, type PagedColumn } from '../base/paged.ts';
import type { Kernel, KernelArray, KernelState } from '../kernel/kernel.ts';

/** Pages of one table that are in a kernel's memory: so many at first, and at most (16 MiB of ints, 32 of doubles). */
const FEW_PAGES = 256;
const MOST_PAGES = 2 ** 22 / PAGE_SIZE;

/**
 * Brings the pages of a paged table into a kernel's memory when they are asked for, the oldest making room. Where a page
 * that has made room is asked for again, more may stay.
 */
export class Pager {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #column: PagedColumn;
  /** Pages in memory, by the part of it that they have. */
  readonly #kept: number[] = [];
  /** By page: whether it has been asked for. */
  readonly #seen: Uint8Array;
  #most = FEW_PAGES;
  #oldest = 0;
  /** The table and where its pages lie, as long as the memory has not grown: views are dear to make. */
  #table: KernelArray | undefined;
  #places: Int32Array<ArrayBuffer> | undefined;

  constructor(kernel: Kernel, name: string, column: PagedColumn) {
    this.#kernel = kernel;
    this.#name = name;
    this.#column = column;
    this.#seen = new Uint8Array(Math.ceil(column.length / PAGE_SIZE));
  }

  /** Where the page begins in the memory of the table. O(a page). */
  load(page: number): number {
    const data = this.#column.pages[page] ?? this.#column.load(page);
    // Not twice before there are so many: what comes back meanwhile had left before.
    if (this.#seen[page] === 1 && this.#kept.length === this.#most) this.#most = Math.min(MOST_PAGES, this.#most * 2);
    this.#seen[page] = 1;
    const part = this.#room();
    this.#look();
    const at = part * PAGE_SIZE;
    const before = this.#kept[part];
    if (before !== undefined) this.#places![before] = -1;
    this.#kept[part] = page;
    this.#table!.set(data, at);
    this.#places![page] = at;
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
    const { length } = this.#kept;
    if (length === this.#most) {
      this.#oldest %= length;
      return this.#oldest++;
    }
    this.#look();
    const end = (length + 1) * PAGE_SIZE;
    if (end > this.#table!.length) {
      this.#kernel.call[`${this.#name}_grow`]!(Math.max(end, Math.ceil(this.#table!.length * 1.5)));
      this.#table = undefined;
    }
    return length;
  }
}

/** Without what a pager has brought in. */
export function withoutPages(state: KernelState): KernelState {
  const own = Object.entries(state.arrays).filter(([name]) => !/^K\d+_/.test(name));
  return { scalars: state.scalars, arrays: Object.fromEntries(own) };
}
