import { InputError, type Problem } from '../base/problem.ts';
import { isNetFile } from './net-file.ts';
import { declarationPlace } from './net-place.ts';

/** Runs a function on the net of a file. Problems without a place get the file, and the line that declares their part. */
export function aboutFile<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((problem) => placed(problem, file)));
  }
}

function placed(problem: Problem, file: string): Problem {
  const { place = {} } = problem;
  if (place.file !== undefined) return problem;
  const { line: known, part } = place;
  const line = known === undefined && part !== undefined && isNetFile(file) ? declarationPlace(file, part) : {};
  return { ...problem, place: { file, ...line, ...place } };
}
