import { fail, type Place } from './problem.ts';

/** Members that hold inputs rather than results: there, null means "no limit". */
const INPUTS: readonly string[] = ['options', 'machine', 'inputs'];

/** The path of the first infinite or NaN number in a value, as in `ranks[3].idle`; undefined if all are finite. */
export function nonFinitePath(value: unknown, path = ''): string | undefined {
  const found = nonFinite(value);
  return found === undefined ? undefined : path + (path === '' && found.startsWith('.') ? found.slice(1) : found);
}

/** As in `.ranks[3].idle`. Strings are built only for the path to the number: a document may have millions of members. */
function nonFinite(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = value as readonly unknown[];
    for (let k = 0; k < list.length; k++) {
      const found = nonFinite(list[k]);
      if (found !== undefined) return `[${k}]${found}`;
    }
    return undefined;
  }
  for (const key in value) {
    const found = nonFinite((value as Readonly<Record<string, unknown>>)[key]);
    if (found !== undefined) return `.${key}${found}`;
  }
  return undefined;
}

/**
 * Rejects a result document with an infinite or NaN figure, which JSON would turn into null. O(document).
 *
 * @param place the part of the program that asks for such an amount, if known
 * @throws InputError RUN016
 */
export function assertFinite(document: object, place?: Place): void {
  for (const [key, member] of Object.entries(document)) {
    if (INPUTS.includes(key)) continue;
    const path = nonFinitePath(member, key);
    if (path !== undefined) overflows(path, place);
  }
}

/**
 * A result document whose figures are finite; every function that makes a document returns it through this guard or through
 * {@link assertFinite}.
 *
 * @throws InputError RUN016
 */
export function finiteDocument<D extends object>(document: D): D {
  assertFinite(document);
  return document;
}

/** @throws InputError RUN016 for the figure at `path` in a result document */
export function overflows(path: string, place?: Place): never {
  return fail(
    'RUN016',
    `figure ${path} of the result exceeds the range of a double (1.8e308): use smaller amounts`,
    place,
  );
}
