import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The `package.json` files that decide how a module is loaded. The nearest one determines whether it is an ECMAScript module, and
 * resolves `#name` and its own name. A module of an installed package also needs those up to the package's folder, because the last
 * one resolves the package's name. O(depth of the path).
 */
export function packageFilesOf(module: string): string[] {
  const found: string[] = [];
  const isInstalled = /[\\/]node_modules[\\/]/.test(module);
  for (let folder = dirname(module); ; folder = dirname(folder)) {
    // Node stops there, too.
    if (basename(folder) === 'node_modules') return found;
    const file = join(folder, 'package.json');
    if (existsSync(file)) found.push(file);
    if ((found.length > 0 && !isInstalled) || folder === dirname(folder)) return found;
  }
}

/**
 * The `tsconfig.json` files that the loader of TypeScript reads: the nearest above the working directory, or the one that the
 * environment names, and those that it extends, directly and indirectly.
 */
export function tsconfigFiles(): string[] {
  const first = process.env['TSX_TSCONFIG_PATH'] ?? nearest('tsconfig.json');
  if (first === undefined) return [];
  const found = new Set([resolve(first)]);
  for (const file of found) for (const base of extendedBy(file)) found.add(base);
  return [...found];
}

function nearest(name: string): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Found in the text, because the files may hold comments and trailing commas. */
function extendedBy(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const [, given = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"\n]*")/.exec(text) ?? [];
  const names = [...given.matchAll(/"([^"\n]+)"/g)].map(([, name]) => name!);
  return names.flatMap((name) => {
    const isPath = /^(?:\.{1,2}[\\/]|[\\/]|[A-Za-z]:)/.test(name);
    const places = isPath ? [resolve(dirname(file), name)] : installed(name, file);
    return places.flatMap((place) => [place, `${place}.json`]).filter((path) => existsSync(path));
  });
}

/** A file of an installed package; for the name of a package alone, its `tsconfig.json`. */
function installed(name: string, file: string): string[] {
  const { resolve: find } = createRequire(file);
  for (const path of [name, `${name}.json`, `${name}/tsconfig.json`])
    try {
      return [find(path)];
    } catch {
      // The next form.
    }
  return [];
}
