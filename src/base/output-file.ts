import { realpathSync, statSync } from 'node:fs';

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

function isSpecial(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile();
}
