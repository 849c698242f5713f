import type { TraceFiles } from '../../../trace/ti/input/listing.ts';
import { openTrace } from '../../../trace/ti/input/listing.ts';
import { Unpacked } from '../../../trace/ti/input/open-source.ts';
import { countRanks } from '../../../trace/ti/ranks.ts';

const LIMITS = { lineBytes: 1 << 24, maxBytes: 2 ** 36 };
const BLOCK_BYTES = 1 << 17;

/**
 * The texts of several traces, open to be read after their ranks are counted: a placement of jobs depends on the ranks of all, and the
 * steps of a collective on the placement.
 */
export interface CountedTraces {
  readonly files: readonly TraceFiles[];
  /** Number of ranks of each trace. */
  readonly ranks: readonly number[];
  /** Closes copies of standard input and of compressed files. */
  close(): void;
}

/** @throws InputError problems of files, TI011 for too many ranks */
export function countedTraces(paths: readonly string[], confine: boolean): CountedTraces {
  const unpacked = new Unpacked();
  const close = (): void => unpacked.close();
  try {
    const files = paths.map((path) => openTrace(path, unpacked, LIMITS, confine));
    const block = { blockBytes: BLOCK_BYTES, lineBytes: LIMITS.lineBytes };
    const ranks = files.map(({ sources, perRank }) =>
      perRank ? sources.length : countRanks(sources[0]!, block).ranks,
    );
    return { files, ranks, close };
  } catch (error) {
    close();
    throw error;
  }
}
