import { statSync } from 'node:fs';

/** Size of a regular file in bytes; `undefined` if `path` is not one or `stat` fails (the job then reports the problem). */
export function fileSize(path: string): number | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : undefined;
  } catch {
    return undefined;
  }
}
