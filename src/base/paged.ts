/** Positions per page are `1 << PAGE_SHIFT`. */
export const PAGE_SHIFT = 7;
export const PAGE_SIZE: number = 1 << PAGE_SHIFT;
export const PAGE_MASK: number = PAGE_SIZE - 1;

/**
 * A long column of numbers of which only some pages are in memory. The value at position `i` is
 * `(pages[i >> PAGE_SHIFT] ?? load(i >> PAGE_SHIFT))[i & PAGE_MASK]`.
 * `load` fills `pages[page]` (and those of sibling columns) and may set other entries to undefined.
 */
export interface PagedColumn<A extends Int32Array | Float64Array = Int32Array | Float64Array> {
  readonly length: number;
  readonly pages: (A | undefined)[];
  load(page: number): A;
}

/** The entry of a column, paged or not. */
export function entryAt<A extends Int32Array | Float64Array>(column: A | PagedColumn<A>, index: number): number {
  if (!('pages' in column)) return column[index]!;
  return (column.pages[index >> PAGE_SHIFT] ?? column.load(index >> PAGE_SHIFT))[index & PAGE_MASK]!;
}
