import { realpathSync, statSync } from 'node:fs';

/** Where an output goes: it is written to `temporary` and renamed to `target`, or, without one, written directly. */
export interface OutputFile {
  /** The path with links resolved, so that a link stays one and the file it names is replaced. */
  readonly target: string;
  /** Undefined where the target is no regular file (/dev/null, a named pipe). */
  readonly temporary: string | undefined;
}

/** Where to write so that nothing half-done ever has the output's name. Opens nothing. */
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
