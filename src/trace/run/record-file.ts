import { closeSync, fstatSync, openSync } from 'node:fs';
import { fail } from '../../base/problem.ts';

/**
 * Opens a regular file for reading, for the duration of `use`.
 *
 * @throws InputError REC001 if the file cannot be opened, or is a directory, a device or a pipe
 */
export function withRecordFile<T>(path: string, use: (fd: number, size: number) => T): T {
  const fd = opened(path);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) fail('REC001', 'is not a regular file', { file: path });
    return use(fd, stats.size);
  } finally {
    closeSync(fd);
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (e) {
    return fail('REC001', `cannot be read: ${(e as NodeJS.ErrnoException).code ?? 'unknown error'}`, { file: path });
  }
}
