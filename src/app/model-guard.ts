import { createHook } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../base/problem.ts';
import { crashOf, isUserPlace, placesOf, problemsOf, thrown, userPlaceOf } from '../base/thrown.ts';

/** What a thread that runs a model says at its unexpected end. */
export type GuardReport =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'crash'; readonly crash: { readonly message: string; readonly stack: string } };

/** Functions of `node:fs` that write to a file descriptor. */
const WRITERS = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync'] as const;
const APPENDERS = ['appendFile', 'appendFileSync'] as const;

/** Work that keeps the thread alive without the model. */
let known = new Map<string, number>();
/** Set in a thread that {@link guardModel} has prepared. */
let reporter: ((end: GuardReport) => void) | undefined;

/**
 * Prepares this worker thread for the code of a model. Ending the process, uncaught exceptions and rejections become
 * problems with the model's line; writing to file descriptor 1 goes to standard error, because standard output holds the
 * result. (Whoever starts the thread redirects `process.stdout`.)
 *
 * @param file the model's module, for problems whose line is unknown
 * @param report called at most once; the thread ends afterwards
 */
export function guardModel(file: string, report: (end: GuardReport) => void): void {
  const { exit, reallyExit } = process as typeof process & { readonly reallyExit: (code: number) => never };
  let over = false;
  reporter = (what) => {
    if (!over) report(what);
    over = true;
  };
  const end = (what: GuardReport): never => {
    reporter!(what);
    // Called by the genuine exit.
    Object.assign(process, { reallyExit });
    return exit(0);
  };
  const refuse = (above: (...args: never[]) => unknown, what: string): never => {
    const { stack } = traceAbove(above);
    const message = `the model calls ${what}: a model must return`;
    return end({ kind: 'problems', problems: [{ code: 'APP040', message, place: userPlaceOf(stack) ?? { file } }] });
  };
  const ended = (code?: unknown): never => refuse(ended, `process.exit(${plainCode(code)})`);
  const aborted = (): never => refuse(aborted, 'process.abort()');
  const { kill } = process;
  const killed = (pid: number, signal?: string | number): true => {
    // 0 and negative numbers are process groups.
    if (pid === process.pid || pid <= 0) return refuse(killed, `process.kill(${plainCode(pid)})`);
    return kill(pid, signal as NodeJS.Signals);
  };
  Object.assign(process, { exit: ended, reallyExit: ended, abort: aborted, kill: killed });
  const failed = (error: unknown): never => {
    const { text, stack, isError } = thrown(error);
    const places = placesOf(stack);
    const ours = isError && places.length > 0 && !places.some(isUserPlace);
    if (ours) return end({ kind: 'crash', crash: crashOf(error) });
    const place = userPlaceOf(stack) ?? { file };
    const problems = problemsOf(error) ?? [
      { code: 'APP042', message: `the model throws outside of its build: ${text}`, place },
    ];
    return end({ kind: 'problems', problems });
  };
  process.on('uncaughtException', failed).on('unhandledRejection', failed);
  redirectDescriptor();
  known = activeWork();
}

/** Makes the functions of `node:fs` write to standard error what is meant for standard output. */
function redirectDescriptor(): void {
  const fs = createRequire(import.meta.url)('node:fs') as Record<
    string,
    (target: unknown, ...rest: unknown[]) => unknown
  >;
  for (const name of [...WRITERS, ...APPENDERS]) {
    const write = fs[name]!;
    fs[name] = (target, ...rest) => write.call(fs, target === 1 ? 2 : target, ...rest);
  }
  syncBuiltinESMExports();
}

function traceAbove(above: ((...args: never[]) => unknown) | undefined): { readonly stack: string } {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, above);
  return { stack: trace.stack ?? '' };
}

function plainCode(code: unknown): string {
  return typeof code === 'number' || typeof code === 'string' ? String(code).slice(0, 20) : '';
}

/** A warning where the model has started timers, servers or other work that keeps its thread alive. */
export function leftRunning(file: string): Problem[] {
  if (reporter === undefined) return [];
  const left = [...activeWork()].flatMap(([name, count]) => {
    const more = count - (known.get(name) ?? 0);
    return more > 0 ? [name] : [];
  });
  if (left.length === 0) return [];
  const message = `the model leaves work running (${left.join(', ')}), which is ended`;
  return [{ code: 'APP043', message, place: { file } }];
}

function activeWork(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    // Ports and file requests are those of Node and of this product.
    if (/^(?:MessagePort|FSReq|Worker)/.test(name)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/**
 * Awaits the import of a model. Where nothing is left that could settle it, the thread would end without a word: then
 * APP041 is reported with the line of the last `await` that is open. A no-op in threads without a guard.
 */
export async function guardedImport<T>(file: string, run: () => Promise<T>): Promise<T> {
  if (reporter === undefined) return run();
  const open = new Map<number, string>();
  const hook = createHook({
    init: (id, type) => {
      if (type === 'PROMISE') open.set(id, traceAbove(undefined).stack);
    },
    before: (id) => open.delete(id),
    promiseResolve: (id) => open.delete(id),
  });
  const stuck = (): void => {
    hook.disable();
    const places = [...open.values()].flatMap((stack) => placesOf(stack).find(isUserPlace) ?? []);
    const message = 'the module awaits a promise that nothing can settle: it is never loaded';
    reporter!({ kind: 'problems', problems: [{ code: 'APP041', message, place: places.at(-1) ?? { file } }] });
  };
  process.once('exit', stuck);
  hook.enable();
  try {
    const loaded = await run();
    await unhandledRejections();
    return loaded;
  } finally {
    hook.disable();
    process.off('exit', stuck);
  }
}

/** Lets Node report the rejections that nobody has handled so far. A no-op in threads without a guard. */
export async function unhandledRejections(): Promise<void> {
  if (reporter !== undefined) await setImmediate();
}
