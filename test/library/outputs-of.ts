import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Outputs of the files, with `foretoken` resolved to the sources of this repository. */
export function outputsOf(files: readonly string[]): string[] {
  const tsx = resolve('node_modules/tsx/dist/cli.mjs');
  const args = [tsx, '--tsconfig', resolve('test/library/tsconfig.json'), resolve('test/library/run-files.ts')];
  const out = execFileSync(process.execPath, [...args, ...files.map((f) => resolve(f))], {
    encoding: 'utf8',
    timeout: 250_000,
  });
  return JSON.parse(out) as string[];
}
