/** Words of characters that are not special in any POSIX shell, at any position in the word. */
const PLAIN = /^[\w./:@%+,-][\w./=:@%+,-]*$/;
/** Characters that do not survive printing and pasting. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Quotes a word for a POSIX shell: unchanged, in single quotes, or by `printf` if it contains control characters. `printf`
 * loses trailing newlines; names of files and places are not expected to have any.
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

/** A file as an argument. Names that begin with a dash get `./` in front, so that they are not read as options. */
export function fileArgument(path: string): string {
  return path.startsWith('-') && path !== '-' ? `./${path}` : path;
}

/** A command line for a POSIX shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/**
 * The prefix with which a shell finds `foretoken`: `npx ` in a process started by npm or npx, because the package may then
 * be installed only in the project.
 */
export function runner(env: NodeJS.ProcessEnv = process.env): '' | 'npx ' {
  return env['npm_command'] === undefined ? '' : 'npx ';
}
