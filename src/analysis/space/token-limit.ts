import { fail } from '../../base/problem.ts';

/** Maximum tokens of one colour in a place, and of a marking in the general explorer: counts have 32 bits. */
export const MAX_TOKENS: number = 2 ** 31 - 1;

/** @throws InputError RUN013 */
export function tooManyTokens(part: string, max: number = MAX_TOKENS): never {
  fail('RUN013', `more than ${max} tokens in a marking, the supported maximum`, { part });
}
