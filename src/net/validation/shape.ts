import type { PagedColumn } from '../../base/columns.ts';
import { didYouMean, quote } from '../../base/problem.ts';

/** An error in a value, and its path inside the value. */
export interface Fault {
  /** Members and positions from the value down, as in `.service.links[2]`. */
  readonly path: string;
  readonly message: string;
}

/** Checks a value of unknown type and returns the first fault. */
export type Shape = (value: unknown) => Fault | undefined;

/** A short description of a value for messages. */
function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

/** The fault of a value of the wrong type. */
export const instead = (value: unknown, expected: string): Fault => ({
  path: '',
  message: `expected ${expected}, got ${shown(value)}`,
});

const isOf =
  (type: 'string' | 'number' | 'boolean', expected: string): Shape =>
  (value) =>
    typeof value === type ? undefined : instead(value, expected);

export const text: Shape = isOf('string', 'a string');
export const number: Shape = isOf('number', 'a number');
export const boolean: Shape = isOf('boolean', 'a boolean');

/** Accepts everything; the value is checked by other rules. */
export const any: Shape = () => undefined;

/** An object; its members are checked by other rules. */
export const object: Shape = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : instead(value, 'an object');

export const list =
  (of: Shape): Shape =>
  (value) => {
    if (!Array.isArray(value)) return instead(value, 'a list');
    for (let k = 0; k < value.length; k++) {
      const fault = of(value[k]);
      if (fault !== undefined) return { ...fault, path: `[${k}]${fault.path}` };
    }
    return undefined;
  };

/** An object with arbitrary member names. */
export const byName =
  (of: Shape): Shape =>
  (value) => {
    const fault = object(value);
    if (fault !== undefined) return fault;
    for (const [name, member] of Object.entries(value as object)) {
      const inside = of(member);
      if (inside !== undefined) return { ...inside, path: `.${name}${inside.path}` };
    }
    return undefined;
  };

/** An object with exactly these members; `optional` ones may be missing or undefined. */
export function members(
  needed: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const known = new Map<string, { readonly of: Shape; readonly needed: boolean }>([
    ...Object.entries(needed).map(([name, of]) => [name, { of, needed: true }] as const),
    ...Object.entries(optional).map(([name, of]) => [name, { of, needed: false }] as const),
  ]);
  return (value) => {
    const fault = object(value);
    if (fault !== undefined) return fault;
    const given = value as Readonly<Record<string, unknown>>;
    for (const name in given)
      if (!known.has(name))
        return { path: '', message: `unknown member ${quote(name)}.${didYouMean(name, known.keys())}` };
    for (const [name, { of, needed: must }] of known) {
      const member = given[name];
      if (member === undefined && !must) continue;
      if (member === undefined && of !== any) return { path: '', message: `missing member "${name}"` };
      const inside = of(member);
      if (inside !== undefined) return { ...inside, path: `.${name}${inside.path}` };
    }
    return undefined;
  };
}

/** The type tag of a value, independent of realm: `Int32Array`, `Object`, `Null`. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice('[object '.length, -1);

/** A typed array of numbers. */
export const typed =
  (kind: 'Int32Array' | 'Float64Array'): Shape =>
  (value) =>
    tagOf(value) === kind ? undefined : instead(value, `a ${kind}`);

const isLength = (length: unknown): boolean =>
  Number.isInteger(length) && (length as number) >= 0 && (length as number) < 2 ** 31;

/** True if `1 << shift` is a valid page size. */
const isShift = (shift: unknown): boolean =>
  Number.isInteger(shift) && (shift as number) >= 5 && (shift as number) <= 20;

/** A typed array or a paged column. */
export const column =
  (kind: 'Int32Array' | 'Float64Array'): Shape =>
  (value) => {
    if (tagOf(value) === kind || (kind === 'Int32Array' && tagOf(value) === 'Uint8Array')) return undefined;
    const paged = value as { readonly [part in keyof PagedColumn]?: unknown } | null;
    const isPaged =
      typeof paged === 'object' &&
      Array.isArray(paged?.pages) &&
      isLength(paged.length) &&
      isShift(paged.shift) &&
      typeof paged.load === 'function';
    return isPaged ? undefined : instead(value, `a ${kind} or a paged column`);
  };
