import type { Code } from './codes.ts';
import { listing } from './listing.ts';

/** Location of a problem: a file position (1-based line and column) or a named part of a net or model. */
export interface Place {
  /** Path of the file. */
  readonly file?: string;
  /** Line, from 1. */
  readonly line?: number;
  /** Column, from 1. */
  readonly column?: number;
  /** A name inside a net or model, for instance `transition send`. */
  readonly part?: string;
}

/**
 * One problem of an input.
 *
 * `message` names the value found and the expected form. `code` is stable across versions (three to five letters naming the
 * area and three digits), so that tests, documentation and users can refer to it.
 */
export interface Problem {
  /** Code of the problem, see docs/errors.md. */
  readonly code: Code;
  /** The fault, the expected value, and the nearest alternative. */
  readonly message: string;
  /** File, line and column, or the part of an input. */
  readonly place?: Place;
}

/** Maximum length of a name in a message, and of a message, in characters. */
const MAX_NAME = 200;
const MAX_MESSAGE = 4000;

/** Shortens a message: quoted strings and words to 200 characters, the message as a whole to 4,000. */
export function limitedText(text: string): string {
  if (text.length <= MAX_NAME) return text;
  const words = text
    .replace(LONG_STRING, (string) => `${cut(string, MAX_NAME)}"`)
    .replace(LONG_WORD, (word) => cut(word, MAX_NAME));
  return cut(words, MAX_MESSAGE);
}

/** Quoted strings and words that are too long. */
const LONG_STRING = /"(?:[^"\\\n]|\\.){201,}"/g;
const LONG_WORD = /\S{203,}/g;

/** The first `limit` characters, followed by an ellipsis if anything was cut. */
function cut(text: string, limit: number): string {
  // Removes half of a surrogate pair at the cut.
  return text.length <= limit ? text : `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Shortens a problem's message and part as {@link limitedText} does; file names are kept whole. */
function limited(problem: Problem): Problem {
  const { message, place } = problem;
  const { part = '' } = place ?? {};
  if (message.length <= MAX_NAME && part.length <= MAX_NAME) return problem;
  const short = { ...problem, message: limitedText(message) };
  return part.length <= MAX_NAME ? short : { ...short, place: { ...place, part: cut(part, MAX_NAME) } };
}

/** Formats as `file:line:column: CODE message`, leaving out unknown parts. */
export function formatProblem(given: Problem): string {
  const problem = limited(given);
  const { file, line, column, part } = problem.place ?? {};
  const at = [file, line, line === undefined ? undefined : column].filter((x) => x !== undefined).join(':');
  return `${at === '' ? '' : `${at}: `}${problem.code} ${part === undefined ? '' : `${part}: `}${problem.message}`;
}

/**
 * Thrown for bad input: carries every problem that was found, in the order of discovery.
 *
 * `instanceof` also accepts errors of other copies of the package: a model imports the project's copy, and the command line
 * is a bundle.
 */
export class InputError extends Error {
  /** All problems found, at least one. */
  readonly problems: readonly Problem[];

  static override [Symbol.hasInstance](value: unknown): boolean {
    return (
      value instanceof Error && value.name === 'InputError' && Array.isArray((value as { problems?: unknown }).problems)
    );
  }

  constructor(given: readonly Problem[]) {
    const problems = given.map(limited);
    super(problems.map(formatProblem).join('\n'));
    this.name = 'InputError';
    this.problems = problems;
  }
}

/** Throws an {@link InputError} with one problem. */
export function fail(code: Code, message: string, place?: Place): never {
  throw new InputError([place === undefined ? { code, message } : { code, message, place }]);
}

/** For the default branch of an exhaustive `switch`: a compile-time error if a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

/** Formats a string for messages: one printable line in quotes, at most `limit` characters. */
export function quote(text: string, limit = 60): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return JSON.stringify(cut);
}

/** Prepends the article by the first letter: `a send`, `an isend`. A leading `u` gets `a`, as in `a unit`. */
export function withArticle(word: string): string {
  return `${/^[aeio]/i.test(word) ? 'an' : 'a'} ${word}`;
}

/** Formats any value for messages. Lists, objects and functions are only named by kind. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

/**
 * A suggestion for an unknown name: ` Did you mean "buffer"? Known: buffer, full, empty.` The distance is optimal string
 * alignment (Damerau 1964), at most a third of the name's length (at least 1, but less than the whole name). If no name is that
 * near, one that shares words is: `coresPerNode` for `cores`. O(known × length²) time; at most 12 known names are listed.
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const all = [...known];
  return `${nearest(name, all)}${knownText(all)}`;
}

/** The second half of {@link didYouMean}: ` Known: buffer, full, empty.`; empty if no name is known. */
export function knownText(known: readonly string[]): string {
  return known.length === 0 ? '' : ` Known: ${listing(known)}.`;
}

/** The first half of {@link didYouMean}, for messages that list the known names elsewhere; empty if no name is near. */
export function nearest(name: string, known: readonly string[]): string {
  const best = nearestOf(name, known);
  return best === undefined ? '' : ` Did you mean ${quote(best)}?`;
}

/**
 * The known name nearest to `name`, if one is near; see {@link didYouMean}.
 *
 * @param beginning also compares with the first word of a known name, up to a dash: `deadlock-free` for `deadlok`
 */
export function nearestOf(name: string, known: readonly string[], beginning = false): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(name.length, Math.max(1, Math.floor(name.length / 3)) + 1);
  if (name.length <= 80) {
    for (const candidate of known) {
      if (candidate.length > 80) continue;
      const compared = beginning ? candidate.slice(0, wordEnd(name, candidate)) : candidate;
      const d = alignmentDistance(name.toLowerCase(), compared.toLowerCase());
      if (d < bestDistance) {
        best = candidate;
        bestDistance = d;
      }
    }
  }
  return best ?? sharingWords(name, known);
}

/** The known name that shares the largest part of its letters with `name` in whole words of four letters or more, if 0.4 or more. */
function sharingWords(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name);
  let best: string | undefined;
  let most = 0.4;
  for (const candidate of known) {
    const own = wordsOf(candidate);
    const shared = lettersOf(own.filter((word) => word.length > 3 && words.includes(word)));
    const share = shared / Math.max(lettersOf(own), lettersOf(words), 1);
    if (share < most || (share === most && best !== undefined)) continue;
    best = candidate;
    most = share;
  }
  return best;
}

const lettersOf = (words: readonly string[]): number => words.reduce((sum, { length }) => sum + length, 0);

/** The words of a name in lower case: of `coresPerNode`, `cores-per-node` and `cores per node` the same. */
const wordsOf = (name: string): string[] =>
  name.length > 80
    ? []
    : name
        .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== '');

/** End of a candidate's first word; its whole length if `name` also contains a dash. */
function wordEnd(name: string, candidate: string): number {
  const dash = candidate.indexOf('-');
  return dash < 0 || name.includes('-') ? candidate.length : dash;
}

function alignmentDistance(a: string, b: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = [i];
    for (let j = 1; j <= b.length; j++) {
      if (i === 0) {
        row.push(j);
        continue;
      }
      const same = a[i - 1] === b[j - 1];
      let d = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, rows[i - 2]![j - 2]! + 1);
      row.push(d);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** Collects problems of one input. {@link Problems.add} throws them all once the limit is reached. */
export class Problems {
  readonly found: Problem[] = [];
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(code: Code, message: string, place: Place): void {
    this.found.push({ code, message, place });
    if (this.found.length < this.limit) return;
    this.found.push({ code, message: `reading ended after ${this.limit} problems`, place });
    throw new InputError(this.found);
  }

  /** @throws InputError with all problems, if there are any */
  end(): void {
    if (this.found.length > 0) throw new InputError(this.found);
  }
}

/** The result of a function; undefined if it rejects its input with an {@link InputError}. */
export function unlessRejected<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}
