import { fail } from '../../base/problem.ts';

/** Called with true before time-limited code of a model runs (its import, or the building of a net), and with false after it. */
export type BuildWatcher = (building: boolean) => void;

let watcher: BuildWatcher = () => {};

/** Sets the watcher of this thread. */
export function watchBuilds(watch: BuildWatcher): void {
  watcher = watch;
}

/** Runs code of a model under the time limit. */
export function duringBuild<T>(run: () => T): T {
  watcher(true);
  try {
    return run();
  } finally {
    watcher(false);
  }
}

/** Asynchronous variant of {@link duringBuild}. */
export async function duringImport<T>(run: () => Promise<T>): Promise<T> {
  watcher(true);
  try {
    return await run();
  } finally {
    watcher(false);
  }
}

/** Default time limit of an import or a build, in seconds. */
const DEFAULT_LIMIT = 300;
/** Maximum delay of a timer, in seconds. */
const MAX_LIMIT = 2 ** 31 / 1000 - 1;

/**
 * Time limit of a build in seconds: `FORETOKEN_BUILD_LIMIT`, or 300.
 *
 * @throws InputError APP044 if the variable is not a positive number
 */
export function buildLimit(): number {
  const { FORETOKEN_BUILD_LIMIT: given = '' } = process.env;
  if (given === '') return DEFAULT_LIMIT;
  const seconds = Number(given);
  if (!(seconds > 0)) fail('APP044', `FORETOKEN_BUILD_LIMIT=${given}: expected a number of seconds > 0, such as 600`);
  return Math.min(seconds, MAX_LIMIT);
}

export function buildLimitMessage(seconds: number): string {
  return `the model has not been built after ${seconds} s (FORETOKEN_BUILD_LIMIT): does its build end?`;
}
