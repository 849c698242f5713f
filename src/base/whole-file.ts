import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { outputFile } from './output-file.ts';
import { fail } from './problem.ts';

/** Write buffer size in bytes. */
const BLOCK = 1 << 17;

/**
 * A file that appears under its name only when it is complete. It is written under a temporary name in the target's folder
 * and renamed by {@link close}; {@link abort} removes it. A target that is not a regular file (/dev/null, a named pipe) is
 * written directly. If writing fails, methods throw InputError with the given code and remove the temporary file.
 */
export class WholeFile {
  readonly #code: string;
  readonly #target: string;
  readonly #temporary: string | undefined;
  readonly #block = Buffer.allocUnsafe(BLOCK);
  #used = 0;
  #file: number | undefined;

  constructor(path: string, code: string) {
    this.#code = code;
    ({ target: this.#target, temporary: this.#temporary } = outputFile(path));
    try {
      if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
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
    if (this.#file === undefined) return;
    this.#flush();
    try {
      closeSync(this.#file);
      this.#file = undefined;
      if (this.#temporary !== undefined) renameSync(this.#temporary, this.#target);
    } catch (error) {
      this.#fail(error);
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
      if (this.#temporary !== undefined) rmSync(this.#temporary, { force: true });
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
