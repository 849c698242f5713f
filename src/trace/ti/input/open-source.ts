import { fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { withInput } from '../../../base/input-file.ts';
import { fail } from '../../../base/problem.ts';
import { gunzip } from './gunzip.ts';
import type { Limits, OpenText, Source } from './source.ts';
import { copyStream } from './stream.ts';
import { openTemporary, reason, type Temporary } from './temporary.ts';

/**
 * Opens a trace file, a listing, or a member of a listing. `-` is standard input. Pipes and devices are copied, and
 * gzip data (recognized by the first two bytes) are unpacked, both to a temporary file. Throws TI001 not readable,
 * TI002 empty, TI003 binary, TI004 line too long, TI005 damaged gzip data or too large, TI008 no space.
 */
export function openSource(path: string, unpacked: Unpacked, limits: Limits): Source {
  const name = path === '-' ? '<stdin>' : path;
  const stats = path === '-' ? fstatSync(0) : statistics(path, name);
  if (stats.isDirectory())
    fail('TI001', 'expected a trace file or a listing of trace files, got a directory.', { file: name });
  const source =
    path !== '-' && stats.isFile()
      ? plainFile(path, name, stats)
      : withDescriptor(path, name, (fd) => {
          const from = unpacked.size;
          unpacked.size = copyStream(fd, unpacked.file, from, name, limits);
          return unpacked.source(name, from);
        });
  if (source.size === 0)
    fail('TI002', 'the file is empty: expected lines "<rank> <action> <arguments>".', { file: name });
  const magic = Buffer.alloc(2);
  if (source.open((text) => text.read(magic, 0, 2, 0)) < 2 || magic[0] !== 0x1f || magic[1] !== 0x8b) return source;
  const from = unpacked.size;
  unpacked.size = source.open((text) => gunzip(text, source.size, unpacked.file, from, name, limits));
  if (unpacked.size === from) fail('TI002', 'the compressed file is empty.', { file: name });
  return unpacked.source(name, from);
}

function plainFile(path: string, name: string, stats: Stats): Source {
  const unchanged = (now: Stats): boolean =>
    now.size === stats.size && now.mtimeMs === stats.mtimeMs && now.ino === stats.ino && now.dev === stats.dev;
  return {
    name,
    size: stats.size,
    open: (use) =>
      withDescriptor(path, name, (fd) => {
        const check = (): void => {
          if (!unchanged(fstatSync(fd)))
            fail('TI007', 'the file changed while it was read; read it again when it is complete.', {
              file: name,
            });
        };
        check();
        const result = use({
          fd,
          from: 0,
          read: (buffer, at, length, position) => readSync(fd, buffer, at, length, position),
        });
        check();
        return result;
      }),
  };
}

function withDescriptor<T>(path: string, name: string, use: (fd: number) => T): T {
  if (path === '-') return use(0);
  return withInput(path, { code: 'TI001', name, accepts: 'streams', unreadable: unreadableText }, ({ fd }) => {
    try {
      return use(fd);
    } catch (error) {
      if (error instanceof Error && 'syscall' in error) return unreadable(error, name);
      throw error;
    }
  });
}

function statistics(path: string, name: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    return unreadable(error, name);
  }
}

function unreadable(error: unknown, name: string): never {
  return fail('TI001', unreadableText(error), { file: name });
}

const unreadableText = (error: unknown): string => `cannot read the file: ${reason(error)}.`;

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
