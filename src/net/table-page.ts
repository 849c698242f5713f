import { entryAt, pageSize } from '../base/columns.ts';
import { fail, shown, withArticle } from '../base/problem.ts';
import type { Table } from './net.ts';
import { tagOf } from './validation/shape.ts';

/** A table of numbers, looked up by index. */
export type NumbersByIndex = Extract<Table, { kind: 'int' | 'real' }>;

/**
 * One page of a paged table, with −0 replaced by 0 (S7). Entries beyond the loaded page are 0. O(page size), or O(1) if
 * the column is marked sound.
 *
 * @throws InputError NET007 if the page does not fit the table: wrong array type, too long, or an invalid entry
 */
export function pageOf(table: NumbersByIndex, page: number): Int32Array | Float64Array {
  const { values } = table;
  if (!('pages' in values)) throw new Error(`table ${table.name} has no pages`);
  const held: Int32Array | Float64Array = values.pages[page] ?? values.load(page);
  if (values.sound === true) return held;
  const size = pageSize(values);
  const fault = faultOf(table, held, size) ?? missing(table, held, Math.min(size, values.length - page * size));
  return fault === undefined
    ? plainZeros(held)
    : fail('NET007', `page ${page} ${fault}`, { part: `table ${table.name}` });
}

/** The entries of a table in order, in one piece or page by page. O(entries). */
export function* pagesOf(table: NumbersByIndex): Generator<Int32Array | Uint8Array | Float64Array> {
  const { values } = table;
  if (!('pages' in values)) {
    yield values;
    return;
  }
  const max = pageSize(values);
  for (let page = 0; page * max < values.length; page++) {
    const size = Math.min(max, values.length - page * max);
    const held = pageOf(table, page);
    yield held.subarray(0, size);
    const rest = Math.max(0, size - held.length);
    if (rest > 0) yield table.kind === 'int' ? new Int32Array(rest) : new Float64Array(rest);
  }
}

/** Pages already checked, by column. */
const LOOKED_AT = new WeakMap<object, Set<number>>();

/** One entry of a table, 0 for −0. O(1), but O(page size) for the first access to a page. */
export function entryOf(table: NumbersByIndex, index: number): number {
  const { values } = table;
  if (!('pages' in values)) return values[index]! + 0;
  let known = LOOKED_AT.get(values);
  if (known === undefined) {
    known = new Set();
    LOOKED_AT.set(values, known);
  }
  const page = index >> values.shift;
  if (!known.has(page)) {
    pageOf(table, page);
    known.add(page);
  }
  return entryAt<Int32Array | Float64Array>(values, index) + 0;
}

function faultOf(table: NumbersByIndex, held: Int32Array | Float64Array, size: number): string | undefined {
  const kind = table.kind === 'int' ? 'Int32Array' : 'Float64Array';
  const given = tagOf(held);
  if (given !== kind)
    return `is ${ArrayBuffer.isView(held) ? withArticle(given) : shown(held)}: expected ${withArticle(kind)}`;
  if (held.length > size) return `has ${held.length} entries: expected at most ${size}`;
  return table.kind === 'int' ? outside(held, table.low, table.high) : notNumber(held);
}

/** Entries beyond the end of a page are 0, so 0 must be a valid entry of the table. */
function missing(table: NumbersByIndex, held: Int32Array | Float64Array, needed: number): string | undefined {
  if (held.length >= needed || table.kind === 'real' || (table.low <= 0 && table.high >= 0)) return undefined;
  return `has ${held.length} entries: expected ${needed}, because 0 is outside the table's bounds ${table.low} … ${table.high}`;
}

/** Plain loops instead of a callback for each entry: pages are loaded during a run. */
function outside(entries: Int32Array | Float64Array, low: number, high: number): string | undefined {
  for (let k = 0; k < entries.length; k++) {
    const v = entries[k]!;
    if (v < low || v > high) return `has an entry ${v} outside the table's bounds ${low} … ${high}`;
  }
  return undefined;
}

function notNumber(entries: Int32Array | Float64Array): string | undefined {
  for (let k = 0; k < entries.length; k++) if (Number.isNaN(entries[k]!)) return 'has an entry that is not a number';
  return undefined;
}

/** The same numbers with −0 replaced by 0 (S7); returns the array itself if it has no −0. O(entries). */
export function plainZeros<A extends Int32Array | Float64Array>(entries: A): A {
  for (let k = 0; k < entries.length; k++) if (Object.is(entries[k], -0)) return entries.map((v: number) => v + 0) as A;
  return entries;
}
