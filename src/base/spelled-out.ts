/**
 * Replaces characters that affect how text is displayed: control and format characters, line and paragraph separators, lone
 * surrogates and unassigned code points become `\u{1b}`.
 */
export function spelledOut(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}
/**
 * Characters that change how text is displayed without being seen: control characters except line ends and tabs, format
 * characters (direction, joiners), and line and paragraph separators.
 */
export const HIDDEN: RegExp = /[^\P{Cc}\n\t\r]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * JSON with its hidden characters escaped, as in `\u202e`. They occur only inside strings, so that the value is the same, and
 * line ends between members stay.
 */
export function plainJson(json: string): string {
  return json.replace(HIDDEN, (c) =>
    Array.from({ length: c.length }, (_, k) => `\\u${c.charCodeAt(k).toString(16).padStart(4, '0')}`).join(''),
  );
}

/** A value as one line of JSON without hidden characters. */
export function jsonText(value: unknown): string {
  return plainJson(JSON.stringify(value));
}
