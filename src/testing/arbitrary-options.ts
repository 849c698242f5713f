import { didYouMean, fail, quote, shown } from '../base/problem.ts';

/**
 * Refuses options of an arbitrary that it does not have.
 *
 * @throws InputError TEST002
 */
export function checkMembers(part: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    fail('TEST002', `options are ${shown(options)}: an object is expected`, { part });
  for (const key of Object.keys(options as object))
    if (!known.includes(key)) fail('TEST002', `has no option ${quote(key)}.${didYouMean(key, known)}`, { part });
}

/**
 * A whole number of a range.
 *
 * @throws InputError TEST002
 */
export function wholeOption(part: string, key: string, value: unknown, least: number, most: number): number {
  if (!(Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most))
    fail('TEST002', `${key} is ${shown(value)}: a whole number from ${least} to ${most} is expected`, { part });
  return Number(value);
}
