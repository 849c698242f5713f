import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread on a module of the product, also where that is TypeScript yet, or is to import TypeScript.
 *
 * @param module its source (`.ts`) or what was built of it (`.js`)
 * @param typed whether the thread imports TypeScript of a user
 */
export function startThread(module: URL, options: WorkerOptions, typed = false): Worker {
  const loader = (typed || module.pathname.endsWith('.ts')) && !readsTypes() ? typeLoader() : undefined;
  if (loader === undefined) return new Worker(module, options);
  // On Node 20 a loader that a thread is started with does not take hold in it: the thread registers it itself.
  const start = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(module.href)}); });`;
  return new Worker(start, { ...options, eval: true });
}

/** Whether Node itself reads TypeScript. */
function readsTypes(): boolean {
  const { typescript } = process.features as { readonly typescript?: string | boolean };
  return (typescript ?? false) !== false;
}

/** The loader that is installed beside this product, if there is one: else the import of the module says what is missing. */
function typeLoader(): string | undefined {
  try {
    return import.meta.resolve('tsx/esm/api');
  } catch {
    return undefined;
  }
}
