import { grown } from '../../base/columns.ts';
import { fail } from '../../base/problem.ts';
import { type BlockOptions, readBlocks } from './input/lines.ts';
import type { Source } from './input/source.ts';

/** Maximum number of ranks of a trace. */
export const MAX_RANKS: number = 1 << 18;

/** The ranks that occur in a merged trace. */
export interface RankCount {
  /** The highest rank plus one; 0 if there is no rank. */
  readonly ranks: number;
  /** The first line of the highest rank; 0 if there is no rank. */
  readonly line: number;
  has(rank: number): boolean;
}

/**
 * Counts the ranks at the starts of lines in a quick pass over all bytes, without further checks. Memory: one byte per
 * rank up to the highest. Throws TI011 for a rank of {@link MAX_RANKS} or more, and the errors of {@link readBlocks}.
 */
export function countRanks(source: Source, options: BlockOptions): RankCount {
  let highest = -1;
  let highestLine = 0;
  let line = 0;
  let seen: Uint8Array = new Uint8Array(1 << 10);
  readBlocks(source, options, (bytes, from, to) => {
    let p = from;
    let max = highest;
    let last = -1;
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
      if (rank !== last && p > first) {
        last = rank;
        if (rank > max) {
          if (rank >= MAX_RANKS) {
            fail('TI011', `rank ${rank} is out of range: at most ${MAX_RANKS} ranks are supported.`, {
              file: source.name,
              line,
            });
          }
          max = rank;
          highestLine = line;
          if (rank >= seen.length) seen = grown(seen, Math.max(rank + 1, seen.length * 2));
        }
        seen[rank] = 1;
      }
      while (bytes[p] !== 10) p++;
      p++;
    }
    highest = max;
    return undefined;
  });
  return { ranks: highest + 1, line: highestLine, has: (rank) => seen[rank] === 1 };
}
