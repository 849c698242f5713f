import { InputError } from '../base/problem.ts';

/** What goes wrong with a net is said of the file that it came from. */
export function aboutFile<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    throw new InputError(e.problems.map((p) => ({ ...p, place: { file, ...p.place } })));
  }
}
