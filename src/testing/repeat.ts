import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { commandLine, runner } from '../base/command-line.ts';
import { InputError } from '../base/problem.ts';
import { netToJson } from '../net/json/json.ts';
import type { Net } from '../net/net.ts';

/** Where the nets of failures are written: a folder of this process, which stays. */
let folder: string | undefined;

/**
 * Lines that say how to see a failure again: the net is written to a file, and the command line is given it. One file for
 * every test and name of a net: while a counter-example shrinks, the last failure, which is the smallest, stays.
 *
 * @param word what the command does
 */
export function repeatLines(
  net: Net,
  test: string,
  command: (file: string) => readonly string[],
  word = 'again',
): string[] {
  let text: string;
  try {
    text = netToJson(net);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return [`${word}: run this test; the net cannot be written to a file: ${e.problems[0]!.message}`];
  }
  try {
    folder ??= mkdtempSync(join(tmpdir(), 'foretoken-failures-'));
    const plain = net.name.replaceAll(/[^\w-]+/g, '-').slice(0, 40);
    const key = createHash('sha256').update(`${test}\n${net.name}`).digest('hex').slice(0, 8);
    const file = join(folder, `${plain}-${key}.json`);
    writeFileSync(file, text);
    return [`${word}: ${installedHere() ? runner() : ''}${commandLine(['foretoken', ...command(file)])}`];
  } catch (e) {
    return [`${word}: run this test; the net could not be written to a file: ${(e as Error).message}`];
  }
}

/** Whether a folder of local commands that npm put on the path has this one: then the shell of a user does not find it. */
function installedHere(): boolean {
  const { PATH = '' } = process.env;
  return PATH.split(delimiter).some((dir) => /[\\/]\.bin$/.test(dir) && existsSync(join(dir, 'foretoken')));
}
