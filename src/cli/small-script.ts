import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { CacheFolder } from '../base/files/cache-folder.ts';
import { VERSION } from '../base/version.ts';
import type { predictCommand } from '../commands/predict/command.ts';
import type { runCommandLine } from './command-line.ts';
import { cacheFolder } from './kernel-cache.ts';

/** Name of the script of small jobs, which `scripts/bundle.mjs` makes; undefined where the sources run without a build. */
declare const SMALL_SCRIPT: string | undefined;

/** Exports of the script. */
interface Exports {
  readonly runCommandLine: typeof runCommandLine;
  readonly predictCommand: typeof predictCommand;
}

/** The script is a function; these are its parameters. */
type SmallScript = (exports: object, require: NodeJS.Require, module: object, filename: string) => void;

/**
 * Runs a command line that `looksSmall` accepts, and returns its exit code. One script has all modules that it needs: finding, reading
 * and linking the files of the whole program takes longer than a small prediction.
 *
 * @returns undefined, without side effects, where there is no script, or if the job proves not to be small: the script has its own
 * instances of all modules, so that the whole program must begin anew
 */
export async function runSmall(argv: readonly string[]): Promise<number | undefined> {
  if (typeof SMALL_SCRIPT === 'undefined') return undefined;
  const url = new URL(SMALL_SCRIPT, import.meta.url);
  const file = fileURLToPath(url);
  const own = { exports: {} };
  (compiledScript(file).runInThisContext() as SmallScript)(own.exports, createRequire(url), own, file);
  const { runCommandLine, predictCommand } = own.exports as Exports;
  return new Promise((end, fail) => {
    // A small job runs in this thread. Nothing is printed or written before another one is asked for, and then nothing goes on.
    const other = (): Promise<never> => {
      end(undefined);
      return new Promise(() => {});
    };
    runCommandLine([predictCommand], argv, { runJob: other, forkJob: other }).then(end, fail);
  });
}

/**
 * Its compiled code is kept in the user's cache folder when the first run ends: it then contains the functions that a run needs.
 * Node's own cache, from version 22.8 on, keeps code of modules, and this is one script.
 */
function compiledScript(file: string): Script {
  const bytes = readFileSync(file);
  const text = bytes.toString('latin1');
  const folder = cacheFolder(process.env, process.platform);
  if (folder === undefined) return new Script(text, { filename: file });
  const cache = new CacheFolder(folder, `compiled script, foretoken ${VERSION}`);
  // V8 compares lengths of texts only, and refuses code of another version or of other flags; each has its own entry here.
  const flags = [process.version, process.arch, ...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].join(' ');
  const key = `${createHash('sha256').update(bytes).digest('hex')} ${flags}`;
  const cachedData = cache.read(key);
  const script = new Script(text, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', () => cache.write(key, script.createCachedData()));
  return script;
}
