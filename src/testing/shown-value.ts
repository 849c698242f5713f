import { toStringMethod } from 'fast-check';

/** Sets the text that counter-examples of fast-check show for a value; it does not affect copies, comparisons or files. */
export function shownAs<T extends object>(value: T, text: () => string): T {
  Object.defineProperty(value, toStringMethod, { value: text, enumerable: false });
  return value;
}
