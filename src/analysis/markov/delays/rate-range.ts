import { fail, type Place as Part } from '../../../base/problem.ts';

/** Accepted rates, per second: products of a few stay in the range of a double. */
const MIN_RATE = 1e-100;
const MAX_RATE = 1e100;

/** @throws InputError CTMC003 for a rate out of range */
export function checkedRate(rate: number, part: Part): number {
  if (rate >= MIN_RATE && rate <= MAX_RATE) return rate;
  return fail(
    'CTMC003',
    `the rate of its exponential delay is ${rate}: expected a number from ${MIN_RATE} to ${MAX_RATE} per second. Remove what never happens, and make what takes no time immediate`,
    part,
  );
}
