import { quote } from '../../base/problem.ts';

/** Maximum tokens in a marking or on a take arc. */
export const MAX_TOKENS: number = Number.MAX_SAFE_INTEGER;

/** A safe integer ≥ `min`, or the error in the text. */
export function integer(text: string, min: number): number | { readonly wrong: string } {
  const expected = `expected an integer >= ${min}`;
  if (!/^[+-]?\d+$/.test(text)) return { wrong: `${expected}, got ${text === '' ? 'nothing' : quote(text)}` };
  const value = Number(text);
  if (value < min) return { wrong: `${expected}, got ${text}` };
  if (value > MAX_TOKENS) return { wrong: `${quote(text)} is larger than the supported maximum, ${MAX_TOKENS}` };
  return value + 0;
}
