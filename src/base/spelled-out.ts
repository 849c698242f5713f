/**
 * Replaces characters that affect how text is displayed: control and format characters, line and paragraph separators, lone
 * surrogates and unassigned code points become `\u{1b}`.
 */
export function spelledOut(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Cn}]/gu, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}
