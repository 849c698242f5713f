import { fail } from '../../../base/problem.ts';
import type { Source } from './source.ts';

export interface BlockOptions {
  /** Approximate bytes per block. */
  readonly blockBytes: number;
  /** Maximum length of a line in bytes (TI004). */
  readonly lineBytes: number;
  /** Position to start from; must be the start of a line. Default 0. */
  readonly from?: number;
}

/** Bytes after a block that may be read, also by the visitor. They hold an added line feed or older data. */
export const SLACK = 64;

/** Receives whole lines: `bytes[from … to − 1]` ends with a line feed. `position` is the position of `from` in the text. */
export type BlockVisitor = (bytes: Buffer, from: number, to: number, position: number) => boolean | undefined;

/**
 * Reads a text block by block, each ending at a line end, until `visit` returns false. A line feed is added to the last
 * line if it has none; a byte order mark is skipped. Memory: one block, or twice the longest line. Throws TI004 for a
 * line over the limit and TI007 if the text is shorter than expected.
 */
export function readBlocks(source: Source, options: BlockOptions, visit: BlockVisitor): void {
  const { lineBytes } = options;
  source.open((text) => {
    let buffer = Buffer.allocUnsafeSlow(Math.min(options.blockBytes, Math.max(source.size, 64)) + SLACK);
    let position = options.from ?? 0;
    let have = 0;
    for (;;) {
      const want = Math.min(buffer.length - SLACK - have, source.size - position - have);
      const got = want > 0 ? text.read(buffer, have, want, position + have) : 0;
      if (want > 0 && got === 0) fail('TI007', 'the file became shorter while it was read.', { file: source.name });
      have += got;
      const last = position + have >= source.size;
      if (have === 0) return;
      let end = have;
      if (last) {
        if (buffer[have - 1] !== 10) buffer[end++] = 10;
      } else end = buffer.lastIndexOf(10, have - 1) + 1;
      const longest = end === 0 ? have : 0;
      if (longest > lineBytes) tooLong(source, position, lineBytes);
      if (end === 0) {
        if (have < buffer.length - SLACK) continue;
        const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 2, lineBytes + 65) + SLACK);
        buffer.copy(larger, 0, 0, have);
        buffer = larger;
        continue;
      }
      const from = position === 0 && buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
      if (visit(buffer, from, end, position + from) === false || last) return;
      buffer.copyWithin(0, end, have);
      position += end;
      have -= end;
    }
  });
}

function tooLong(source: Source, position: number, lineBytes: number): never {
  let line = 1;
  const buffer = Buffer.allocUnsafe(1 << 16);
  source.open((text) => {
    for (let at = 0; at < position; ) {
      const got = text.read(buffer, 0, Math.min(buffer.length, position - at), at);
      if (got === 0) break;
      for (let i = 0; i < got; i++) if (buffer[i] === 10) line++;
      at += got;
    }
  });
  return fail('TI004', `this line exceeds the limit of ${lineBytes} bytes.`, { file: source.name, line });
}
