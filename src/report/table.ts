import type { Style } from './style.ts';
import { clipped, displayWidth, padEnd, padStart, printable } from './text.ts';

/** A column of a table, with one cell per row. */
export interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  /** True: right-aligned, for numbers. */
  readonly right?: boolean;
  /** If width is short, columns with the largest number are dropped first; columns without one are kept and cut. */
  readonly dispensable?: number;
}

/** Spaces between two columns. */
const GAP = 2;
/** Minimum width of a cut column. */
const NARROW = 6;

/** Lines of a table: a dim line of heads, then one per row. No line is wider than `style.width`. */
export function table(columns: readonly Column[], style: Style): string[] {
  const shown = columns.map((column) => ({
    ...column,
    head: printable(column.head, style.unicode),
    cells: column.cells.map((cell) => printable(cell, style.unicode)),
  }));
  let widths = shown.map(widest);
  while (total(widths) > style.width) {
    let drop = -1;
    for (const [k, { dispensable = 0 }] of shown.entries())
      if (dispensable > 0 && dispensable >= (shown[drop]?.dispensable ?? 0)) drop = k;
    if (drop < 0) break;
    shown.splice(drop, 1);
    widths = shown.map(widest);
  }
  while (total(widths) > style.width) {
    // Strings are cut before numbers.
    const wide = widths.map((width, k) => (width <= NARROW ? 0 : shown[k]!.right === true ? width : width * 1000));
    const largest = wide.indexOf(Math.max(...wide));
    if (wide[largest] === 0) break;
    widths[largest]! -= 1;
  }
  const line = (cells: readonly string[]): string => {
    const parts = cells.map((cell, k) => {
      const text = clipped(cell, widths[k]!, style.more);
      return shown[k]!.right === true ? padStart(text, widths[k]!) : padEnd(text, widths[k]!);
    });
    return clipped(parts.join(' '.repeat(GAP)).trimEnd(), style.width, style.more);
  };
  const rows = shown[0]?.cells.length ?? 0;
  return [
    style.dim(line(shown.map((c) => c.head))),
    ...Array.from({ length: rows }, (_, r) => line(shown.map((c) => c.cells[r]!))),
  ];
}

function widest({ head, cells }: Column): number {
  return cells.reduce((max, cell) => Math.max(max, displayWidth(cell)), displayWidth(head));
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}
