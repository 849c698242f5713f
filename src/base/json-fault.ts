/** A JSON token (RFC 8259), preceded by blanks. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/**
 * The offset at which a text stops being valid JSON: its length if it is truncated, undefined if it is valid. Replaces the
 * messages of `JSON.parse`, which differ between versions of Node and mostly give no position. O(length).
 */
export function jsonFault(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  /** The kind of token that may come next. */
  let next: 'value' | 'first' | 'key' | 'first key' | 'colon' | 'more' = 'value';
  let at = 0;
  const faultAt = (): number => at + /^[ \t\n\r]*/.exec(text.slice(at, at + 4096))![0].length;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) {
      const fault = faultAt();
      return fault >= text.length && open.length === 0 && next === 'more' ? undefined : fault;
    }
    const [whole, mark, string] = found;
    const isValue = mark === undefined;
    if (next === 'more') {
      const within = open.at(-1);
      if (within !== undefined && mark === ',') next = within === '{' ? 'key' : 'value';
      else if (within !== undefined && mark === (within === '{' ? '}' : ']')) open.pop();
      else return faultAt();
    } else if (next === 'colon') {
      if (mark !== ':') return faultAt();
      next = 'value';
    } else if (next === 'key' || next === 'first key') {
      if (string !== undefined) next = 'colon';
      else if (next === 'first key' && mark === '}') {
        open.pop();
        next = 'more';
      } else return faultAt();
    } else if (isValue) next = 'more';
    else if (mark === '{' || mark === '[') {
      open.push(mark);
      next = mark === '{' ? 'first key' : 'first';
    } else if (next === 'first' && mark === ']') {
      open.pop();
      next = 'more';
    } else return faultAt();
    at += whole.length;
  }
}
