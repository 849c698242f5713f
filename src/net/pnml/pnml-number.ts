import { quote } from '../../base/problem.ts';

/** Maximum tokens in a marking or on a take arc. */
export const MAX_TOKENS: number = Number.MAX_SAFE_INTEGER;

/** A safe integer ≥ `least`, or the error in the text. */
export function wholeNumber(text: string, least: number): number | { readonly wrong: string } {
  const expected = `a whole number from ${least} on is expected`;
  if (!/^[+-]?\d+$/.test(text)) return { wrong: `${text === '' ? 'no number' : quote(text)}: ${expected}` };
  const value = Number(text);
  if (value < least) return { wrong: `${text} is less than ${least}: ${expected}` };
  if (value > MAX_TOKENS) return { wrong: `${quote(text)} is larger than ${MAX_TOKENS}, the most that is supported` };
  return value + 0;
}
