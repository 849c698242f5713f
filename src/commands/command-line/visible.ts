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

/** Select Graphic Rendition (ECMA-48): colours and weights of the views. */
const STYLE = '\\u001b\\[[\\d;]*m';
const HIDDEN = new RegExp(`(${STYLE})|(?!\\r\\n)[^\\P{Cc}\\n\\t]|[\\p{Cf}\\p{Zl}\\p{Zp}]`, 'gu');

/**
 * A result with its invisible characters written as `\\u202e`: control characters except line ends, tabs and the styles of
 * views; characters that change the direction of text, join or hide it. In JSON, where these can only be inside strings,
 * this is the same string.
 */
export function withoutControls(text: string): string {
  return text.replace(HIDDEN, (c, style: string | undefined) => {
    if (style !== undefined) return style;
    return Array.from({ length: c.length }, (_, k) => `\\u${c.charCodeAt(k).toString(16).padStart(4, '0')}`).join('');
  });
}
