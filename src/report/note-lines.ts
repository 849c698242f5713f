import type { Problem } from '../base/problem.ts';
import type { Style } from './style.ts';
import { padEnd, printable, prose } from './text.ts';

/** The notes of a document, one paragraph each: `Note   Time-independent traces … (TI043)`. */
export function noteLines({ notes = [] }: { readonly notes?: readonly Problem[] }, style: Style): string[] {
  return notes.flatMap(({ code, message }) => {
    const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)} (${code})`;
    return prose(printable(sentence, style.unicode), style.width - 7).map(
      (line, k) => (k === 0 ? style.bold(padEnd('Note', 7)) : ' '.repeat(7)) + line,
    );
  });
}
