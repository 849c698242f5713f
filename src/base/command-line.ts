/** Characters that no POSIX shell treats specially, wherever in a word they are. */
const PLAIN = /^[\w./:@%+,-][\w./=:@%+,-]*$/;
/** Characters that would not survive printing and pasting. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A word for a POSIX shell: as it is, in single quotes, or by `printf` where it has control characters. Newlines at its end are
 * lost then: no name of a file or a place is expected to have them.
 */
export function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (!CONTROL.test(word)) return quoted(word);
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, (c) =>
      [...Buffer.from(c)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `"$(printf ${quoted(escaped)})"`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A file as an argument: one that begins with a dash would be taken for an option. */
export function fileArgument(path: string): string {
  return path.startsWith('-') && path !== '-' ? `./${path}` : path;
}

/** A command line for a POSIX shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/**
 * What goes before `foretoken` so that a shell finds it: `npx ` in a process that npm or npx started, since then the
 * package may be installed in the project only.
 */
export function runner(env: NodeJS.ProcessEnv = process.env): '' | 'npx ' {
  return env['npm_command'] === undefined ? '' : 'npx ';
}
