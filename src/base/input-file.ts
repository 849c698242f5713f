import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { fail } from './problem.ts';

/** What may be opened as an input, and how its refusal is worded. */
export interface InputRules {
  /** Code of a file that cannot be opened or is of another kind. */
  readonly code: string;
  /** Code of a file that is too large; default: `code`. */
  readonly sizeCode?: string;
  /** Largest file in bytes; no limit by default. */
  readonly limit?: number;
  /**
   * What is accepted; default: `files`. `pipes`: pipes as well, as in `<(command)`; a named pipe that nobody writes to
   * counts as empty. `streams`: all that can be read; opening a named pipe waits for its writer. The caller limits what
   * it reads.
   */
  readonly accepts?: 'files' | 'pipes' | 'streams';
  /** Wording of a file that cannot be opened; default: `cannot be read: ENOENT`. */
  readonly unreadable?: (error: unknown) => string;
  /** Name for messages; default: the path. */
  readonly name?: string;
}

/** An open input. */
export interface OpenInput {
  readonly fd: number;
  /** Bytes of a regular file; undefined for a pipe. */
  readonly size: number | undefined;
}

/**
 * Opens every input of the product. Only traces may be streams, and only hostfiles pipes; all else must be a regular
 * file, because reading a device or a pipe may never end. The kind is checked on the open descriptor, so it cannot change
 * between check and read.
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

/** As {@link withInput}; the caller closes the descriptor. */
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
      fail(code, `is not a regular file but ${kindOf(stats)}`, { file: name });
    if (!stats.isFile() && !stats.isFIFO() && accepts === 'pipes')
      fail(code, `is neither a file nor a pipe but ${kindOf(stats)}`, { file: name });
    if (stats.size > limit)
      fail(sizeCode, `is ${stats.size} bytes long, more than the limit of ${limit}`, { file: name });
    return { fd, size: stats.isFile() ? stats.size : undefined };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * All bytes of an input. O(size) memory.
 *
 * @throws InputError with the codes of the rules; also where a pipe or a file of unknown size exceeds the limit
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
      // Pipes, growing files and files of /proc, whose size is 0.
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
      // A pipe whose writer has nothing yet.
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
