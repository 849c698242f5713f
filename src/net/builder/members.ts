import { didYouMean, fail, quote } from '../../base/problem.ts';
import { shown } from '../term.ts';

/**
 * Refuses what is no object, or has members that are not known: plain JavaScript lets them through, and a word that is
 * misspelt would be passed over in silence.
 *
 * @throws InputError NET040, NET058
 */
export function assertMembers(part: string, what: string, given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    fail('NET040', `${what}: ${shown(given)} where an object with ${known.join(', ')} is expected`, { part });
  for (const name of Object.keys(given))
    if (!known.includes(name))
      fail('NET058', `${what}: there is no ${quote(name)}.${didYouMean(name, known)}`, { part });
}
