/**
 * Whether two pieces of a net's data are equal in all their parts: plain objects (a property that is undefined counts as
 * absent), arrays, arrays of numbers. Anything else, such as a function or a column that is read by pages, is equal only to
 * itself. O(size), or O(1) for one and the same object.
 */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isNumbers(a)) return isNumbers(b) && a.constructor === b.constructor && sameList(a, b, Object.is);
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b, sameData);
  if (!isPlain(a) || !isPlain(b)) return false;
  const given = Object.keys(a).filter((key) => a[key] !== undefined);
  return (
    given.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key])) &&
    Object.keys(b).filter((key) => b[key] !== undefined).length === given.length
  );
}

type Numbers = Int32Array | Float64Array;

function isNumbers(x: object): x is Numbers {
  return ArrayBuffer.isView(x);
}

/** A column that is read by pages counts as itself even where it is a plain object: what it holds at the moment says little. */
function isPlain(x: object): x is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(x);
  return (prototype === Object.prototype || prototype === null) && !('pages' in x);
}

function sameList(a: ArrayLike<unknown>, b: ArrayLike<unknown>, same: (x: unknown, y: unknown) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!same(a[k], b[k])) return false;
  return true;
}
