import type { Table } from '../../net/net.ts';
import type { NumbersByIndex } from '../../net/table-page.ts';

/** Where a table has its numbers. */
export interface ColumnPlace {
  readonly rows: TableRows;
  /** In words of 32 bits from the beginning of a row. */
  readonly word: number;
}

/**
 * Tables of one length stand side by side, one row for each index: what one index looks up in several of them lies in one
 * line of the cache, and has one address.
 */
export interface TableRows {
  /** The array in generated code, and its view as doubles: `T0`, `TD0`. */
  readonly number: number;
  readonly length: number;
  /** Words of a row: a power of two up to a line of 16, so that no row lies in two lines without need. */
  readonly words: number;
  readonly columns: readonly { readonly table: NumbersByIndex; readonly word: number }[];
}

const LINE = 16;

/** The rows of a net's tables. O(tables). */
export function rowsOf(tables: readonly Table[]): TableRows[] {
  const byLength = new Map<number, NumbersByIndex[]>();
  for (const t of tables) {
    if ((t.kind !== 'int' && t.kind !== 'real') || 'pages' in t.values) continue;
    byLength.set(t.values.length, [...(byLength.get(t.values.length) ?? []), t]);
  }
  return [...byLength]
    .filter(([, columns]) => columns.length > 1)
    .map(([length, columns], number) => {
      // Doubles first: they begin at even words.
      const reals = columns.filter((t) => t.kind === 'real').map((table, k) => ({ table, word: 2 * k }));
      const before = 2 * reals.length;
      const ints = columns.filter((t) => t.kind === 'int').map((table, k) => ({ table, word: before + k }));
      return { number, length, words: rowOf(before + ints.length), columns: [...reals, ...ints] };
    });
}

function rowOf(words: number): number {
  return words > LINE ? (words + 1) & ~1 : 2 ** Math.ceil(Math.log2(words));
}

/** Writes the numbers of rows to where the code has them. O(numbers). */
export function fillRows({ length, words, columns }: TableRows, ints: Int32Array<ArrayBuffer>): void {
  const nums = new Float64Array(ints.buffer, ints.byteOffset, ints.length >> 1);
  for (const { table, word } of columns) {
    const values = table.values as Int32Array | Float64Array;
    if (table.kind === 'int') for (let k = 0; k < length; k++) ints[k * words + word] = values[k]!;
    else for (let k = 0; k < length; k++) nums[(k * words + word) >> 1] = values[k]! + 0;
  }
}

/** Code: the number of a table at an index. */
export function elementOf({ rows, word }: ColumnPlace, kind: NumbersByIndex['kind'], at: string): string {
  const [array, unit] = kind === 'int' ? [`T${rows.number}`, 1] : [`TD${rows.number}`, 2];
  return `${array}[${at} * ${rows.words / unit} + ${word / unit}]`;
}

/** Code: the arrays of rows. */
export const declareRows = ({ number }: TableRows): string =>
  `declare const T${number}: ints; let TD${number}: nums = view(T${number});`;
