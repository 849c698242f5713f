/** The code of a {@link import('./problem.ts').Problem}, for the table of errors (docs/errors.md). */
export interface ProblemCode {
  readonly code: string;
  readonly meaning: string;
  /** What provokes it, or how it reads. */
  readonly example: string;
}
