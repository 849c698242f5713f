import { formatProblem, InputError } from '../../../base/problem.ts';

/** An error as the page shows it: problems with their codes and places. */
export const messageOf = (error: unknown): string =>
  error instanceof InputError ? error.problems.map(formatProblem).join(' ') : (error as Error).message;
