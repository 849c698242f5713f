/** Text for one line of a terminal: control and format characters, which a path may hold, as escapes such as `\u001b`. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (c) => {
    const quoted = JSON.stringify(c).slice(1, -1);
    return quoted === c ? `\\u{${c.codePointAt(0)!.toString(16)}}` : quoted;
  });
}
