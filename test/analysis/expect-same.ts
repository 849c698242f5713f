import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Fails unless two results are equal, to the last bit. Faster than `toEqual`, which then says where they differ. */
export function expectSame(got: unknown, expected: unknown): void {
  if (isDeepStrictEqual(got, expected)) return;
  expect(got).toStrictEqual(expected);
  throw new Error('the results differ in the sign of a zero, or in a prototype');
}
