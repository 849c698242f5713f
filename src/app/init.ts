import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fail } from '../base/problem.ts';
import { FIRST_MACHINE, FIRST_MODEL, FIRST_README, FIRST_TEST, FIRST_TSCONFIG, firstPackage } from './init-files.ts';

/** A file of a new project; `written` is false if it existed and was left unchanged. */
export interface InitialFile {
  readonly name: string;
  readonly written: boolean;
}

/**
 * Writes a first model with its machine, its test and editor settings into a folder, which is created if necessary. Never
 * overwrites.
 *
 * @throws InputError APP006 if the folder or a file cannot be written
 */
export function init(folder: string): InitialFile[] {
  const files: Readonly<Record<string, string>> = {
    'model.ts': FIRST_MODEL,
    'machine.yaml': FIRST_MACHINE,
    'model.test.ts': FIRST_TEST,
    'tsconfig.json': FIRST_TSCONFIG,
    'package.json': firstPackage(basename(resolve(folder))),
    'README.md': FIRST_README,
  };
  try {
    mkdirSync(folder, { recursive: true });
  } catch (e) {
    cannotWrite(folder, e);
  }
  return Object.entries(files).map(([name, text]) => ({ name, written: writes(join(folder, name), text) }));
}

/** Writes a file unless it exists. */
function writes(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === 'EEXIST') return false;
    return cannotWrite(path, e);
  }
}

function cannotWrite(file: string, e: unknown): never {
  return fail('APP006', `cannot be written: ${(e as NodeJS.ErrnoException).code ?? 'unknown error'}`, { file });
}
