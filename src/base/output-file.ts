import { realpathSync, rmSync, statSync } from 'node:fs';

/** Where an output is written: to `temporary`, which is then renamed to `target`; without `temporary`, directly to `target`. */
export interface OutputFile {
  /** The path with links resolved: a symbolic link is kept, and the file it points to is replaced. */
  readonly target: string;
  /** Undefined if the target is not a regular file (/dev/null, a named pipe). */
  readonly temporary: string | undefined;
}

/** Chooses where to write so that no incomplete file ever has the output's name. Opens nothing. */
export function outputFile(path: string): OutputFile {
  const target = resolved(path);
  return { target, temporary: isSpecial(target) ? undefined : temporaryName(path) };
}

/** The name under which an output is written until it is complete; the same for every call in one process. */
export function temporaryName(path: string): string {
  return `${resolved(path)}.${process.pid}.tmp`;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** False also for a path that cannot be accessed: writing to it reports the reason. */
function isSpecial(path: string): boolean {
  try {
    return !statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Removes an incomplete output. Never throws: the reason why the output was not written is reported instead. */
export function discard(temporary: string): void {
  try {
    rmSync(temporary, { force: true });
  } catch {
    // Such as a path that is too long; then there is no file.
  }
}
