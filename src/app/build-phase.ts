import { fail } from '../base/problem.ts';

/** StatementInfo when code of a model that has to end begins (true) and ends (false): its import, or the building of a net. */
export type BuildWatcher = (building: boolean) => void;

let watcher: BuildWatcher = () => {};

/** Sets who is told in this thread. */
export function watchBuilds(watch: BuildWatcher): void {
  watcher = watch;
}

/** Runs code of a model whose time is limited. */
export function duringBuild<T>(run: () => T): T {
  watcher(true);
  try {
    return run();
  } finally {
    watcher(false);
  }
}

/** As {@link duringBuild}, of code that is awaited. */
export async function duringImport<T>(run: () => Promise<T>): Promise<T> {
  watcher(true);
  try {
    return await run();
  } finally {
    watcher(false);
  }
}

/** Seconds that an import or a build may take, unless the environment gives another limit. */
const DEFAULT_LIMIT = 300;
/** Longest delay of a timer, in seconds. */
const MAX_LIMIT = 2 ** 31 / 1000 - 1;

/**
 * Time limit of a build in seconds: `FORETOKEN_BUILD_LIMIT`, or 300.
 *
 * @throws InputError APP044 where the variable is not a positive number
 */
export function buildLimit(): number {
  const { FORETOKEN_BUILD_LIMIT: given = '' } = process.env;
  if (given === '') return DEFAULT_LIMIT;
  const seconds = Number(given);
  if (!(seconds > 0)) fail('APP044', `FORETOKEN_BUILD_LIMIT=${given}: expected seconds above 0, such as 600`);
  return Math.min(seconds, MAX_LIMIT);
}

/** Says that a build exceeds the limit. */
export function buildLimitMessage(seconds: number): string {
  return `the model is not built after ${seconds} s (FORETOKEN_BUILD_LIMIT): does its build end?`;
}
