/** Where a problem was found: a file position (1-based line and column) or a named part of a net or model. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A name inside a net or model, for instance `transition send`. */
  readonly part?: string;
}

/**
 * One thing that is wrong with an input.
 *
 * `message` says what was found and what was expected; `code` is stable across versions (three to five letters naming
 * the area and three digits), so that tests, documentation and users can refer to it.
 */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly place?: Place;
}

/** `file:line:column: CODE message`, leaving out what is not known. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, part } = problem.place ?? {};
  const at = [file, line, line === undefined ? undefined : column].filter((x) => x !== undefined).join(':');
  return `${at === '' ? '' : `${at}: `}${problem.code} ${part === undefined ? '' : `${part}: `}${problem.message}`;
}

/** Thrown for bad input: carries every problem that was found, the first one first. */
export class InputError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.name = 'InputError';
    this.problems = problems;
  }
}

/** Throws an {@link InputError} with one problem. */
export function fail(code: string, message: string, place?: Place): never {
  throw new InputError([place === undefined ? { code, message } : { code, message, place }]);
}

/** For the default branch of an exhaustive `switch`: a type error at build time where a case is missing. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}

/** The text as one printable line of at most `limit` characters, in quotes, for use in messages. */
export function quote(text: string, limit = 60): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return JSON.stringify(cut);
}

/** `a send`, `an isend`: by the letter, where a `u` is spoken as in `unit`. */
export function withArticle(word: string): string {
  return `${/^[aeio]/i.test(word) ? 'an' : 'a'} ${word}`;
}

/** Any value as messages show it: lists and objects by what they are only. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

/**
 * A sentence that proposes the nearest known name: ` Did you mean "buffer"? Known: buffer, full, empty.`
 * Nearness is the optimal-string-alignment distance (Damerau 1964) of at most a third of the name's length (at least 1, but less
 * than the whole name).
 * O(known × length²) time; at most 12 known names are listed.
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const all = [...known];
  const listed = all.slice(0, 12).join(', ') + (all.length > 12 ? `, and ${all.length - 12} more` : '');
  return `${nearest(name, all)}${all.length === 0 ? '' : ` Known: ${listed}.`}`;
}

/** The first half of it, where what is known is said otherwise: ` Did you mean "buffer"?`, or nothing. */
export function nearest(name: string, known: readonly string[]): string {
  let best: string | undefined;
  let bestDistance = Math.min(name.length, Math.max(1, Math.floor(name.length / 3)) + 1);
  if (name.length <= 80) {
    for (const candidate of known) {
      if (candidate.length > 80) continue;
      const d = alignmentDistance(name.toLowerCase(), candidate.toLowerCase());
      if (d < bestDistance) {
        best = candidate;
        bestDistance = d;
      }
    }
  }
  return best === undefined ? '' : ` Did you mean ${quote(best)}?`;
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
