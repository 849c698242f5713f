import { readInput } from '../base/input-file.ts';
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
  const bytes = readInput(file, { code, limit, unreadable });
  if (bytes.length === 0) fail(code, `the file is empty; ${expected} was expected`, { file });
  if (bytes.includes(0)) fail(code, `the file is binary; ${expected} was expected`, { file });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail(code, `the file is not UTF-8 text; ${expected} was expected`, { file });
  }
}

const unreadable = (error: unknown): string => `cannot be opened: ${quote((error as Error).message, 200)}`;
