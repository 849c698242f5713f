import { type Stats, statSync } from 'node:fs';
import { fail, quote } from '../base/problem.ts';

/** Refuses (APP007) an output that would overwrite an input, also by another name or a link, and `-`, a file's name. */
export function checkOutput(output: string, inputs: readonly (string | undefined)[]): void {
  if (output === '-')
    fail('APP007', 'an output goes to a file, not to standard output: give it a name.', { file: output });
  const target = found(output);
  if (target === undefined) return;
  for (const input of inputs) {
    const source = input === undefined || input === '-' ? undefined : found(input);
    if (source !== undefined && source.ino === target.ino && source.dev === target.dev) {
      fail('APP007', `would overwrite the input ${quote(input!)}: give another name.`, { file: output });
    }
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
