/**
 * A long column of numbers of which only some pages are in memory. The value at position `i` is
 * `(pages[i >> shift] ?? load(i >> shift))[i & ((1 << shift) - 1)]`.
 * `load` fills `pages[page]` (and those of sibling columns) and may set other entries to undefined.
 */
export interface PagedColumn<A extends Int32Array | Float64Array = Int32Array | Float64Array> {
  /** Positions in all; at most 2³¹ − 1. */
  readonly length: number;
  /** A page has `1 << shift` positions; from 5 to 20. */
  readonly shift: number;
  readonly pages: (A | undefined)[];
  /** Its pages are whole, and their entries as a table's must be, without −0: who loads them need not look. Default false. */
  readonly sound?: boolean;
  load(page: number): A;
}

/** Positions of a page. */
export const pageSize = ({ shift }: PagedColumn): number => 1 << shift;

/** The entry of a column, paged or not; 0 where a page does not hold it. */
export function entryAt<A extends Int32Array | Float64Array>(column: A | PagedColumn<A>, index: number): number {
  if (!('pages' in column)) return column[index]!;
  const page = index >> column.shift;
  return (column.pages[page] ?? column.load(page))[index & (pageSize(column) - 1)] ?? 0;
}
