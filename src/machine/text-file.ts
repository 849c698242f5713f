import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { fail, quote } from '../base/problem.ts';

/** What is asked of a text file, and what is said where it is none. */
export interface TextFileRules {
  /** Largest file, in bytes. */
  readonly limit: number;
  /** Code of every problem. */
  readonly code: string;
  /** What should stand in the file: `a SimGrid platform in XML`. */
  readonly expected: string;
}

/**
 * The text of a regular file in UTF-8.
 *
 * @throws InputError with the code of the rules: cannot be opened, no regular file, too large, empty, binary, not UTF-8
 */
export function readTextFile(file: string, { limit, code, expected }: TextFileRules): string {
  const bytes = readBytes(file, limit, code);
  if (bytes.length === 0) fail(code, `the file is empty; ${expected} was expected`, { file });
  if (bytes.includes(0)) fail(code, `the file is binary; ${expected} was expected`, { file });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail(code, `the file is not UTF-8 text; ${expected} was expected`, { file });
  }
}

/** The bytes of a file: of a regular one of at most `limit` bytes, so that a device or a pipe cannot hang us. */
function readBytes(file: string, limit: number, code: string): Uint8Array {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return fail(code, `cannot be opened: ${quote((error as Error).message, 200)}`, { file });
  }
  try {
    const info = fstatSync(handle);
    if (!info.isFile()) fail(code, 'is not a regular file', { file });
    if (info.size > limit) fail(code, `is ${info.size} bytes long, more than the limit of ${limit}`, { file });
    const bytes = new Uint8Array(info.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
