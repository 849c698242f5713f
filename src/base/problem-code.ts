/** The code of a {@link import('./problem.ts').Problem}, for the table of errors (docs/errors.md). */
export interface ProblemCode {
  readonly code: string;
  readonly meaning: string;
  /** An input that causes the problem, or a sample of the message. */
  readonly example: string;
}
