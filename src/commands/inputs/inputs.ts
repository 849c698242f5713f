import { createHash } from 'node:crypto';
import { existsSync, readSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { given } from '../../base/given.ts';
import { readInput, withInput } from '../../base/input-file.ts';
import { InputError, type Problem } from '../../base/problem.ts';
import type { HashSettings, InputFile, ParameterSetting, ParameterSettings, PoolSettings } from './document-parts.ts';
import { THREAD_OPTIONS } from './option-rows.ts';
import type { ThreadOptions } from './thread-options.ts';

/**
 * The regular files among the inputs, by role. Standard input and pipes are left out: they have been read to the end
 * already, and opening them again could block forever.
 */
export function inputFiles<Role extends string>(
  paths: { readonly [role in Role]?: string | undefined },
  digestOf: (path: string) => string | undefined = () => undefined,
): { readonly [role in Role]?: InputFile } {
  const files: { [role in Role]?: InputFile } = {};
  for (const role of Object.keys(paths) as Role[]) {
    const path = paths[role];
    if (path === undefined || path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() === false) continue;
    const sha256 = digestOf(path);
    files[role] = sha256 === undefined ? inputFile(path) : { path: shownPath(path), sha256 };
  }
  return files;
}

/**
 * A file's path relative to the working directory and the SHA-256 of its content. Reads the file in pieces.
 *
 * @throws InputError APP001 if it cannot be read
 */
export function inputFile(path: string): InputFile {
  const hash = createHash('sha256');
  withInput(path, { code: 'APP001' }, ({ fd, size = 0 }) => {
    const buffer = Buffer.allocUnsafe(Math.min(1 << 20, Math.max(1 << 12, size)));
    for (let n = readSync(fd, buffer); n > 0; n = readSync(fd, buffer)) hash.update(buffer.subarray(0, n));
  });
  return { path: shownPath(path), sha256: hash.digest('hex') };
}

const shownPath = (path: string): string => relative(process.cwd(), path) || path;

/**
 * The text of a regular file of at most `limit` bytes.
 *
 * @throws InputError APP001 (cannot be read, or a pipe, device or directory), APP003 (too large)
 */
export function readText(path: string, limit: number = 512 * 2 ** 20): string {
  return readInput(path, { code: 'APP001', sizeCode: 'APP003', limit }).toString('utf8');
}

/** Rejects a path that {@link readText} would reject, before another reader opens it. */
export function assertRegular(path: string, limit: number): void {
  withInput(path, { code: 'APP001', sizeCode: 'APP003', limit }, () => undefined);
}

/** Files that an input names: changing one of them may change the result. */
export interface Members {
  readonly members?: readonly InputFile[];
}

/** The digests of files that an input names; no member without such files. */
export function memberFiles(paths: readonly string[]): Members {
  const members = paths.flatMap((file) => inputFiles({ file }).file ?? []);
  return members.length === 0 ? {} : { members };
}

/** The files of a listing, if the trace is one. */
export const listedFiles = (input: string, trace: { readonly files: readonly string[] }): readonly string[] =>
  input === '-' ? [] : trace.files.filter((file) => file !== input);

/** The parameters of a model among the options of a result. */
export function parametersIn(options: ParameterSettings): Readonly<Record<string, ParameterSetting>> {
  const own = Object.entries<ParameterSetting>({ ...options }).filter(([key]) => key.startsWith('model.'));
  return Object.fromEntries(own.map(([key, value]) => [key.slice('model.'.length), value]));
}

/** The options of thread models among the settings of a result, for a rerun. */
export function threadOptionsIn(settings: PoolSettings): ThreadOptions {
  const { bypass, ...others } = given(settings, THREAD_OPTIONS);
  return { ...others, ...(bypass === 'no' ? { bypass: false } : {}) };
}

/** Hash compaction among the settings of a result, for a rerun. */
export function hashOptionsIn({ hashCompact, seed }: HashSettings): {
  readonly hashCompact?: boolean;
  readonly seed?: string;
} {
  return hashCompact === 'yes' ? { hashCompact: true, ...(seed === undefined ? {} : { seed }) } : {};
}

/** JSON with sorted object members. File names, as in deadlocks, are left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (key, v: unknown) => {
    if (key === 'file') return undefined;
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return v;
    return Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * The current paths of a result's inputs, by role: relative to the working directory, or in the folder of the result.
 *
 * @throws InputError APP001 a file is missing, APP011 one has changed
 */
export function unchanged(
  { members = [], ...roles }: { readonly members?: readonly InputFile[]; readonly [role: string]: unknown },
  file: string,
): Map<string, string> {
  const found = new Map<string, string>();
  const problems: Problem[] = [];
  const look = (role: string, { path, sha256 }: InputFile): void => {
    const place = [path, join(dirname(file), path)].find((p) => existsSync(p)) ?? path;
    try {
      const now = inputFile(place).sha256;
      if (now === sha256) found.set(role, place);
      else
        problems.push({
          code: 'APP011',
          message: `has changed: expected SHA-256 ${sha256}, got ${now}`,
          place: { file: place },
        });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  };
  for (const [role, one] of Object.entries(roles)) look(role, one as InputFile);
  for (const [k, one] of members.entries()) look(`member ${k}`, one);
  if (problems.length > 0) throw new InputError(problems);
  return found;
}
