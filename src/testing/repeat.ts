import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { commandLine, runner } from '../base/command-line.ts';
import { InputError } from '../base/problem.ts';
import { netToJson } from '../net/json/json.ts';
import type { Net } from '../net/net.ts';

/** Temporary folder of this process for the nets of failed matchers; it is not deleted. */
let folder: string | undefined;

/**
 * Lines that tell how to reproduce a failure: writes the net to a file and gives the command line. There is one file per test
 * and net name, so that after shrinking the file holds the last and smallest counter-example.
 *
 * @param word the beginning of the line
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

/** True if the command is found through a `.bin` folder that npm added to the path; a user's shell would not find it. */
function installedHere(): boolean {
  const { PATH = '' } = process.env;
  return PATH.split(delimiter).some((dir) => /[\\/]\.bin$/.test(dir) && existsSync(join(dir, 'foretoken')));
}
