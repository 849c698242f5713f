import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Code } from '../codes.ts';
import { fail, quote } from '../problem.ts';
import { fileKey, readAs } from './reads.ts';

/** An output that is being written. */
export interface OpenOutput {
  readonly fd: number;
  /** The path with links resolved: a symbolic link is kept, and the file it points to is replaced. */
  readonly target: string;
  /** Name until the output is complete; undefined if it is written directly: a device, a pipe, standard output. */
  readonly temporary: string | undefined;
}

let keepsExisting = false;

/** From now on, no output replaces an existing file. */
export function keepExistingFiles(): void {
  keepsExisting = true;
}

let isIncomplete = false;

/** From now on, all outputs are parts of results: one does not replace a file, but gets the name `FILE.incomplete.json`. */
export function outputsAreIncomplete(): void {
  isIncomplete = true;
}

/** True after {@link keepExistingFiles}, for other threads. */
export const existingFilesAreKept = (): boolean => keepsExisting;

/**
 * Opens an output; all outputs of this package are opened here. A regular file gets a temporary file in the same folder, with
 * a name that cannot be guessed, created exclusively, with the permissions of the file that it will replace. Temporary
 * files that ended processes of this machine left for the same output are removed.
 *
 * @throws InputError with the given code; APP007 if the file was read, or is where standard output goes; APP049 if it exists
 * and existing files are kept
 */
export function openOutput(path: string, code: Code): OpenOutput {
  const target = targetOf(path, code);
  const existing = statSync(target, { throwIfNoEntry: false });
  const stream = existing === undefined ? undefined : standardStream(path, existing);
  if (stream !== undefined) return { fd: stream, target, temporary: undefined };
  if (existing !== undefined && !existing.isFile()) return { fd: openSync(target, 'w'), target, temporary: undefined };
  if (existing !== undefined) {
    const input = readAs(fileKey(existing));
    if (input !== undefined)
      fail('APP007', `would overwrite the input ${quote(input)}: choose another name.`, { file: path });
    if (keepsExisting) refuseExisting(path);
    accessSync(target, constants.W_OK);
  }
  removeStale(target);
  const temporary = `${stemOf(target)}${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const fd = openSync(temporary, 'wx', existing === undefined ? 0o666 : existing.mode & 0o777);
  if (existing !== undefined) keepOwner(fd, existing);
  return { fd, target, temporary };
}

/** Gives a complete output its name. */
export function nameOutput({ target: wanted, temporary }: OpenOutput): void {
  if (temporary === undefined) return;
  const target = isIncomplete && existsSync(wanted) ? incompleteName(wanted) : wanted;
  if (target !== wanted)
    process.stderr.write(
      `foretoken: interrupted: the part of the result is in ${basename(target)}, ${basename(wanted)} is kept\n`,
    );
  if (!keepsExisting) {
    renameSync(temporary, target);
    return;
  }
  try {
    // Unlike a rename, a link fails if a file of that name has appeared in the meantime.
    linkSync(temporary, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(target)) refuseExisting(target);
    renameSync(temporary, target);
    return;
  }
  rmSync(temporary, { force: true });
}

/** `out.json` becomes `out.incomplete.json`. */
function incompleteName(path: string): string {
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}.incomplete${ending}`;
}

/** @throws InputError APP049 if a file of this name exists; devices and pipes are not replaced */
export function assertNew(path: string): void {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere && statOf(path)?.isFile() !== false) refuseExisting(path);
}

function refuseExisting(path: string): never {
  return fail('APP049', 'exists already: --no-clobber keeps it. Choose another name.', { file: path });
}

/** Removes an incomplete output. Never throws: the reason why the output was not written is reported instead. */
export function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // Such as a path that is too long; then there is no file.
  }
}

/** Removes incomplete outputs that this process left at a path; for threads that were terminated. */
export function discardIncomplete(path: string): void {
  eachTemporary(resolved(path), (file, pid) => {
    if (pid === process.pid) discard(file);
  });
}

/** The path with links resolved; the name is kept if there is no such file yet. */
export function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return resolve(path);
    }
  }
}

/** As {@link resolved}; links that lead to no file are refused, because a rename would replace them. */
function targetOf(path: string, code: Code): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return resolved(path);
  try {
    const target = realpathSync(path);
    // The path of a pipe, as of /dev/stdout, names nothing, but the link can be opened.
    return statOf(target) === undefined && statOf(path) !== undefined ? path : target;
  } catch (error) {
    if (statOf(path) !== undefined) return path;
    const loops = (error as NodeJS.ErrnoException).code === 'ELOOP';
    const fault = loops ? 'that leads back to itself' : `to ${quote(readlinkSync(path), 200)}, which does not exist`;
    return fail(code, `cannot be written: it is a symbolic link ${fault}. Remove the link or name the file.`, {
      file: path,
    });
  }
}

/** Names of the streams of a process. Other files below /dev are ordinary ones, such as those in /dev/shm. */
const STREAM = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/[^/]+\/(?:task\/\d+\/)?fd\/\d+)$/;

/**
 * The descriptor if the path is /dev/stdout or /dev/stderr, redirected to a file or socket: a rename would take the file from the
 * stream, and its later output would be lost.
 *
 * @throws InputError APP007 if another name of that file is given
 */
function standardStream(path: string, existing: Stats): number | undefined {
  // Sockets cannot be opened by name.
  if (!existing.isFile() && !existing.isSocket()) return undefined;
  for (const [fd, name] of [
    [1, 'standard output'],
    [2, 'standard error'],
  ] as const) {
    const stats = statOf(fd);
    if (stats === undefined || fileKey(stats) !== fileKey(existing)) continue;
    if (STREAM.test(resolve(path))) return fd;
    fail('APP007', `is the file to which ${name} goes: choose another name.`, { file: path });
  }
  return undefined;
}

function statOf(file: string | number): Stats | undefined {
  try {
    return typeof file === 'number' ? fstatSync(file) : statSync(file);
  } catch {
    return undefined;
  }
}

/** Gives a new file the owner, group and permissions of the file that it replaces, as far as the process may. */
function keepOwner(fd: number, { uid, gid, mode }: Stats): void {
  const own = fstatSync(fd);
  try {
    if (own.uid !== uid || own.gid !== gid) fchownSync(fd, uid, gid);
  } catch {
    // Only the owner of both groups, or root, may do this.
  }
  try {
    fchmodSync(fd, mode & 0o7777);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Maximum length of a file name in temporary names, in bytes: file systems allow 255. */
const MAX_STEM = 200;

/** Start of the temporary names of an output: its name and this machine. */
function stemOf(target: string): string {
  const name = basename(target);
  const short = Buffer.byteLength(name) <= MAX_STEM ? name : digest(name, 32);
  return join(dirname(target), `${short}.${digest(hostname(), 6)}-`);
}

const digest = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

/** Calls `use` with each temporary file of an output and the process that created it. */
function eachTemporary(target: string, use: (file: string, pid: number, isEarlier: boolean) => void): void {
  const stem = stemOf(target);
  let names: string[];
  try {
    names = readdirSync(dirname(stem));
  } catch {
    return;
  }
  const start = basename(stem);
  for (const name of names) {
    const [, pid, earlier] =
      (name.startsWith(start) && /^(\d+)-[\da-f]{8}\.tmp(\.old)?$/.exec(name.slice(start.length))) || [];
    if (pid !== undefined) use(join(dirname(stem), name), Number(pid), earlier !== undefined);
  }
}

/** Removes temporary files of ended processes. If such a process ended between two renames, the earlier file is restored. */
function removeStale(target: string): void {
  eachTemporary(target, (file, pid, isEarlier) => {
    if (isAlive(file, pid) || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
    if (isEarlier && !existsSync(target)) renameSync(file, target);
    else discard(file);
  });
}

/** False also for a file with the number of this process that is older than this process. */
function isAlive(file: string, pid: number): boolean {
  if (pid === process.pid) {
    const begun = Date.now() - 1000 * process.uptime();
    return (statOf(file)?.mtimeMs ?? Number.POSITIVE_INFINITY) > begun - 2000;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
