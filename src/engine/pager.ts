import { PAGE_SIZE, type PagedColumn } from '../base/paged.ts';
import type { Kernel, KernelArray, KernelState } from '../kernel/kernel.ts';

/** Pages of one table that are in a kernel's memory: so many at first, and at most (16 MiB of ints, 32 of doubles). */
const FEW_PAGES = 256;
const MOST_PAGES = 4096;

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
  readonly #seen = new Set<number>();
  #most = FEW_PAGES;
  #oldest = 0;

  constructor(kernel: Kernel, name: string, column: PagedColumn) {
    this.#kernel = kernel;
    this.#name = name;
    this.#column = column;
  }

  /** Where the page begins in the memory of the table. O(a page). */
  load(page: number): number {
    const data = this.#column.pages[page] ?? this.#column.load(page);
    if (this.#seen.has(page)) this.#most = Math.min(MOST_PAGES, this.#most * 2);
    this.#seen.add(page);
    const at = this.#room() * PAGE_SIZE;
    this.#kept[at / PAGE_SIZE] = page;
    this.#kernel.array<KernelArray>(`${this.#name}_kept`).set(data, at);
    this.#kernel.array(`${this.#name}_pages`)[page] = at;
    return at;
  }

  /** The number of a part that is free now. */
  #room(): number {
    const kept = this.#kept;
    if (kept.length < this.#most) {
      const end = (kept.length + 1) * PAGE_SIZE;
      const length = this.#kernel.array(`${this.#name}_kept`).length;
      if (end > length) this.#kernel.call[`${this.#name}_grow`]!(Math.max(end, Math.ceil(length * 1.5)));
      return kept.length;
    }
    this.#oldest %= kept.length;
    this.#kernel.array(`${this.#name}_pages`)[kept[this.#oldest]!] = -1;
    return this.#oldest++;
  }
}

/** Without what a pager has brought in. */
export function withoutPages(state: KernelState): KernelState {
  const own = Object.entries(state.arrays).filter(([name]) => !/^K\d+_/.test(name));
  return { scalars: state.scalars, arrays: Object.fromEntries(own) };
}
