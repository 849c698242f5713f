import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/* Imports between files of `src`, and the floors of the picture in docs/architecture.md. */

/** All TypeScript files below a folder. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts') || f.endsWith('.tsx'))
    .map((f) => join(folder, f));

export interface Import {
  readonly file: string;
  readonly imported: string;
  /** Folders of `src`, `index` for its files. */
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
  /** True for `import('./x.ts')`. */
  readonly onDemand: boolean;
}

export function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm)];
  return found.map((m) => {
    const imported = normalize(join(dirname(file), m[2] ?? m[3]!));
    const folder = (p: string): string => (p.split('/').length > 2 ? p.split('/')[1]! : 'index');
    const [from, to] = [folder(file), folder(imported)];
    return { file, imported, from, to, typeOnly: m[1] !== undefined, onDemand: m[3] !== undefined };
  });
}

/** The page that has the picture and the walks. */
export const architecture = (): string => readFileSync('docs/architecture.md', 'utf8');

/** Floors by folder, such as `commands` and `commands/predict`: lines of the picture, the lowest is 0. */
function floorsOf(page: string): ReadonlyMap<string, number> {
  const lines = /^```\n([\s\S]*?)^```/m
    .exec(page)![1]!
    .split('\n')
    .filter((line) => /\w/.test(line));
  const floors = new Map<string, number>();
  let folders: string[] = [];
  for (const [k, line] of lines.entries()) {
    const [, first = '', rest = ''] = /^([a-z]+(?: ─ [a-z]+)*)?[ │]*(.*)$/.exec(line)!;
    if (first !== '') folders = first.split(' ─ ');
    // Files next to the parts of a folder are on its lowest floor.
    for (const folder of folders) floors.set(folder, lines.length - 1 - k);
    for (const part of rest.split(/ [·─] /)) floors.set(`${folders[0]}/${part}`, lines.length - 1 - k);
  }
  return floors;
}

const FLOORS = floorsOf(architecture());

/** True if a step from a file to another one goes to a higher floor of the picture; false for files that are not in it. */
export function climbs(from: string, to: string): boolean {
  const [a, b] = [from, to].map((file) => {
    const [, folder = '', part = ''] = file.split('/');
    return FLOORS.get(`${folder}/${part}`) ?? FLOORS.get(folder);
  });
  return a !== undefined && b !== undefined && b > a;
}
