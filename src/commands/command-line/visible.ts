import { limitedText } from '../../base/problem.ts';

/** Makes a string safe for one terminal line: control and format characters become escapes such as `\u001b`. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => {
    const quoted = JSON.stringify(c).slice(1, -1);
    return quoted === c ? `\\u{${c.codePointAt(0)!.toString(16)}}` : quoted;
  });
}

/** Like {@link visible}, with names cut to at most 200 characters. */
export function visibleNote(text: string): string {
  return visible(limitedText(text));
}
