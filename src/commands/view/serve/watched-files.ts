import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Files whose changes are followed by looking at them: their size, inode and times. Editors that replace a file, file systems of
 * networks and containers need no other treatment then, which notifications of the system do. A look costs one call of `stat` a file.
 */
export class WatchedFiles {
  readonly #marks = new Map<string, string>();
  readonly #folders = new Map<string, string>();

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

  /**
   * Follows the folders of all files, too: they change when a file appears in them, such as a module that an import lacks.
   *
   * @param since a folder that was modified after this instant counts as changed, in milliseconds of `Date.now()`
   */
  addFolders(since: number): void {
    for (const folder of new Set([...this.#marks.keys()].map((file) => dirname(file)))) {
      const { mark, modified } = markOf(folder);
      if (!this.#folders.has(folder)) this.#folders.set(folder, modified >= since ? '' : mark);
    }
  }

  /** Ends following folders: whatever appears in them is not missing. */
  clearFolders(): void {
    this.#folders.clear();
  }

  /** Whether a file has changed since the last look, or otherwise a folder. */
  look(): 'file' | 'folder' | undefined {
    const inFolders = changeMarks(this.#folders);
    if (changeMarks(this.#marks)) return 'file';
    return inFolders ? 'folder' : undefined;
  }
}

/** Sets the marks to those of now; true if one has changed. */
function changeMarks(marks: Map<string, string>): boolean {
  let isChanged = false;
  for (const [file, before] of marks) {
    const { mark } = markOf(file);
    if (mark === before) continue;
    marks.set(file, mark);
    isChanged = true;
  }
  return isChanged;
}

function markOf(file: string): { readonly mark: string; readonly modified: number } {
  try {
    const { size, ino, mtimeMs, ctimeMs } = statSync(file);
    return { mark: [size, ino, mtimeMs, ctimeMs].join(' '), modified: mtimeMs };
  } catch (error) {
    return { mark: (error as NodeJS.ErrnoException).code ?? 'none', modified: 0 };
  }
}
