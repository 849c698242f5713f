import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadFiles } from '../src/base/workers/start-thread.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** As deep as `dist/cli`, because modules find files of the package relative to themselves. */
const FOLDER = `${ROOT}.threads`;
/** Modules that threads run. */
const MODULES = [
  'src/analysis/space/packed/packed-worker.ts',
  'src/commands/steady/simulated/steady-worker.ts',
  'src/commands/workers/scenario-worker.ts',
];
/** Entries of the package, which models import. */
const ENTRIES = ['src/index.ts', 'src/models.ts'];
/** Other modules under the names that threads know. */
const RENAMED = { 'resolve-own-package': 'test/bundled-imports.ts' };

/** Bundles the modules of threads for the processes of this test run; returns the function that removes the bundles. */
export async function bundleThreads(): Promise<() => void> {
  for (const pid of existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    if (!isRunning(Number(pid))) rmSync(`${FOLDER}/${pid}`, { recursive: true, force: true });
  const folder = `${FOLDER}/${process.pid}`;
  mkdirSync(folder, { recursive: true });
  // Only the process that starts the others needs it.
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...Object.fromEntries([...MODULES, ...ENTRIES].map((path) => [basename(path, '.ts'), path])),
      ...RENAMED,
    },
    entryNames: '[name]',
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  process.env['FORETOKEN_TEST_THREADS'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Lets threads that this process starts run the bundles. */
export function useThreadBundles(): void {
  const folder = process.env['FORETOKEN_TEST_THREADS'];
  if (folder === undefined) return;
  for (const module of MODULES)
    threadFiles.set(pathToFileURL(`${ROOT}${module}`).href, pathToFileURL(`${folder}/${basename(module, '.ts')}.js`));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
