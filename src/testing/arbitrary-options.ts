import { didYouMean, fail, quote, shown } from '../base/problem.ts';

/**
 * Rejects options that are not an object or have unknown members.
 *
 * @throws InputError TEST002
 */
export function checkMembers(part: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    fail('TEST002', `options: expected an object, got ${shown(options)}`, { part });
  for (const key of Object.keys(options as object))
    if (!known.includes(key)) fail('TEST002', `has no option ${quote(key)}.${didYouMean(key, known)}`, { part });
}

/**
 * Checks that an option is an integer from `min` to `max`.
 *
 * @throws InputError TEST002
 */
export function integerOption(part: string, key: string, value: unknown, min: number, max: number): number {
  if (!(Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max))
    fail('TEST002', `${key}: expected an integer from ${min} to ${max}, got ${shown(value)}`, { part });
  return Number(value);
}
