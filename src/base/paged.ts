/**
 * A long column of numbers of which only some pages are in memory. The value at position `i` is `(pages[i >> shift] ??
 * load(i >> shift))[i & ((1 << shift) - 1)]`. `load` fills `pages[page]`, also in sibling columns, and may evict others by
 * setting them to undefined.
 */
export interface PagedColumn<A extends Int32Array | Float64Array = Int32Array | Float64Array> {
  /** Total number of positions; at most 2³¹ − 1. */
  readonly length: number;
  /** log₂ of the positions per page; from 5 to 20. */
  readonly shift: number;
  readonly pages: (A | undefined)[];
  /** True if pages are complete and their entries valid for a table (no −0), so that readers need not check. Default false. */
  readonly sound?: boolean;
  load(page: number): A;
}

/** Positions per page. */
export const pageSize = ({ shift }: PagedColumn): number => 1 << shift;

/** The entry of a column, paged or not; 0 for positions beyond the end of its page. */
export function entryAt<A extends Int32Array | Float64Array>(column: A | PagedColumn<A>, index: number): number {
  if (!('pages' in column)) return column[index]!;
  const page = index >> column.shift;
  return (column.pages[page] ?? column.load(page))[index & (pageSize(column) - 1)] ?? 0;
}
