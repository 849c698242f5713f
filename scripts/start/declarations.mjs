import { readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']*)'/g;

/**
 * Removes the declarations that no entry point leads to. They import packages that are bundled, and that users of the package
 * do not have.
 */
export function removeUnreachable(folder, entries) {
  const reached = new Set();
  const left = entries.map((entry) => resolve(folder, `${entry}.d.ts`));
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORT))
      left.push(resolve(dirname(file), path.replace(/\.[tj]s$/, '.d.ts')));
  }
  for (const name of readdirSync(folder, { recursive: true }))
    if (name.endsWith('.d.ts') && !reached.has(resolve(folder, name))) rmSync(join(folder, name));
  removeEmpty(folder);
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
