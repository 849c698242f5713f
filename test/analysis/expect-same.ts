import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/** Fails unless two results are bitwise equal. A fast check; only on failure `toEqual` reports the differences. */
export function expectSame(got: unknown, expected: unknown): void {
  if (isDeepStrictEqual(got, expected)) return;
  expect(got).toStrictEqual(expected);
  throw new Error('the results differ in the sign of a zero, or in a prototype');
}
