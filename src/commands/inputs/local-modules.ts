import { statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InputFile, MachineRole } from './document-parts.ts';
import { inputFiles, type Members, memberFiles, readText } from './inputs.ts';
import { pathFacts } from './path-kinds.ts';

/** Source endings that TypeScript also accepts under the ending on the left. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
/** Endings that an import may omit, also for the `index` file of a folder. */
const LEFT_OUT: readonly string[] = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
const CODE: readonly string[] = LEFT_OUT.filter((ending) => ending !== '.json');

/** `from './x'`, `import './x'`, `import('./x')`, `require('./x')` with relative or absolute paths or file URLs. */
const IMPORTED =
  /\b(?:from|import|require)(?:\s|\(|\/\*(?:[^*]|\*(?!\/)){0,500}\*\/|\/\/[^\n]*\n)*(['"`])((?:\.{1,2}(?=[/'"`])|\/|file:\/\/)[^'"`\n]*)\1/g;

/**
 * The files that a module imports by path, directly and indirectly, without the module itself, sorted by path. Imports are
 * found in the text: those in comments count, those with computed paths do not. If a path can mean several files (`x.js` and
 * `x.ts`), all count. Packages are ignored.
 *
 * @complexity the text of all modules, each read once
 */
export function localModules(file: string): string[] {
  const first = resolve(file);
  const found = new Set([first]);
  for (const module of found) {
    if (!CODE.includes(extname(module))) continue;
    for (const { 2: path } of readText(module).matchAll(IMPORTED))
      for (const meant of filesOf(path!, module)) found.add(meant);
  }
  found.delete(first);
  return [...found].sort();
}

/** All files that an import path in a module can mean. */
function filesOf(path: string, module: string): string[] {
  const plain = path.replace(/[?#].*$/, '');
  const place = plain.startsWith('file://') ? pathOf(plain) : resolve(dirname(module), plain);
  if (place === undefined) return [];
  const ending = extname(place);
  const stem = place.slice(0, place.length - ending.length);
  return [
    place,
    ...(WRITTEN_AS[ending] ?? []).map((written) => stem + written),
    ...LEFT_OUT.flatMap((left) => [place + left, resolve(place, `index${left}`)]),
  ].filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** The files that a model's module imports by path. */
export const moduleFiles = (model: string): Members => memberFiles(localModules(model));

/**
 * The files of an input for its result document: that of its path, others by role, and the modules that it imports. None for a
 * value that a program has made.
 *
 * @param more files that the others name
 */
export function filesOfInput(
  path: string | undefined,
  others: { readonly [role in MachineRole]?: string | undefined },
  { members: more = [] }: Members = {},
): { readonly [role in 'model' | 'net' | 'trace' | MachineRole]?: InputFile } & Members {
  if (path === undefined) return {};
  const { role, isCode } = pathFacts(path);
  const { members: imported = [] } = isCode ? moduleFiles(path) : {};
  const members = [...imported, ...more];
  return { ...inputFiles({ [role]: path, ...others }), ...(members.length === 0 ? {} : { members }) };
}
