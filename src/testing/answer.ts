/** What a matcher found out. */
export interface Answer {
  /** Whether it holds; undefined: not known, a limit was reached. */
  readonly holds: boolean | undefined;
  /** The net or model, and the demand as the end of a sentence: `to be safe`. */
  readonly words: string;
  readonly demand: string;
  /** What was found: the verdict, the witness. */
  readonly found: readonly string[];
  /** How to see it again. */
  readonly again: () => readonly string[];
}

/** The result of a matcher as `expect.extend` takes it. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What is not known passes neither the matcher nor its opposite. */
export function resultOf({ holds, words, demand, found, again }: Answer, isNot: boolean): MatcherResult {
  return {
    pass: holds ?? isNot,
    message: () => {
      const expected = `expected ${words} ${isNot ? 'not ' : ''}${demand}`;
      const head = holds === undefined ? `UNKNOWN: ${expected}, which is not known` : expected;
      return [head, ...found, ...again()].join('\n');
    },
  };
}
