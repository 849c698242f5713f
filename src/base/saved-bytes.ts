import { createHash } from 'node:crypto';
import { fail } from './problem.ts';
import { VERSION } from './version.ts';

type Numbers = Int32Array | Float64Array | Uint8Array;

/** Identifies the writer: saved state and random numbers are valid for one version of the package and one major version of Node. */
const MAGIC = 'foretoken saved run';
const HEADER: string = `${`${MAGIC}, ${VERSION}, Node ${process.versions.node.split('.')[0]}`.padEnd(63)}\n`;
const DIGEST = 32;
const START: number = HEADER.length + DIGEST;

const ARRAYS = { i: Int32Array, f: Float64Array, u: Uint8Array } as const;

/**
 * Serialises plain data: numbers, strings, booleans, undefined, null, and arrays, typed arrays, maps and objects of these.
 *
 * Layout: header, SHA-256 of the rest, the data as JSON of tagged lists, then the contents of the typed arrays, for which
 * the JSON holds only type and length. Equal data gives equal bytes. O(size).
 */
export function savedBytes(data: unknown): Uint8Array {
  const arrays: Numbers[] = [];
  const text = Buffer.from(JSON.stringify(tagged(data, arrays)));
  const parts = [new Uint8Array(Float64Array.of(text.length).buffer), text, ...arrays.map(bytesOf)];
  const bytes = new Uint8Array(START + parts.reduce((n, p) => n + padded(p.length), 0));
  let at = START;
  for (const part of parts) {
    bytes.set(part, at);
    at += padded(part.length);
  }
  bytes.set(Buffer.from(HEADER));
  bytes.set(digest(bytes), HEADER.length);
  return bytes;
}

/**
 * Restores the data of {@link savedBytes}. The result shares no memory with the bytes. O(size).
 *
 * @throws InputError RUN010 if the bytes are not a saved run, were altered or truncated, or come from another version
 */
export function dataOfSaved(bytes: unknown): unknown {
  if (!(bytes instanceof Uint8Array)) return fail('RUN010', 'expected the bytes of a saved run');
  const header = Buffer.from(bytes.subarray(0, HEADER.length)).toString();
  if (bytes.length < START && header.startsWith(MAGIC)) fail('RUN010', 'the saved run is incomplete');
  if (header !== HEADER)
    fail(
      'RUN010',
      header.startsWith(MAGIC)
        ? `written by "${header.trim()}", which only that version reads; this is "${HEADER.trim()}"`
        : 'these bytes are not a saved run',
    );
  if (Buffer.compare(digest(bytes), bytes.subarray(HEADER.length, START)) !== 0)
    fail('RUN010', 'the saved run is incomplete or was modified');
  let at = START;
  const next = (length: number): Uint8Array<ArrayBuffer> => {
    const part = bytes.subarray(at, at + length);
    at += padded(length);
    return new Uint8Array(part);
  };
  const length = new Float64Array(next(8).buffer)[0]!;
  return untagged(JSON.parse(Buffer.from(next(length)).toString()) as Tagged, next);
}

/** JSON in which the first element of every list is its type tag. */
type Tagged = null | boolean | number | string | Tagged[];

function tagged(x: unknown, arrays: Numbers[]): Tagged {
  if (x === null || typeof x === 'boolean' || typeof x === 'string') return x;
  if (x === undefined) return ['undefined'];
  // JSON cannot represent NaN, the infinities or −0.
  if (typeof x === 'number')
    return Number.isFinite(x) && !Object.is(x, -0) ? x : ['n', Object.is(x, -0) ? '-0' : `${x}`];
  if (Array.isArray(x)) return ['a', ...x.map((y) => tagged(y, arrays))];
  if (x instanceof Map) return ['m', ...[...x].flatMap((pair) => pair.map((y) => tagged(y, arrays)))];
  for (const [tag, kind] of Object.entries(ARRAYS))
    if (x instanceof kind) {
      arrays.push(x);
      return [tag, x.length];
    }
  if (typeof x !== 'object' || Object.getPrototypeOf(x) !== Object.prototype)
    throw new Error(`cannot be saved: ${String(x)}`);
  return ['o', ...Object.entries(x).flatMap(([k, v]): Tagged[] => [k, tagged(v, arrays)])];
}

function untagged(x: Tagged, next: (length: number) => Uint8Array<ArrayBuffer>): unknown {
  if (!Array.isArray(x)) return x;
  const [tag, ...rest] = x;
  const pairs = (): [string, unknown][] => {
    const parts = rest.map((y) => untagged(y, next));
    return Array.from({ length: parts.length / 2 }, (_, k) => [parts[2 * k] as string, parts[2 * k + 1]]);
  };
  switch (tag) {
    case 'undefined':
      return undefined;
    case 'n':
      return Number(rest[0]);
    case 'a':
      return rest.map((y) => untagged(y, next));
    case 'm':
      return new Map(pairs());
    case 'o':
      return Object.fromEntries(pairs());
    default: {
      const kind = ARRAYS[tag as keyof typeof ARRAYS];
      return new kind(next((rest[0] as number) * kind.BYTES_PER_ELEMENT).buffer);
    }
  }
}

const bytesOf = (x: Numbers): Uint8Array => new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
const padded = (length: number): number => Math.ceil(length / 8) * 8;
const digest = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes.subarray(START)).digest();
