import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fail, quote } from '../../base/problem.ts';
import { visible } from '../command-line/visible.ts';
import { pathFacts } from '../inputs/path-kinds.ts';

/** Where a question is asked; default: the terminal of the process. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * Rejects a result document whose input is a module, unless the user trusts it: a module is a program, a document may come
 * from anybody, and its digest only proves that the module is the one that the document's author meant. On a terminal, the
 * user is asked.
 *
 * @param input path of the input that the document names
 * @param file path of the document
 * @throws InputError APP048
 */
export async function assertTrusted(
  input: string,
  file: string,
  trusted: boolean,
  { input: from, output: to }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<void> {
  if (trusted || !pathFacts(input).isCode) return;
  const module = resolve(input);
  if (from.isTTY === true && to.isTTY === true) {
    const lines = createInterface({ input: from, output: to });
    try {
      const question = `${visible(file)} runs the module ${visible(module)}. Run it? [y/N] `;
      // Ctrl-C and Ctrl-D reject the promise.
      const answer = await lines.question(question).catch(() => 'no');
      if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
    } finally {
      lines.close();
    }
  }
  fail(
    'APP048',
    `runs the module ${quote(module, 4096)}: expected --trust, since a result document may come from anybody`,
    { file },
  );
}
