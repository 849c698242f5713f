import { fail } from '../../base/problem.ts';
import { type BlockOptions, readBlocks } from './lines.ts';
import type { Source } from './source.ts';

/** Most ranks a trace may have. */
export const MAX_RANKS: number = 1 << 18;

/**
 * The number of ranks of a merged trace: the highest rank number at the start of a line, plus one. A quick look over
 * all bytes that checks nothing else. Throws TI011 for a rank of {@link MAX_RANKS} or more, and what reading throws.
 */
export function countRanks(source: Source, options: BlockOptions): number {
  let highest = -1;
  let line = 0;
  readBlocks(source, options, (bytes, from, to) => {
    let p = from;
    let most = highest;
    while (p < to) {
      line++;
      let c = bytes[p]!;
      while (c === 32 || c === 9) c = bytes[++p]!;
      let rank = 0;
      const first = p;
      while (c >= 48 && c <= 57) {
        rank = rank * 10 + c - 48;
        c = bytes[++p]!;
      }
      if (rank > most && p > first) {
        if (rank >= MAX_RANKS) {
          fail('TI011', `rank ${rank} is out of range: at most ${MAX_RANKS} ranks can be read.`, {
            file: source.name,
            line,
          });
        }
        most = rank;
      }
      // A blank and at least four letters follow: they cannot hold the line feed.
      if (c === 32 && p + 5 < to) p += 5;
      while (bytes[p] !== 10) p++;
      p++;
    }
    highest = most;
    return undefined;
  });
  return highest + 1;
}
