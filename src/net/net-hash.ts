import { createHash, type Hash } from 'node:crypto';
import type { Net, Table } from './net.ts';
import { type NumbersByIndex, pagesOf } from './table-page.ts';

const known = new WeakMap<Net, string>();

/**
 * SHA-256 of what a net says: its structure and the numbers of its tables, in the order of declaration; the order of the
 * members of an object does not count. Of functions of the host language only the names are seen. O(size) once for each
 * net, which must not change.
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

/** Its numbers as bytes; columns that are paged page by page. */
function hashTable(table: Table, hash: Hash): void {
  for (const [name, part] of members(table)) {
    hash.update(`${name}:`);
    if (typeof part !== 'object') hash.update(`${canonical(part)};`);
    else {
      hash.update(`${part.length};`);
      if (ArrayBuffer.isView(part)) hash.update(bytes(part));
      else for (const page of pagesOf(table as NumbersByIndex)) hash.update(bytes(page));
    }
  }
}

const bytes = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Text that is the same for the same plain data. */
function canonical(x: unknown): string {
  if (Array.isArray(x)) return `[${x.map(canonical).join(',')}]`;
  if (typeof x === 'object' && x !== null)
    return `{${members(x).map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`)}}`;
  return typeof x === 'string' ? JSON.stringify(x) : String(x);
}

/** The members that have a value, in the order of their names. */
function members<T>(x: Readonly<Record<string, T>> | object): [string, T][] {
  return Object.entries(x)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
