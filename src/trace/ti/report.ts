import type { Code } from '../../base/codes.ts';
import { didYouMean, InputError, type Place, type Problem, quote } from '../../base/problem.ts';
import { ROWS, refusal } from './grammar.ts';

/** Collects the problems of a trace; throws all of them when there are `limit` problems. */
export class Report {
  readonly warnings: Problem[] = [];
  readonly #problems: Problem[] = [];
  readonly #limit: number;

  constructor(limit = 20) {
    this.#limit = limit;
  }

  get failed(): boolean {
    return this.#problems.length > 0;
  }

  problem(code: Code, message: string, place: Place): void {
    this.#problems.push({ code, message, place });
    if (this.#problems.length >= this.#limit) this.end();
  }

  warn(code: Code, message: string, place: Place): void {
    if (this.warnings.length < this.#limit) this.warnings.push({ code, message, place });
  }

  /** Throws an {@link InputError} if there are problems. */
  end(): void {
    if (this.#problems.length > 0) throw new InputError(this.#problems);
  }
}

/** The problem of a word that is not an action: TI020, or TI021 if it is known but cannot be replayed. */
export function unknownAction(word: string): { code: Code; message: string } {
  const why = refusal(word);
  if (why !== undefined) return { code: 'TI021', message: `${quote(word)} cannot be replayed: ${why}.` };
  const names = ROWS.map((row) => row.name);
  return { code: 'TI020', message: `unknown action ${quote(word)}.${didYouMean(word, names)}` };
}

/** Start and end of the `index`-th word (from 0) of `bytes[from … to − 1]`; undefined if there are fewer. O(length). */
export function wordAt(
  bytes: Uint8Array,
  from: number,
  to: number,
  index: number,
): { from: number; to: number } | undefined {
  let left = index;
  for (let p = from; p < to; left--) {
    while (p < to && bytes[p]! <= 32) p++;
    const start = p;
    while (p < to && bytes[p]! > 32) p++;
    if (p === start) return undefined;
    if (left === 0) return { from: start, to: p };
  }
  return undefined;
}
