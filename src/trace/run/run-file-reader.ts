import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { RunSink } from './batch.ts';
import { withRecordFile } from './record-file.ts';
import { RunBlockReader } from './run-block-reader.ts';

/**
 * Reads a binary run record and passes it on, checked. One block is in memory at a time.
 *
 * Throws InputError: REC001 not readable, REC002 another format or version, REC003 truncated or corrupt (with the byte
 * offset of the block), REC005 to REC009 for rows that break a rule.
 */
export function readRunFile(path: string, sink: RunSink): void {
  withRecordFile(path, (fd, size) =>
    new RunBlockReader(
      { name: path, size, bytes: (at, length) => bytesOf(fd, size, at, length), checksum: crc32 },
      sink,
    ).read(),
  );
}

/** Bytes of a file from an offset on; undefined past its end. */
function bytesOf(fd: number, size: number, at: number, length: number): Uint8Array | undefined {
  if (at + length > size) return undefined;
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const read = readSync(fd, bytes, done, length - done, at + done);
    if (read === 0) return undefined;
    done += read;
  }
  return bytes;
}
