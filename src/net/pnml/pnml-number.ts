import { quote } from '../../base/problem.ts';

/** Largest number of tokens in a marking or on an arc that takes. */
export const MAX_TOKENS: number = Number.MAX_SAFE_INTEGER;

/** A whole number from `least` up to the largest that is exact, or what is wrong with the text. */
export function wholeNumber(text: string, least: number): number | { readonly wrong: string } {
  const expected = `a whole number from ${least} on is expected`;
  if (!/^[+-]?\d+$/.test(text)) return { wrong: `${text === '' ? 'no number' : quote(text)}: ${expected}` };
  const value = Number(text);
  if (value < least) return { wrong: `${text} is less than ${least}: ${expected}` };
  if (value > MAX_TOKENS) return { wrong: `${quote(text)} is larger than ${MAX_TOKENS}, the most that is supported` };
  return value + 0;
}
