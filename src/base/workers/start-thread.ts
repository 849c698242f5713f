import { availableParallelism } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Number of threads for work that can be shared, unless the user names one: that of the processors. Where the sources run without a
 * build, a thread translates all modules anew, which takes longer than most of this work.
 */
export const usualThreads = (): number => (import.meta.url.endsWith('.ts') ? 1 : availableParallelism());

/**
 * Files that threads run instead of modules of this package, by URL. Tests fill it with bundles: a loader of TypeScript takes
 * about four seconds of processor time for each thread.
 */
export const threadFiles: Map<string, URL> = new Map();

/**
 * Starts a worker thread on a module of this package. Also works if that module, or a module that it imports, is TypeScript.
 *
 * @param module its source (`.ts`) or the compiled file (`.js`)
 * @param typed true if the thread imports TypeScript of a user
 */
export function startThread(module: URL, options: WorkerOptions, typed = false): Worker {
  const file = threadFiles.get(module.href) ?? module;
  const loader = (typed || file.pathname.endsWith('.ts')) && !readsTypes() ? typeLoader() : undefined;
  if (loader === undefined) return new Worker(file, options);
  // On Node 20 a loader passed as an option of the thread has no effect in it, so the thread registers the loader.
  const start = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(file.href)}); });`;
  return new Worker(start, { ...options, eval: true });
}

/** True if Node runs TypeScript without a loader. */
function readsTypes(): boolean {
  const { typescript } = process.features as { readonly typescript?: string | boolean };
  return (typescript ?? false) !== false;
}

/** The installed TypeScript loader (tsx); undefined if not installed: importing the module then reports it. */
function typeLoader(): string | undefined {
  try {
    return import.meta.resolve('tsx/esm/api');
  } catch {
    return undefined;
  }
}

/** Flag of Node.js (20.15 or newer) by which V8 compiles explicit bounds checks instead of reserving guard regions. */
export const UNGUARDED: string = '--disable-wasm-trap-handler';

/** True if this process was started with {@link UNGUARDED}. */
export function isUnguarded(): boolean {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ').includes(UNGUARDED);
}
