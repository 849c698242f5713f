import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../../base/problem.ts';

/** Files that could not be unlinked while open (Windows); removed when closed or when the process exits. */
const left = new Set<string>();

/** A temporary file without a name: the system frees it when it is closed or when the process ends for any reason. */
export interface Temporary {
  readonly fd: number;
  /** Throws TI008 if the disk is full. */
  write(bytes: Uint8Array, position: number): void;
  /** Fills `bytes`; throws TI008 if the file is too short. */
  read(bytes: Uint8Array, position: number): void;
  close(): void;
}

/** Opens a temporary file in the system's folder (`TMPDIR`). `purpose` is used in the message of TI008. */
export function openTemporary(purpose: string): Temporary {
  const path = join(tmpdir(), `foretoken-${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
  const broken = (error: unknown): never =>
    fail(
      'TI008',
      `cannot use a temporary file for the ${purpose} (${reason(error)}); set TMPDIR to a directory with free space.`,
      {
        file: path,
      },
    );
  let fd: number;
  try {
    fd = openSync(path, 'wx+', 0o600);
  } catch (error) {
    return broken(error);
  }
  try {
    unlinkSync(path);
  } catch {
    if (left.size === 0) process.once('exit', () => left.forEach(remove));
    left.add(path);
  }
  let open = true;
  return {
    fd,
    write(bytes, position) {
      try {
        for (let done = 0; done < bytes.length; ) {
          done += writeSync(fd, bytes, done, bytes.length - done, position + done);
        }
      } catch (error) {
        broken(error);
      }
    },
    read(bytes, position) {
      try {
        for (let done = 0; done < bytes.length; ) {
          const got = readSync(fd, bytes, done, bytes.length - done, position + done);
          if (got === 0) throw new Error('it is shorter than written');
          done += got;
        }
      } catch (error) {
        broken(error);
      }
    },
    close() {
      if (!open) return;
      open = false;
      closeSync(fd);
      if (left.delete(path)) remove(path);
    },
  };
}

/** The message of a system error without the call and path that Node adds. */
export function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/^[A-Z]+: /, '').replace(/, \w+( '.*')?$/s, '');
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Already gone.
  }
}
