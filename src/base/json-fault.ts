/** A token of JSON (RFC 8259), after blanks. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

/**
 * Where a text ceases to be JSON, as an offset; its length where it ends too early, undefined where nothing is wrong.
 * What `JSON.parse` says of it differs between versions of Node, and is mostly no place. O(length).
 */
export function jsonFault(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  /** What may come next. */
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
