import type { Code } from '../base/codes.ts';
import { readInput } from '../base/input-file.ts';
import { fail, quote } from '../base/problem.ts';

/** Requirements on a text file, and parts of the error messages. */
export interface TextFileRules {
  /** Largest file, in bytes. */
  readonly limit: number;
  /** Problem code of every error. */
  readonly code: Code;
  /** Description of the expected contents, such as `a SimGrid platform in XML`. */
  readonly expected: string;
}

/**
 * The contents of a regular UTF-8 file.
 *
 * @throws InputError with the code of the rules if the file cannot be opened, is not a regular file, too large, empty,
 * binary or not UTF-8
 */
export function readTextFile(file: string, { limit, code, expected }: TextFileRules): string {
  const bytes = readInput(file, { code, limit, unreadable });
  if (bytes.length === 0) fail(code, `the file is empty: expected ${expected}`, { file });
  if (bytes.includes(0)) fail(code, `the file is binary: expected ${expected}`, { file });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail(code, `the file is not UTF-8 text: expected ${expected}`, { file });
  }
}

const unreadable = (error: unknown): string => `cannot be opened: ${quote((error as Error).message, 200)}`;
