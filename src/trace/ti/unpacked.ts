import { readSync } from 'node:fs';
import type { OpenText, Source } from './source.ts';
import { openTemporary, type Temporary } from './temporary.ts';

/** Unpacked and piped texts, one after the other in a temporary file that is created with the first text. */
export class Unpacked {
  #file: Temporary | undefined;
  size = 0;

  /** The temporary file; the next text is written from {@link size} on. */
  get file(): Temporary {
    this.#file ??= openTemporary('unpacked trace');
    return this.#file;
  }

  /** The text that was written from `from` on, as a source. */
  source(name: string, from: number): Source {
    const { fd } = this.file;
    const size = this.size - from;
    const text: OpenText = {
      fd,
      from,
      read: (buffer, at, length, position) =>
        readSync(fd, buffer, at, Math.max(0, Math.min(length, size - position)), from + position),
    };
    return { name, size, open: (use) => use(text) };
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}
