import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { Code } from './codes.ts';
import { fileKey, noteRead } from './files/reads.ts';
import { fail } from './problem.ts';

/** Which inputs may be opened, and the codes and wording of errors. */
export interface InputRules {
  /** Code for a file that cannot be opened or is of another kind. */
  readonly code: Code;
  /** Code for a file that is too large; default: `code`. */
  readonly sizeCode?: Code;
  /** Maximum file size in bytes; default: no limit. */
  readonly limit?: number;
  /**
   * Accepted kinds of input; default: `files`. `pipes` also accepts pipes, as in `<(command)`; a named pipe without a writer
   * counts as empty. `streams` accepts everything readable; opening a named pipe waits for its writer, and the caller must
   * limit how much it reads.
   */
  readonly accepts?: 'files' | 'pipes' | 'streams';
  /** Message for a file that cannot be opened; default: `cannot be read: ENOENT`. */
  readonly unreadable?: (error: unknown) => string;
  /** Name used in messages; default: the path. */
  readonly name?: string;
}

export interface OpenInput {
  readonly fd: number;
  /** Size of a regular file in bytes; undefined for a pipe. */
  readonly size: number | undefined;
}

/**
 * Opens an input; all inputs of this package are opened here. Only traces may be streams and only hostfiles may be pipes.
 * All other inputs must be regular files, because reading a device or a pipe may never end. The kind is checked on the open
 * descriptor, so it cannot change between check and read.
 *
 * @throws InputError with the code of the rules
 */
export function withInput<T>(path: string, rules: InputRules, use: (input: OpenInput) => T): T {
  const input = openInput(path, rules);
  try {
    return use(input);
  } finally {
    closeSync(input.fd);
  }
}

/** As {@link withInput}, but the caller closes the descriptor. */
export function openInput(path: string, rules: InputRules): OpenInput {
  const { code, sizeCode = code, limit = Number.POSITIVE_INFINITY, accepts = 'files', name = path } = rules;
  const { unreadable = (error) => `cannot be read: ${errorCode(error)}` } = rules;
  let fd: number;
  try {
    // Without O_NONBLOCK, opening a pipe waits for a writer. Windows has no such flag.
    const flags = accepts === 'streams' ? 0 : (constants.O_NONBLOCK ?? 0);
    fd = openSync(path, constants.O_RDONLY | flags);
  } catch (error) {
    return fail(code, unreadable(error), { file: name });
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile() && accepts === 'files')
      fail(code, `expected a regular file, got ${kindOf(stats)}`, { file: name });
    if (!stats.isFile() && !stats.isFIFO() && accepts === 'pipes')
      fail(code, `expected a file or a pipe, got ${kindOf(stats)}`, { file: name });
    if (stats.size > limit)
      fail(sizeCode, `is ${stats.size} bytes long, more than the limit of ${limit}`, { file: name });
    if (stats.isFile()) noteRead(fileKey(stats), name);
    return { fd, size: stats.isFile() ? stats.size : undefined };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * Reads all bytes of an input. O(size) memory.
 *
 * @throws InputError with the codes of the rules; also if a pipe or a file of unknown size exceeds the limit
 */
export function readInput(path: string, rules: InputRules & { readonly limit: number }): Buffer {
  return withInput(path, rules, ({ fd, size = 0 }) => {
    const { code, sizeCode = code, limit, name = path } = rules;
    let bytes = Buffer.allocUnsafe(Math.min(limit, size) + 1);
    let length = 0;
    for (;;) {
      const read = readPiece(fd, bytes, length, rules, path);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
      if (length > limit) fail(sizeCode, `is longer than the limit of ${limit} bytes`, { file: name });
      if (length < bytes.length) continue;
      // Pipes, growing files, and files in /proc, which report size 0.
      const larger = Buffer.allocUnsafe(Math.min(limit + 1, Math.max(1 << 16, 2 * length)));
      bytes.copy(larger, 0, 0, length);
      bytes = larger;
    }
  });
}

function readPiece(fd: number, bytes: Buffer, at: number, { code, name }: InputRules, path: string): number {
  for (;;) {
    try {
      return readSync(fd, bytes, at, bytes.length - at, null);
    } catch (error) {
      const reason = errorCode(error);
      if (reason === 'EOF') return 0;
      if (reason !== 'EAGAIN') return fail(code, `cannot be read: ${reason}`, { file: name ?? path });
      // The pipe's writer has not written anything yet.
      Atomics.wait(PAUSE, 0, 0, 5);
    }
  }
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));

interface Kinds {
  isDirectory(): boolean;
  isFIFO(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}

function kindOf(stats: Kinds): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isCharacterDevice() || stats.isBlockDevice() ? 'a device' : 'a socket';
}
