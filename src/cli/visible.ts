import { limitedText } from '../base/problem.ts';

/** Text for one line of a terminal: control and format characters, which a path may hold, as escapes such as `\u001b`. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => {
    const quoted = JSON.stringify(c).slice(1, -1);
    return quoted === c ? `\\u{${c.codePointAt(0)!.toString(16)}}` : quoted;
  });
}

/** A warning or note for one line of a terminal, with names of at most 200 characters. */
export function visibleNote(text: string): string {
  return visible(limitedText(text));
}
