import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Files whose changes are followed by looking at them: their size, inode and times. Editors that replace a file, file systems of
 * networks and containers need no other treatment then, which notifications of the system do. A look costs one call of `stat` a file.
 */
export class WatchedFiles {
  readonly #marks = new Map<string, string>();

  /**
   * From now on, follows these files in addition. Files and folders that do not exist are followed, too: they change when they appear.
   *
   * @param since a file that is new here and was modified after this instant counts as changed, in milliseconds of `Date.now()`
   */
  add(paths: Iterable<string>, since: number = Number.POSITIVE_INFINITY): void {
    for (const path of paths) {
      const file = resolve(path);
      if (this.#marks.has(file)) continue;
      const { mark, modified } = markOf(file);
      this.#marks.set(file, modified >= since ? '' : mark);
    }
  }

  /** The folders of all files. They change when a file appears in them, such as a module that an import lacks. */
  get folders(): string[] {
    return [...new Set([...this.#marks.keys()].map((file) => dirname(file)))];
  }

  /** True if a file has changed since the last look. */
  look(): boolean {
    let isChanged = false;
    for (const [file, before] of this.#marks) {
      const { mark } = markOf(file);
      if (mark === before) continue;
      this.#marks.set(file, mark);
      isChanged = true;
    }
    return isChanged;
  }

  /** Ends following all files. */
  clear(): void {
    this.#marks.clear();
  }
}

function markOf(file: string): { readonly mark: string; readonly modified: number } {
  try {
    const { size, ino, mtimeMs, ctimeMs } = statSync(file);
    return { mark: [size, ino, mtimeMs, ctimeMs].join(' '), modified: mtimeMs };
  } catch (error) {
    return { mark: (error as NodeJS.ErrnoException).code ?? 'none', modified: 0 };
  }
}
