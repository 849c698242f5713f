import { renameSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { fail, quote } from '../base/problem.ts';
import { discard, outputFile } from '../base/whole-file.ts';

/**
 * Rejects an output that is `-` or would overwrite an input, also through another name or a link.
 *
 * @throws InputError APP007
 */
export function checkOutput(output: string, inputs: readonly (string | undefined)[]): void {
  if (output === '-')
    fail('APP007', 'the output needs a file name: it cannot go to standard output.', { file: output });
  const target = found(output);
  if (target === undefined) return;
  for (const input of inputs) {
    const source = input === undefined || input === '-' ? undefined : found(input);
    if (source !== undefined && source.ino === target.ino && source.dev === target.dev) {
      fail('APP007', `would overwrite the input ${quote(input!)}: choose another name.`, { file: output });
    }
  }
}

/**
 * Writes a temporary file in the target's folder and renames it, so that a failure leaves no incomplete file.
 *
 * @throws InputError APP006
 */
export function writeWhole(path: string, text: string): void {
  const { target, temporary } = outputFile(path);
  try {
    writeFileSync(temporary ?? target, text);
    if (temporary !== undefined) renameSync(temporary, target);
  } catch (e) {
    if (temporary !== undefined) discard(temporary);
    fail('APP006', `cannot be written: ${(e as NodeJS.ErrnoException).code ?? 'unknown error'}`, { file: path });
  }
}

function found(path: string): Stats | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}
