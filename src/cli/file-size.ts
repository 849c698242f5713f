import { statSync } from 'node:fs';

/** Bytes of a regular file; undefined of what is none, or cannot be asked: then the job says what is wrong with it. */
export function fileSize(path: string): number | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : undefined;
  } catch {
    return undefined;
  }
}
