import { PAGE_SIZE, type PagedColumn } from '../base/paged.ts';
import type { Kernel, KernelArray, KernelState } from '../kernel/kernel.ts';

/** Pages of one table that are in a kernel's memory at most: 16 MiB of ints, 32 of doubles. */
const MOST_PAGES = 4096;

/** Brings the pages of a paged table into a kernel's memory when they are asked for, the oldest making room. */
export class Pager {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #column: PagedColumn;
  /** Pages in memory, by the part of it that they have. */
  readonly #kept: number[] = [];
  #next = 0;

  constructor(kernel: Kernel, name: string, column: PagedColumn) {
    this.#kernel = kernel;
    this.#name = name;
    this.#column = column;
  }

  /** Where the page begins in the memory of the table. */
  load(page: number): number {
    const data = this.#column.pages[page] ?? this.#column.load(page);
    const slot = this.#next;
    this.#next = (slot + 1) % MOST_PAGES;
    const pages = this.#kernel.array(`${this.#name}_pages`);
    const old = this.#kept[slot];
    if (old !== undefined) pages[old] = -1;
    this.#kept[slot] = page;
    const at = slot * PAGE_SIZE;
    let memory = this.#kernel.array<KernelArray>(`${this.#name}_kept`);
    if (at === memory.length) {
      this.#kernel.call[`${this.#name}_grow`]!(at * 2);
      memory = this.#kernel.array<KernelArray>(`${this.#name}_kept`);
    }
    memory.set(data, at);
    this.#kernel.array(`${this.#name}_pages`)[page] = at;
    return at;
  }
}

/** Without what a pager has brought in. */
export function withoutPages(state: KernelState): KernelState {
  const own = Object.entries(state.arrays).filter(([name]) => !/^K\d+_/.test(name));
  return { scalars: state.scalars, arrays: Object.fromEntries(own) };
}
