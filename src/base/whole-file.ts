import { closeSync, linkSync, openSync, realpathSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import type { Code } from './codes.ts';
import { fail } from './problem.ts';

/** Write buffer size in bytes. */
const BLOCK = 1 << 17;

/**
 * A file that appears under its name only when it is complete. It is written under a temporary name in the target's folder
 * and renamed by {@link close}; {@link abort} removes it. A target that is not a regular file (/dev/null, a named pipe) is
 * written directly. If writing fails, methods throw InputError with the given code and remove the temporary file.
 */
export class WholeFile {
  readonly #code: Code;
  readonly #target: string;
  readonly #temporary: string | undefined;
  readonly #block = Buffer.allocUnsafe(BLOCK);
  #used = 0;
  #file: number | undefined;
  #isNamed = false;

  constructor(path: string, code: Code) {
    this.#code = code;
    ({ target: this.#target, temporary: this.#temporary } = outputFile(path));
    try {
      if (this.#temporary !== undefined) discard(this.#temporary);
      this.#file = openSync(this.#temporary ?? this.#target, this.#temporary === undefined ? 'w' : 'wx');
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Appends bytes, or a string as UTF-8. */
  write(data: Uint8Array | string): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (this.#used + bytes.length > BLOCK) this.#flush();
    if (bytes.length > BLOCK) this.#writeAll(bytes);
    else {
      this.#block.set(bytes, this.#used);
      this.#used += bytes.length;
    }
  }

  /** Completes the file and gives it its name. Later calls do nothing. */
  close(): void {
    if (this.#complete()) this.#guarded(() => this.#rename());
  }

  /**
   * Completes several files, then gives all of them their names. If one of them cannot be completed or named, none is
   * changed: files that have their names already are replaced by what was there before. Only an end of the process between
   * two of the renames leaves a part of the new files.
   */
  static closeTogether(files: readonly WholeFile[]): void {
    const named: { readonly file: WholeFile; readonly earlier: string | undefined }[] = [];
    try {
      for (const file of files) file.#complete();
      for (const file of files) {
        const earlier = file.#guarded(() => file.#keepEarlier());
        named.push({ file, earlier });
        file.#guarded(() => file.#rename());
      }
    } catch (error) {
      for (const { file, earlier } of named.reverse()) file.#restore(earlier);
      for (const file of files) file.abort();
      throw error;
    }
    for (const { earlier } of named) if (earlier !== undefined) rmSync(earlier, { force: true });
  }

  /** Writes what is left; false where the file is closed. */
  #complete(): boolean {
    const file = this.#file;
    if (file === undefined) return false;
    this.#flush();
    this.#guarded(() => {
      this.#file = undefined;
      closeSync(file);
    });
    return true;
  }

  #rename(): void {
    if (this.#temporary !== undefined) renameSync(this.#temporary, this.#target);
    this.#isNamed = true;
  }

  /** A second name for the file that is replaced; undefined if there is none. */
  #keepEarlier(): string | undefined {
    if (this.#temporary === undefined || statSync(this.#target, { throwIfNoEntry: false })?.isFile() !== true)
      return undefined;
    const earlier = `${this.#temporary}.old`;
    rmSync(earlier, { force: true });
    try {
      linkSync(this.#target, earlier);
    } catch {
      // A file system without links: the old file has no name for a moment.
      renameSync(this.#target, earlier);
    }
    return earlier;
  }

  #restore(earlier: string | undefined): void {
    if (earlier !== undefined) {
      renameSync(earlier, this.#target);
      // Renaming a second name of the same file does nothing.
      rmSync(earlier, { force: true });
    } else if (this.#isNamed && this.#temporary !== undefined) rmSync(this.#target, { force: true });
  }

  #guarded<T>(use: () => T): T {
    try {
      return use();
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Discards everything written. An existing file of that name remains unchanged. */
  abort(): void {
    const file = this.#file;
    this.#file = undefined;
    this.#used = 0;
    try {
      if (file !== undefined) closeSync(file);
    } finally {
      if (this.#temporary !== undefined) discard(this.#temporary);
    }
  }

  #flush(): void {
    this.#writeAll(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }

  #writeAll(bytes: Uint8Array): void {
    if (this.#file === undefined) throw new Error('the file is closed');
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    try {
      this.abort();
    } catch {
      // The first error is reported.
    }
    const { code } = error as NodeJS.ErrnoException;
    return fail(this.#code, `cannot be written: ${code ?? String(error)}`, { file: this.#target });
  }
}

/** Where an output is written: to `temporary`, which is then renamed to `target`; without `temporary`, directly to `target`. */
interface OutputFile {
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
