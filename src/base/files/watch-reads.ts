import { statSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fileKey, noteRead } from './reads.ts';

type Call = (path: unknown, ...rest: unknown[]) => unknown;

/** Functions of `node:fs` and `node:fs/promises` that read a file, or open one with the flags of their second argument. */
const READERS = ['readFileSync', 'readFile', 'createReadStream'] as const;
const OPENERS = ['openSync', 'open'] as const;

/**
 * Notes the files that the code of a model reads, such as a table of sizes, so that no output overwrites them. For threads
 * that run the code of a user: it replaces functions of `node:fs`.
 */
export function watchReads(): void {
  const fs = createRequire(import.meta.url)('node:fs') as Record<string, Call> & { promises: Record<string, Call> };
  for (const functions of [fs, fs.promises]) {
    for (const name of READERS) wrap(functions, name, () => true);
    for (const name of OPENERS) wrap(functions, name, isReading);
  }
  syncBuiltinESMExports();
}

function wrap(functions: Record<string, Call>, name: string, reads: (flags: unknown) => boolean): void {
  const call = functions[name];
  if (call === undefined) return;
  functions[name] = function (this: unknown, path: unknown, ...rest: unknown[]) {
    try {
      const isPath = typeof path === 'string' || path instanceof URL || path instanceof Uint8Array;
      if (isPath && reads(rest[0])) {
        const stats = statSync(path as string);
        if (stats.isFile()) noteRead(fileKey(stats), path instanceof URL ? fileURLToPath(path) : String(path));
      }
    } catch {
      // The call itself reports the error of the path.
    }
    return call.call(this, path, ...rest);
  };
}

/** Without flags, files are opened for reading; numbers hold the access mode in their lowest two bits, 1 for writing only. */
function isReading(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & 3) !== 1;
  return typeof flags === 'string' ? /^r/.test(flags) : true;
}
