import { createHash, type Hash } from 'node:crypto';
import type { Net, Table } from './net.ts';
import { type NumbersByIndex, pagesOf } from './table-page.ts';

const known = new WeakMap<Net, string>();

/**
 * SHA-256 of a net's content: its structure and the numbers of its tables, in declaration order; the order of object
 * members does not matter. Host-language functions are hashed by name only. O(size) once for each net; the net must not
 * change afterwards.
 */
export function netHash(net: Net): string {
  let hash = known.get(net);
  if (hash === undefined) {
    hash = hashOf(net);
    known.set(net, hash);
  }
  return hash;
}

function hashOf({ tables, functions = [], ...structure }: Net): string {
  const hash = createHash('sha256').update(canonical({ ...structure, functions: functions.map((f) => f.name) }));
  for (const table of tables) hashTable(table, hash);
  return hash.digest('hex');
}

/** Hashes the table's numbers as bytes; paged columns are read page by page. */
function hashTable(table: Table, hash: Hash): void {
  for (const [name, part] of members(table)) {
    hash.update(`${name}:`);
    if (typeof part !== 'object') hash.update(`${canonical(part)};`);
    else {
      hash.update(`${part.length};`);
      if (part instanceof Uint8Array) hashWide(part, hash);
      else if (ArrayBuffer.isView(part)) hash.update(bytes(part));
      else for (const page of pagesOf(table as NumbersByIndex)) hash.update(bytes(page));
    }
  }
}

const PIECE = 1 << 16;

/** Hashes a table of bytes as the table of the same 32-bit integers. */
function hashWide(column: Uint8Array, hash: Hash): void {
  for (let k = 0; k < column.length; k += PIECE) hash.update(bytes(Int32Array.from(column.subarray(k, k + PIECE))));
}

const bytes = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** A canonical string: equal plain data gives equal strings. */
function canonical(x: unknown): string {
  if (Array.isArray(x)) return `[${x.map(canonical).join(',')}]`;
  if (typeof x === 'object' && x !== null)
    return `{${members(x).map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`)}}`;
  return typeof x === 'string' ? JSON.stringify(x) : String(x);
}

/** The members with a value, sorted by name. */
function members<T>(x: Readonly<Record<string, T>> | object): [string, T][] {
  return Object.entries(x)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
