/** The result of a matcher. */
export interface Answer {
  /** True if the demand holds; undefined if unknown because a limit was reached. */
  readonly holds: boolean | undefined;
  /** The net or model, as the subject of a sentence. */
  readonly words: string;
  /** The demand as the end of a sentence: `to be safe`. */
  readonly demand: string;
  /** The verdict and the witness, as lines. */
  readonly found: readonly string[];
  /** Instructions to reproduce the result, by lines. */
  readonly again: () => readonly string[];
}

/** The result of a matcher in the form that `expect.extend` requires. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Converts an answer; an unknown one fails both the matcher and its negation. */
export function resultOf({ holds, words, demand, found, again }: Answer, isNot: boolean): MatcherResult {
  return {
    pass: holds ?? isNot,
    message: () => {
      const expected = `expected ${words} ${isNot ? 'not ' : ''}${demand}`;
      const head = holds === undefined ? `UNKNOWN: ${expected}, but this is undecided` : expected;
      return [head, ...found, ...again()].join('\n');
    },
  };
}
