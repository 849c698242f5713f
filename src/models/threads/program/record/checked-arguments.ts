import { didYouMean, fail, quote, shown } from '../../../../base/problem.ts';
import { noiseOf } from '../../../noise.ts';
import type { Site } from '../../../site.ts';
import type { Argument, Work } from '../statements.ts';

/* Checks of the arguments of builder calls. They repeat those that types make, for plain JavaScript. */

/** A number, or a function of the state that yields one. @throws InputError THR002 */
export function numberIn(name: string, value: Argument, site: Site): Argument {
  if (typeof value !== 'function' && (typeof value !== 'number' || Number.isNaN(value)))
    fail('THR002', `${name}: expected a number or a function of the state, got ${shown(value)}`, site.place);
  return value;
}

/** A name that is not empty. @throws InputError THR002 */
export function nameIn(what: string, name: string, site: Site): string {
  if (typeof name !== 'string' || name === '')
    fail('THR002', `${what}: expected a name, got ${shown(name)}`, site.place);
  return name;
}

/** One of the known values of an option. @throws InputError THR002 */
export function oneOfIn<T extends string>(name: string, value: unknown, known: readonly T[], site: Site): T {
  const found = known.find((one) => one === value);
  if (found === undefined)
    fail('THR002', `${name}: expected one of ${known.join(', ')}, got ${shown(value)}`, site.place);
  return found;
}

/** Options without unknown keys. @throws InputError THR002 */
export function optionsIn(
  call: string,
  options: object,
  known: readonly string[],
  site: Site,
): Record<string, unknown> {
  if (typeof options !== 'object' || options === null)
    fail('THR002', `${call}: expected an object, got ${shown(options)}`, site.place);
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('THR002', `${call} has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  return options as Record<string, unknown>;
}

/** The parts of a computation, at least one. @throws InputError THR002 */
export function workIn(call: string, work: object, site: Site): Work {
  const { flops, seconds, bytes, shared, reused, block, noise } = optionsIn(
    call,
    work,
    ['flops', 'seconds', 'bytes', 'shared', 'reused', 'block', 'noise'],
    site,
  );
  const each = { flops, seconds, bytes, shared };
  if (reused === undefined && Object.values(each).every((value) => value === undefined))
    fail('THR002', `${call}: expected flops, seconds, bytes, shared or reused`, site.place);
  if (block !== undefined && reused === undefined)
    fail('THR002', `${call}: block without reused: expected the bytes of the block that are reused`, site.place);
  for (const [name, value] of Object.entries({ ...each, reused, block }))
    if (value !== undefined) numberIn(name, value, site);
  return {
    ...each,
    noise: noiseOf(noise, site),
    ...(reused === undefined ? {} : { reused }),
    ...(block === undefined ? {} : { block }),
  };
}

/** A try that holds something releases it in its block: with a single function, the time was forgotten. */
export function assertTimeFirst(call: string, seconds: Argument, holds: unknown, site: Site): void {
  if (typeof seconds === 'function' && holds === undefined)
    fail(
      'THR002',
      `${call}: expected the time in seconds, then the block of a success, got a function only`,
      site.place,
    );
}
