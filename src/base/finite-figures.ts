import { fail, type Place } from './problem.ts';

/** Members that hold inputs, not results: there null stands for "no limit". */
const INPUTS: readonly string[] = ['options', 'machine', 'inputs'];

/** The path of the first number in a value that is infinite or NaN, as in `ranks[3].idle`; undefined: there is none. */
export function nonFinitePath(value: unknown, path = ''): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const list = value as readonly unknown[];
    for (let k = 0; k < list.length; k++) {
      const found = nonFinitePath(list[k], `${path}[${k}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [key, member] of Object.entries(value)) {
    const found = nonFinitePath(member, path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Refuses a result document with a figure that is infinite or no number: JSON would hold null in its place. O(document).
 *
 * @param place where the program asks for so much, if known
 * @throws InputError RUN016
 */
export function assertFinite(document: object, place?: Place): void {
  for (const [key, member] of Object.entries(document)) {
    if (INPUTS.includes(key)) continue;
    const path = nonFinitePath(member, key);
    if (path !== undefined) overflows(path, place);
  }
}

/** @throws InputError RUN016, of the figure at `path` in a result document */
export function overflows(path: string, place?: Place): never {
  return fail(
    'RUN016',
    `the figure ${path} of the result exceeds the range of a double (1.8e308): smaller amounts are expected`,
    place,
  );
}
