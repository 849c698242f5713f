/**
 * Deep equality of net data: plain objects (an undefined property counts as absent), arrays and typed arrays. Anything
 * else, such as a function or a paged column, is compared by identity. O(size), or O(1) for the same object.
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

/** A paged column is compared by identity even if it is a plain object: its loaded pages are not its content. */
function isPlain(x: object): x is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(x);
  return (prototype === Object.prototype || prototype === null) && !('pages' in x);
}

function sameList(a: ArrayLike<unknown>, b: ArrayLike<unknown>, same: (x: unknown, y: unknown) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!same(a[k], b[k])) return false;
  return true;
}
