import { type Stats, statSync } from 'node:fs';
import { resolved } from '../base/files/output-file.ts';
import { WholeFile } from '../base/files/whole-file.ts';
import { fail, quote } from '../base/problem.ts';

/**
 * Rejects outputs that are `-`, would overwrite an input, or are one file, also through another name or a link. Nothing has
 * been written then.
 *
 * @throws InputError APP007
 */
export function checkOutputs(outputs: readonly (string | undefined)[], inputs: readonly (string | undefined)[]): void {
  const earlier = new Map<string, string>();
  for (const output of outputs) {
    if (output === undefined) continue;
    if (output === '-')
      fail('APP007', 'the output needs a file name: it cannot go to standard output.', { file: output });
    const target = fileOf(output);
    for (const input of inputs)
      if (input !== undefined && input !== '-' && target !== undefined && isSame(fileOf(input), target))
        fail('APP007', `would overwrite the input ${quote(input)}: choose another name.`, { file: output });
    if (target === undefined && isThere(output)) continue;
    const key = target === undefined ? resolved(output) : `${target.dev}:${target.ino}`;
    const other = earlier.get(key);
    if (other !== undefined)
      fail('APP007', `is also the output ${quote(other)}: expected a different file for each output.`, {
        file: output,
      });
    earlier.set(key, output);
  }
}

/**
 * Writes a file that appears only when it is complete.
 *
 * @throws InputError APP006
 */
export function writeWhole(path: string, text: string | Uint8Array): void {
  const file = new WholeFile(path, 'APP006');
  file.write(text);
  file.close();
}

/** A regular file; undefined for devices, pipes, folders, and names of no file. */
function fileOf(path: string): Stats | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path) !== undefined;
  } catch {
    return false;
  }
}

const isSame = (a: Stats | undefined, b: Stats): boolean => a !== undefined && a.dev === b.dev && a.ino === b.ino;
