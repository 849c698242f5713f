import { closeSync, linkSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import type { Code } from '../codes.ts';
import { fail, InputError } from '../problem.ts';
import { discard, nameOutput, type OpenOutput, openOutput } from './output-file.ts';

/** Write buffer size in bytes. */
const BLOCK = 1 << 17;

/** Saved when this module loads. Writes of a model to descriptor 1 may later be redirected to standard error; outputs must not be. */
const writeBytes = writeSync;

/**
 * A file that appears under its name only when it is complete. It is written under a temporary name in the target's folder
 * and renamed by {@link close}; {@link abort} removes it. A target that is not a regular file (/dev/null, a named pipe) is
 * written directly. If writing fails, methods throw InputError with the given code and remove the temporary file.
 */
export class WholeFile {
  readonly #code: Code;
  readonly #path: string;
  readonly #output: OpenOutput | undefined;
  readonly #block = Buffer.allocUnsafe(BLOCK);
  #used = 0;
  #file: number | undefined;
  #isNamed = false;

  constructor(path: string, code: Code) {
    this.#code = code;
    this.#path = path;
    try {
      this.#output = openOutput(path, code);
      this.#file = this.#output.fd;
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
   * Completes several files, then renames all of them to their targets. If one of them cannot be completed or renamed, none is
   * changed: targets that have already been replaced get their previous contents back. Only an end of the process between
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

  /** Writes the buffered bytes and closes the file; false if it is closed already. */
  #complete(): boolean {
    const file = this.#file;
    if (file === undefined) return false;
    this.#flush();
    this.#guarded(() => {
      this.#file = undefined;
      // Standard output and standard error stay open.
      if (file > 2) closeSync(file);
    });
    return true;
  }

  #rename(): void {
    nameOutput(this.#output!);
    this.#isNamed = true;
  }

  /** Links the file that will be replaced under a second name; undefined without such a file. */
  #keepEarlier(): string | undefined {
    const { target, temporary } = this.#output!;
    if (temporary === undefined || statSync(target, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const earlier = `${temporary}.old`;
    try {
      linkSync(target, earlier);
    } catch {
      // A file system without links: the old file has no name for a moment.
      renameSync(target, earlier);
    }
    return earlier;
  }

  #restore(earlier: string | undefined): void {
    const { target, temporary } = this.#output!;
    if (earlier !== undefined) {
      renameSync(earlier, target);
      // Renaming a second name of the same file does nothing.
      rmSync(earlier, { force: true });
    } else if (this.#isNamed && temporary !== undefined) rmSync(target, { force: true });
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
      if (file !== undefined && file > 2) closeSync(file);
    } finally {
      const temporary = this.#output?.temporary;
      if (temporary !== undefined) discard(temporary);
    }
  }

  #flush(): void {
    this.#writeAll(this.#block.subarray(0, this.#used));
    this.#used = 0;
  }

  #writeAll(bytes: Uint8Array): void {
    if (this.#file === undefined) throw new Error('the file is closed');
    try {
      for (let done = 0; done < bytes.length; ) done += written(this.#file, bytes, done);
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
    if (error instanceof InputError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return fail(this.#code, `cannot be written: ${code ?? String(error)}`, { file: this.#path });
  }
}

/** Writes bytes from `from` on and returns their number; 0 if the reader of a socket has not yet read the earlier ones. */
function written(file: number, bytes: Uint8Array, from: number): number {
  try {
    return writeBytes(file, bytes, from);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(PAUSE, 0, 0, 5);
    return 0;
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
