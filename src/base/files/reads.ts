/** Fields of `fs.Stats`, declared here because users may not have `@types/node`. */
interface FileStatus {
  readonly dev: number;
  readonly ino: number;
  readonly birthtimeMs: number;
}

/**
 * A file by its device, inode and time of creation: the same under every name and through every link. The time distinguishes a new
 * file from a removed one whose inode it got.
 */
export type FileKey = `${number}:${number}:${number}`;

export const fileKey = ({ dev, ino, birthtimeMs }: FileStatus): FileKey => `${dev}:${ino}:${birthtimeMs}`;

let read: Map<FileKey, string> | undefined;

/** From now on, files that are read cannot be outputs. Commands call this once; library callers may overwrite their inputs. */
export function rememberReads(): void {
  read ??= new Map();
}

/** Notes that a file was read, also by another thread. */
export function noteRead(key: FileKey, path: string): void {
  if (read?.has(key) === false) read.set(key, path);
}

/** The path under which a file was read; undefined if it was not. */
export function readAs(key: FileKey): string | undefined {
  return read?.get(key);
}

/** All files that were read, for another thread. */
export function filesRead(): readonly (readonly [FileKey, string])[] {
  return [...(read ?? [])];
}
