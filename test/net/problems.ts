import { formatProblem, InputError } from '../../src/base/problem.ts';

/** The problems that are thrown, as lines; an empty list where nothing is thrown. */
export function problemsOf(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return e.problems.map(formatProblem);
  }
}

/** Just their codes. */
export function codesOf(run: () => unknown): string[] {
  return problemsOf(run).map((p) => /\b[A-Z]{3}\d{3}\b/.exec(p)![0]);
}
