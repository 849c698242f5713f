import { formatProblem, InputError } from '../../src/base/problem.ts';

/** Lines of the thrown problems; empty if nothing is thrown. */
export function problemsOf(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return e.problems.map(formatProblem);
  }
}

/** Codes of the thrown problems. */
export function codesOf(run: () => unknown): string[] {
  return problemsOf(run).map((p) => /\b[A-Z]{3}\d{3}\b/.exec(p)![0]);
}
