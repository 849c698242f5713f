/*
 * Sample:
 * const p = place('p'), q = place('q');
 * const next = n.intTable('next', new Int32Array(10)), time = n.realTable('time', new Float64Array(10));
 * fires((t) => { const { x } = t.take(p); t.delay(time.at(x)); t.put(q, { x: next.at(x) }); });
 * →
 *   declare const T0: ints; let TD0: nums = view(T0);
 *   …
 *   const d: num = TD0[v0 * 2 + 0]; …
 *   …
 *   o0_0 = T0[v0 * 4 + 2];
 */
import type { Table } from '../../net/net.ts';
import type { NumbersByIndex } from '../../net/table-page.ts';

/** Location of a table's numbers. */
export interface ColumnPlace {
  readonly rows: TableRows;
  /** Offset from the beginning of a row, in 32-bit words. */
  readonly word: number;
}

/**
 * Tables of equal length stored together, one row per index: the values that one index selects from several tables lie in one
 * cache line, and share the computation of their address.
 */
export interface TableRows {
  /** Number n of the array `T<n>` in generated code, and of its view as doubles `TD<n>`. */
  readonly number: number;
  readonly length: number;
  /**
   * Words per row: a power of two up to a cache line of 16 words, so that no short row spans two lines; above that, and in very
   * long tables, even.
   */
  readonly words: number;
  readonly columns: readonly { readonly table: NumbersByIndex; readonly word: number }[];
}

const LINE = 16;
/** Words of tables beyond which memory matters more than that no row spans two lines: 64 MiB. */
const MANY = 2 ** 24;

/** The rows of a net's tables; a table without another of its length is not included. O(tables). */
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
      return { number, length, words: rowOf(before + ints.length, length), columns: [...reals, ...ints] };
    });
}

function rowOf(words: number, length: number): number {
  return words > LINE || words * length > MANY ? (words + 1) & ~1 : 2 ** Math.ceil(Math.log2(words));
}

/** Rows that are written for all columns before the next ones: they stay in the cache meanwhile. */
const BLOCK = 1 << 11;

/** Writes the numbers of the tables into an array of rows. O(numbers). */
export function fillRows({ length, words, columns }: TableRows, ints: Int32Array<ArrayBuffer>): void {
  const nums = new Float64Array(ints.buffer, ints.byteOffset, ints.length >> 1);
  for (let from = 0; from < length; from += BLOCK) {
    const end = Math.min(from + BLOCK, length);
    for (const { table, word } of columns) {
      const values = table.values as Int32Array | Float64Array;
      if (table.kind === 'int') for (let k = from; k < end; k++) ints[k * words + word] = values[k]!;
      else for (let k = from; k < end; k++) nums[(k * words + word) >> 1] = values[k]! + 0;
    }
  }
}

/** Code: the number of a table at an index. */
export function elementOf({ rows, word }: ColumnPlace, kind: NumbersByIndex['kind'], at: string): string {
  const [array, unit] = kind === 'int' ? [`T${rows.number}`, 1] : [`TD${rows.number}`, 2];
  return `${array}[${at} * ${rows.words / unit} + ${word / unit}]`;
}

/** Code that declares an array of rows, and its view as doubles. */
export const declareRows = ({ number }: TableRows): string =>
  `declare const T${number}: ints; let TD${number}: nums = view(T${number});`;
