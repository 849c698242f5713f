import { createHook } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { setImmediate } from 'node:timers/promises';
// Loaded before the redirection, which would otherwise apply to outputs written to /dev/stdout.
import '../../base/files/whole-file.ts';
import { watchReads } from '../../base/files/watch-reads.ts';
import type { Problem } from '../../base/problem.ts';
import { crashOf, isUserPlace, placesOf, problemsOf, thrown, userPlaceOf } from '../../base/thrown.ts';

/** Report of a thread whose model ended it unexpectedly. */
export type GuardReport =
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'crash'; readonly crash: { readonly message: string; readonly stack: string } };

/** Functions of `node:fs` that write to a file descriptor. */
const WRITERS = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync'] as const;
const APPENDERS = ['appendFile', 'appendFileSync'] as const;

/** Resources that keep the thread alive independently of the model, with their counts. */
let known = new Map<string, number>();
/** Set in a thread that {@link guardModel} has prepared. */
let reporter: ((end: GuardReport) => void) | undefined;

/**
 * Prepares this worker thread for the code of a model. Ending the process, uncaught exceptions and unhandled rejections
 * become problems with the model's line. Output to file descriptor 1 is redirected to standard error, because standard
 * output is reserved for the result. (The thread that starts this one redirects `process.stdout`.)
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
    // The original `exit` calls it.
    Object.assign(process, { reallyExit });
    return exit(0);
  };
  const refuse = (above: (...args: never[]) => unknown, what: string): never => {
    const { stack } = traceAbove(above);
    const message = `the model calls ${what}: a model must return`;
    return end({
      kind: 'problems',
      problems: [{ code: 'APP040', message, place: userPlaceOf(stack ?? '') ?? { file } }],
    });
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
      { code: 'APP042', message: `the model throws outside its build: ${text}`, place },
    ];
    return end({ kind: 'problems', problems });
  };
  process.on('uncaughtException', failed).on('unhandledRejection', failed);
  redirectDescriptor();
  watchReads();
  known = activeWork();
}

/** Makes the functions of `node:fs` write to standard error instead of standard output. */
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

/** Capturing a trace is cheap; reading `stack` writes its text, through the source maps of all its files. */
function traceAbove(above: ((...args: never[]) => unknown) | undefined): { readonly stack?: string } {
  const trace = {};
  Error.captureStackTrace(trace, above);
  return trace;
}

function plainCode(code: unknown): string {
  return typeof code === 'number' || typeof code === 'string' ? String(code).slice(0, 20) : '';
}

/** A warning if the model has left timers, servers or other work that keeps its thread alive. */
export function leftRunning(file: string): Problem[] {
  if (reporter === undefined) return [];
  const left = [...activeWork()].flatMap(([name, count]) => {
    const more = count - (known.get(name) ?? 0);
    return more > 0 ? [name] : [];
  });
  if (left.length === 0) return [];
  const message = `the model leaves work running (${left.join(', ')}), which is stopped`;
  return [{ code: 'APP043', message, place: { file } }];
}

function activeWork(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    // Ports and requests to files, which end by themselves, belong to Node and to this package.
    if (/^(?:MessagePort|FSReq|CloseReq|Worker)/.test(name)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/**
 * Awaits the import of a model. If nothing is left that could settle it, the thread would end silently; then APP041 is
 * reported with the line of the last pending `await`. Only calls `run` in threads without a guard.
 */
export async function guardedImport<T>(file: string, run: () => Promise<T>): Promise<T> {
  if (reporter === undefined) return run();
  const open = new Map<number, { readonly stack?: string }>();
  const hook = createHook({
    init: (id, type) => {
      if (type === 'PROMISE') open.set(id, traceAbove(undefined));
    },
    before: (id) => open.delete(id),
    promiseResolve: (id) => open.delete(id),
  });
  const stuck = (): void => {
    hook.disable();
    const places = [...open.values()].flatMap(({ stack = '' }) => placesOf(stack).find(isUserPlace) ?? []);
    const message = 'the module awaits a promise that never settles, so it cannot be loaded';
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

/** Lets Node report rejections that are still unhandled. Does nothing in threads without a guard. */
export async function unhandledRejections(): Promise<void> {
  if (reporter !== undefined) await setImmediate();
}
