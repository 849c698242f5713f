import { type Demand, isAs } from '../base/options.ts';
import { didYouMean, fail, quote } from '../base/problem.ts';
import { shown } from './term.ts';

/**
 * Rejects a non-object, and an object with unknown members: plain JavaScript allows both, and a misspelt option would
 * be ignored silently.
 *
 * @throws InputError NET040, NET058
 */
export function assertMembers(part: string, what: string, given: unknown, known: readonly string[]): void {
  if (!isAs(given, 'an object'))
    fail('NET040', `${what}: expected an object with ${known.join(', ')}, got ${shown(given)}`, { part });
  for (const name of Object.keys(given as object))
    if (!known.includes(name))
      fail('NET058', `${what}: unknown member ${quote(name)}.${didYouMean(name, known)}`, { part });
}

/**
 * As {@link assertMembers}, and rejects members of the wrong type; `undefined` counts as not given.
 *
 * @throws InputError NET040, NET058
 */
export function assertGiven(part: string, what: string, given: unknown, known: Readonly<Record<string, Demand>>): void {
  assertMembers(part, what, given, Object.keys(known));
  for (const [name, value] of Object.entries(given as object))
    if (value !== undefined) assertIs(part, `${what}: ${name}`, value, known[name]!);
}

/**
 * Rejects a value of the wrong type.
 *
 * @param example a correct value, quoted in the message
 * @throws InputError NET040
 */
export function assertIs(part: string, name: string, value: unknown, demand: Demand, example?: string): void {
  const as = example === undefined ? '' : `, as in ${example}`;
  if (!isAs(value, demand)) fail('NET040', `${name}: expected ${demand}${as}, got ${shown(value)}`, { part });
}
