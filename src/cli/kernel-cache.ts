import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CacheFolder } from '../base/files/cache-folder.ts';
import { VERSION } from '../base/version.ts';
import { storeKernels } from '../kernel/stored-kernels.ts';

/**
 * Hash of the sources of the translator, which `scripts/bundle.mjs` inserts. Builds of one version with different
 * translators share no entries, and a build on another machine or at another time does not lose them, as it would with sizes or
 * times of files. Undefined where the sources run without a build: then nothing is kept.
 */
declare const TRANSLATOR: string | undefined;

/** Changes when the contents of entries change. */
const FORMAT = 1;

/** From now on, kernels translated in this thread are kept in the user's cache folder. */
export function cacheKernels(): void {
  const folder = cacheFolder(process.env, process.platform);
  if (folder === undefined || typeof TRANSLATOR === 'undefined') return;
  storeKernels(new CacheFolder(folder, `foretoken ${VERSION}, translator ${TRANSLATOR}, format ${FORMAT}`));
}

/**
 * The folder that `FORETOKEN_CACHE` names, or the usual one of the system; `undefined` if neither exists. A value that is no
 * absolute path, such as `off`, disables the cache: a run must not fail because of its cache.
 */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const given = env['FORETOKEN_CACHE'] ?? '';
  if (given !== '') return absolute(given);
  if (platform === 'win32') return absolute(env['LOCALAPPDATA'], 'foretoken', 'cache');
  if (platform === 'darwin') return absolute(home(), 'Library', 'Caches', 'foretoken');
  return absolute(env['XDG_CACHE_HOME'], 'foretoken') ?? absolute(home(), '.cache', 'foretoken');
}

const absolute = (start = '', ...rest: readonly string[]): string | undefined =>
  isAbsolute(start) ? join(start, ...rest) : undefined;

function home(): string | undefined {
  try {
    return homedir();
  } catch {
    // A user without an entry in the system's list, as in containers.
    return undefined;
  }
}
