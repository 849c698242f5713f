import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main } from './run.ts';

/** Writes a module to a folder that runs the whole program, without scripts for short answers. */
export function wholeProgram(folder: string): string {
  const program = readdirSync(dirname(main)).find((name) => /^program-[A-Z\d]{8}\.js$/.test(name))!;
  const path = join(folder, 'whole.mjs');
  writeFileSync(
    path,
    `import { run } from ${JSON.stringify(pathToFileURL(join(dirname(main), program)).href)};
process.exitCode = await run(process.argv.slice(2));
`,
  );
  return path;
}
