import { statSync } from 'node:fs';
import Module, { createRequire, register } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { fileKey, noteRead } from '../../base/files/reads.ts';
import { packageFilesOf, tsconfigFiles } from './package-files.ts';

/** Imports a module. The command line, which is bundled, passes its own function. */
export type Import = (url: string) => Promise<Readonly<Record<string, unknown>>>;

const { port1: reports, port2: reporter } = new MessageChannel();
reports.unref();

let prepared = false;

/**
 * Enables importing TypeScript modules, and `foretoken` from files outside any package. The loader hooks report the URL of every
 * module that is loaded.
 */
export async function prepare(load: Import): Promise<void> {
  if (prepared) return;
  prepared = true;
  // `require` has a separate loader, for CommonJS files.
  for (const api of ['tsx/cjs/api', 'tsx/esm/api']) ((await load(api))['register'] as () => unknown)();
  requireOwnPackage();
  const ending = extname(new URL(import.meta.url).pathname) === '.ts' ? 'ts' : 'js';
  const hooks = new URL(`./resolve-own-package.${ending}`, import.meta.url);
  register(hooks, { data: { reporter }, transferList: [reporter] });
}

type Resolver = (request: string, ...rest: unknown[]) => string;

/** As the hooks of `resolve-own-package.ts`, for `require`: `foretoken` is this package where a file does not find it. */
function requireOwnPackage(): void {
  const loader = Module as unknown as { _resolveFilename: Resolver };
  const { _resolveFilename: find } = loader;
  const own = createRequire(import.meta.url);
  let isOwn = false;
  loader._resolveFilename = function (this: unknown, request, ...rest) {
    try {
      return find.call(this, request, ...rest);
    } catch (e) {
      if (isOwn || !/^foretoken(?:\/|$)/.test(request)) throw e;
      isOwn = true;
      try {
        return own.resolve(request);
      } finally {
        isOwn = false;
      }
    }
  };
}

/**
 * Notes all files that the import of the modules loaded so far has read: the modules, the `package.json` files that decided how
 * they were loaded, and the settings of the loader. No output overwrites them.
 */
export function noteLoadedModules(): void {
  const modules = new Set<string>();
  for (let got = receiveMessageOnPort(reports); got !== undefined; got = receiveMessageOnPort(reports))
    modules.add(fileURLToPath((got as { message: string }).message));
  for (const path of Object.keys(createRequire(import.meta.url).cache)) modules.add(path);
  for (const file of new Set([...modules, ...[...modules].flatMap(packageFilesOf), ...tsconfigFiles()])) note(file);
}

function note(file: string): void {
  try {
    noteRead(fileKey(statSync(file)), file);
  } catch {
    // Not a file, such as a module of another loader.
  }
}
