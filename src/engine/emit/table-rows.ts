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
import { fail } from '../../base/problem.ts';
import type { Table } from '../../net/net.ts';
import type { NumbersByIndex } from '../../net/table-page.ts';

/** Location of a table's numbers. */
export interface ColumnPlace {
  readonly rows: TableRows;
  readonly column: RowColumn;
}

/** A table in rows. */
export interface RowColumn {
  readonly table: NumbersByIndex;
  /** Offset from the beginning of a row, in 32-bit words. */
  readonly word: number;
  /** Absent: a whole word, or two of a double. */
  readonly packed?: PackedColumn;
}

/** A part of a word: an integer minus `low`, or the position of a double among the different values of its table. */
interface PackedColumn {
  readonly shift: number;
  readonly bits: number;
  readonly low: number;
  readonly values?: Float64Array<ArrayBuffer>;
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
   * Words per row: a power of two up to a cache line of 16 words, so that no short row spans two lines; above that even. Very long tables
   * are packed: as few words as hold the bits of all columns, even if some are doubles.
   */
  readonly words: number;
  readonly columns: readonly RowColumn[];
}

const LINE = 16;
/** Words of tables beyond which memory matters more than that no row spans two lines: 64 MiB. */
const MANY = 2 ** 24;
/** Doubles of a very long table are stored once each if there are at most this many different ones. */
const MAX_VALUES = 2 ** 16;

/**
 * The rows of a net's tables; a table without another of its length is not included. O(tables), and O(numbers) for very long tables.
 *
 * @param many words of tables beyond which rows are packed
 * @param most different doubles of a table that are stored once each
 */
export function rowsOf(tables: readonly Table[], many: number = MANY, most: number = MAX_VALUES): TableRows[] {
  const byLength = new Map<number, NumbersByIndex[]>();
  for (const t of tables) {
    if ((t.kind !== 'int' && t.kind !== 'real') || 'pages' in t.values) continue;
    byLength.set(t.values.length, [...(byLength.get(t.values.length) ?? []), t]);
  }
  return [...byLength]
    .filter(([, columns]) => columns.length > 1)
    .map(([length, columns], number) => {
      const plain = plainRows(number, length, columns);
      return plain.words * length > many ? packedRows(number, length, columns, most) : plain;
    });
}

function plainRows(number: number, length: number, columns: readonly NumbersByIndex[]): TableRows {
  // Doubles first: they begin at even words.
  const reals = columns.filter((t) => t.kind === 'real').map((table, k) => ({ table, word: 2 * k }));
  const before = 2 * reals.length;
  const ints = columns.filter((t) => t.kind === 'int').map((table, k) => ({ table, word: before + k }));
  const words = before + ints.length;
  const width = words > LINE ? (words + 1) & ~1 : 2 ** Math.ceil(Math.log2(words));
  return { number, length, words: width, columns: [...reals, ...ints] };
}

/** The widest columns first, each into the first word that has room for it. */
function packedRows(number: number, length: number, columns: readonly NumbersByIndex[], most: number): TableRows {
  const reals: RowColumn[] = [];
  const parts: { readonly table: NumbersByIndex; readonly packed: Omit<PackedColumn, 'shift'> }[] = [];
  for (const table of columns) {
    if (table.kind === 'int') {
      const { low, high } = table;
      parts.push({ table, packed: { bits: bitsFor(high - low + 1), low } });
      continue;
    }
    const values = differentValues(table.values as Float64Array, most);
    if (values === undefined) reals.push({ table, word: 2 * reals.length });
    else parts.push({ table, packed: { bits: bitsFor(values.length), low: 0, values } });
  }
  const before = 2 * reals.length;
  const used: number[] = [];
  const packed = parts
    .sort((a, b) => b.packed.bits - a.packed.bits)
    .map(({ table, packed }): RowColumn => {
      let k = used.findIndex((bits) => bits + packed.bits <= 32);
      if (k < 0) k = used.push(0) - 1;
      const shift = used[k]!;
      used[k] = shift + packed.bits;
      return { table, word: before + k, packed: { ...packed, shift } };
    });
  const words = before + used.length;
  return { number, length, words: before > 0 ? (words + 1) & ~1 : words, columns: [...reals, ...packed] };
}

const bitsFor = (values: number): number => Math.max(1, Math.ceil(Math.log2(values)));

const different = new WeakMap<Float64Array, { readonly most: number; readonly values?: Float64Array<ArrayBuffer> }>();

/** The different values of a column in the order in which they occur; undefined if they are many. O(numbers), once for each array. */
function differentValues(column: Float64Array, most: number): Float64Array<ArrayBuffer> | undefined {
  let found = different.get(column);
  if (found?.most !== most) {
    const values = new Set<number>();
    let last = Number.NaN;
    for (let k = 0; k < column.length && values.size <= most; k++) {
      const value = column[k]! + 0;
      if (value !== last) values.add(value);
      last = value;
    }
    found = { most, ...(values.size > most ? {} : { values: Float64Array.from(values) }) };
    different.set(column, found);
  }
  return found.values;
}

/**
 * The places of packed tables, on which the code of a net depends. They follow from the numbers: of two tables, that with more different
 * values comes first. Others follow from the kinds and lengths of the tables.
 */
export const shapeOfRows = (rows: readonly TableRows[]): unknown =>
  rows.map(({ columns }) =>
    columns.some(({ packed }) => packed !== undefined)
      ? columns.map(({ table, word, packed }) => [table.name, word, packed?.shift, packed?.bits])
      : null,
  );

/** Rows that are written for all columns before the next ones: they stay in the cache meanwhile. */
const BLOCK = 1 << 11;

/** Writes the numbers of the tables into an array of rows. O(numbers). */
export function fillRows({ length, words, columns }: TableRows, ints: Int32Array<ArrayBuffer>): void {
  const nums = new Float64Array(ints.buffer, ints.byteOffset, ints.length >> 1);
  const positions = columns.map(({ packed }) =>
    packed?.values === undefined ? undefined : new Map(Array.from(packed.values, (value, k) => [value, k] as const)),
  );
  for (let from = 0; from < length; from += BLOCK) {
    const end = Math.min(from + BLOCK, length);
    for (const [c, { table, word, packed }] of columns.entries()) {
      const values = table.values as Int32Array | Uint8Array | Float64Array;
      if (packed === undefined) {
        if (table.kind === 'int') for (let k = from; k < end; k++) ints[k * words + word] = values[k]!;
        else for (let k = from; k < end; k++) nums[(k * words + word) >> 1] = values[k]! + 0;
        continue;
      }
      const { shift, low } = packed;
      // The first column of a word replaces what was there before.
      const kept = shift === 0 ? 0 : -1;
      const position = positions[c];
      let [last, at] = [Number.NaN, 0];
      for (let k = from; k < end; k++) {
        let part = values[k]!;
        if (position === undefined) part -= low;
        else {
          if (part !== last) at = position.get(part + 0) ?? changed(table, k);
          last = part;
          part = at;
        }
        const to = k * words + word;
        ints[to] = (ints[to]! & kept) | (part << shift);
      }
    }
  }
}

/** @throws InputError NET007 */
function changed({ name, values }: NumbersByIndex, k: number): never {
  const entry = `entry ${k} is ${(values as Float64Array)[k]}`;
  return fail('NET007', `${entry}, and had another value when a net with this array was compiled: give a new array`, {
    part: `table ${name}`,
  });
}

/** Arrays of the different values of packed tables, by name. */
export const valuesOf = ({ number, columns }: TableRows): readonly (readonly [string, Float64Array<ArrayBuffer>])[] =>
  columns.flatMap(({ packed }, k) => (packed?.values === undefined ? [] : [[valuesName(number, k), packed.values]]));

const valuesName = (rows: number, column: number): string => `TV${rows}_${column}`;

/** Code: the number of a table at an index. */
export function elementOf({ rows, column }: ColumnPlace, at: string): string {
  const { table, word, packed } = column;
  if (packed === undefined && table.kind === 'real') return `TD${rows.number}[${at} * ${rows.words / 2} + ${word / 2}]`;
  const whole = `T${rows.number}[${at} * ${rows.words} + ${word}]`;
  if (packed === undefined) return whole;
  const { shift, bits, low, values } = packed;
  const shifted = shift === 0 ? whole : `(${whole} >>> ${shift})`;
  const part = shift + bits === 32 ? shifted : `(${shifted} & ${2 ** bits - 1})`;
  if (values !== undefined) return `${valuesName(rows.number, rows.columns.indexOf(column))}[${part}]`;
  return low === 0 ? part : `(${part} + ${low < 0 ? `(${low})` : low} | 0)`;
}

/** Code that declares an array of rows, its view as doubles, and the different values of packed tables. */
export const declareRows = (rows: TableRows): string =>
  [
    `declare const T${rows.number}: ints; let TD${rows.number}: nums = view(T${rows.number});`,
    ...valuesOf(rows).map(([name]) => `declare const ${name}: nums;`),
  ].join(' ');
