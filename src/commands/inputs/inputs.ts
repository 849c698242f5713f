import { createHash } from 'node:crypto';
import { readSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { readInput, withInput } from '../../base/input-file.ts';
import type { InputFile } from './document-parts.ts';

/**
 * The regular files among the inputs, by role. Standard input and pipes are left out: they have been read to the end
 * already, and opening them again could block forever.
 */
export function inputFiles<Role extends string>(
  paths: Readonly<Record<Role, string | undefined>>,
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

/** The files of a listing, if the trace is one. They are recorded because changing one of them changes the trace. */
export function listedFiles(
  input: string,
  trace: { readonly files: readonly string[] },
): { readonly members?: readonly InputFile[] } {
  if (input === '-') return {};
  const listed = trace.files.filter((file) => file !== input);
  const members = listed.flatMap((file) => inputFiles({ file }).file ?? []);
  return members.length === 0 ? {} : { members };
}
