import type { PagedColumn } from '../../base/paged.ts';
import { fail, type Problem } from '../../base/problem.ts';
import { Codes, type TiEncoder } from './codes.ts';
import { readBlocks } from './lines.ts';
import { openTrace, type TraceFiles } from './listing.ts';
import { type Located, PlaceIndex } from './locate.ts';
import { CollectiveOrder } from './order.ts';
import { Pages } from './pages.ts';
import { countRanks, MAX_RANKS } from './ranks.ts';
import { startReader } from './reader-kernel.ts';
import type { Reading } from './reading.ts';
import { Report } from './report.ts';
import { Requests } from './requests.ts';
import { Scanner } from './scan.ts';
import type { Source } from './source.ts';
import { Unpacked } from './unpacked.ts';

export type { TiEncoder } from './codes.ts';

/** A time-independent trace as columns of codes and amounts; positions are numbered rank after rank. */
export interface TiTrace {
  readonly ranks: number;
  /** Lines that are actions, also those that are not recorded (init, finalize, comm_size, comm_split, comm_dup, location). */
  readonly actions: number;
  /** Position of the first recorded action of each rank: the start of a page. */
  readonly start: Int32Array;
  /** Position of each rank's `end`: one after its last recorded action. */
  readonly end: Int32Array;
  /** Positions in all; those after a rank's end up to the next page have no meaning. */
  readonly length: number;
  /**
   * What the encoder gave for the action at a position. An array of a page is not to be kept: its memory is used again
   * after the page was dropped.
   */
  readonly code: PagedColumn<Int32Array>;
  /** Flops (compute), seconds (sleep), bytes (send, isend, recv, irecv); otherwise 0. */
  readonly amount: PagedColumn<Float64Array>;
  /** Per request number, 1 where some wait or test names it. */
  readonly named: Uint8Array;
  /** What is odd, but can be read: TI040 no finalize, TI041 lines after it, TI042 the tracer's any source. */
  readonly warnings: readonly Problem[];
  /** The files that it was read from: itself, or those that it lists. */
  readonly files: readonly string[];
  /** The line of a position. Reads about 1 MiB of the trace again; throws TI007 where the file has changed. */
  locate(position: number): Located;
  /** Frees temporary files; pages that are not in memory cannot be loaded any more. */
  close(): void;
}

export interface TiReadOptions {
  /** Number of ranks. Default: the highest rank + 1, or the number of files of a listing. */
  readonly ranks?: number;
  /** Most bytes of packed columns in memory; what comes after them lies in a temporary file. Default 32 MiB. */
  readonly packedBytes?: number;
  /** Most bytes of a compressed or piped trace when unpacked. Default 64 GiB. */
  readonly maxBytes?: number;
  /** Longest line, in bytes. Default 16 MiB. */
  readonly lineBytes?: number;
  /** Bytes read at once. Default 128 KiB. */
  readonly blockBytes?: number;
}

/**
 * Reads a time-independent trace: a file with the lines of all ranks (in blocks or interleaved), or a listing of such
 * files with one rank each; each of them may be compressed with gzip. `-` is standard input.
 *
 * The trace is read once (twice where the number of ranks is not known), every line is checked, and memory is bounded
 * by `packedBytes` and 1.5 KiB a rank plus what the distinct actions take. Throws an InputError with up to 20 problems, by file and line:
 * TI001 … TI008 files, TI010 … TI013 ranks, TI020 … TI027 actions and arguments, TI030 requests, TI031 and TI032
 * collectives, TI050 size.
 *
 * @param path file, or `-`
 * @param encoder gives each distinct action its code, or makes that encoder when the number of ranks is known
 */
export function readTiTrace(
  path: string,
  encoder: TiEncoder | ((ranks: number) => TiEncoder),
  options: TiReadOptions = {},
): TiTrace {
  const { packedBytes = 32 << 20, maxBytes = 2 ** 36, lineBytes = 1 << 24, blockBytes = 1 << 17 } = options;
  const unpacked = new Unpacked();
  let pages: Pages | undefined;
  try {
    const files = openTrace(path, unpacked, { lineBytes, maxBytes });
    const block = { blockBytes, lineBytes };
    const ranks = rankCount(path, files, options.ranks, () => countRanks(files.sources[0]!, block));
    const report = new Report();
    const reading: Reading = { bytes: Buffer.alloc(0), base: 0 };
    const kernel = startReader(ranks, reading);
    const requests = new Requests(kernel, ranks);
    const order = new CollectiveOrder(kernel, ranks);
    const codes = new Codes(typeof encoder === 'function' ? encoder(ranks) : encoder, ranks, requests, order);
    const index = new PlaceIndex(files.sources, ranks, lineBytes);
    pages = new Pages(kernel, ranks, packedBytes);
    const collective = (k: number): string => {
      const { rank, file, line } = index.firstCollective(k);
      return `rank ${rank} (${file}:${line})`;
    };
    const scanner = new Scanner({ kernel, reading, ranks, pages, codes, requests, order, index, report, collective });
    files.sources.forEach((source, number) => {
      scanner.begin(source.name, files.perRank ? number : -1);
      readBlocks(source, block, (bytes, from, to, position) => {
        index.block(number, position, scanner.line);
        scanner.scan(bytes, from, to);
        return undefined;
      });
    });
    report.end();
    checkEnd(files, ranks, scanner, order, report, collective);
    report.end();
    const columns = finish(pages, codes, files);
    return trace(columns, unpacked, index, {
      ranks,
      actions: scanner.actions,
      named: requests.named(),
      warnings: report.warnings,
      files: [...new Set(files.sources.map((source) => source.name))],
    });
  } catch (error) {
    pages?.close();
    unpacked.close();
    throw error;
  }
}

type Columns = ReturnType<Pages['finish']>;

function trace(
  columns: Columns,
  unpacked: Unpacked,
  index: PlaceIndex,
  facts: Pick<TiTrace, 'ranks' | 'actions' | 'named' | 'warnings' | 'files'>,
): TiTrace {
  const { start, end, close } = columns;
  return {
    ...facts,
    ...columns,
    locate(position) {
      const rank = start.findLastIndex((first) => first <= position);
      if (rank < 0 || !(position <= end[rank]!)) throw new RangeError(`position ${position} is no action of a rank`);
      return index.find(rank, position - start[rank]!);
    },
    close() {
      close();
      unpacked.close();
    },
  };
}

function rankCount(path: string, files: TraceFiles, given: number | undefined, count: () => number): number {
  if (given !== undefined && (!Number.isInteger(given) || given < 1)) {
    throw new RangeError(`ranks: ${given} is not an integer in 1 … ${MAX_RANKS}`);
  }
  if (given !== undefined && given > MAX_RANKS) {
    fail('TI011', `${given} ranks were asked for: at most ${MAX_RANKS} ranks can be read.`, { file: path });
  }
  const { perRank, sources } = files;
  if (!perRank) {
    const ranks = given ?? count();
    if (ranks === 0) {
      fail('TI010', 'no line begins with the number of a rank.', { file: sources[0]!.name });
    }
    return ranks;
  }
  if (given !== undefined && given !== sources.length) {
    fail('TI012', `the listing names ${sources.length} files, one a rank, but ${given} ranks were asked for.`, {
      file: path,
    });
  }
  if (sources.length > MAX_RANKS) {
    fail('TI011', `the listing names ${sources.length} files: at most ${MAX_RANKS} ranks can be read.`, { file: path });
  }
  return sources.length;
}

function checkEnd(
  files: TraceFiles,
  ranks: number,
  scanner: Scanner,
  order: CollectiveOrder,
  report: Report,
  collective: (k: number) => string,
): void {
  const fileOf = (rank: number): Source => files.sources[files.perRank ? rank : 0]!;
  const missing: number[] = [];
  let most = 0;
  for (let rank = 0; rank < ranks; rank++) {
    const { seen, finished } = scanner.state(rank);
    if (!seen) missing.push(rank);
    else if (!finished) {
      report.warn('TI040', `rank ${rank} has no finalize; is the trace complete?`, { file: fileOf(rank).name });
    }
    most = Math.max(most, order.count(rank));
  }
  if (missing.length > 0) {
    const some = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ` and ${missing.length - 10} more` : '');
    const file = fileOf(missing[0]!).name;
    report.problem('TI012', `of ${ranks} ranks there is no line of rank ${some}.`, { file });
    return;
  }
  for (let rank = 0; rank < ranks; rank++) {
    const count = order.count(rank);
    if (count === most) continue;
    report.problem(
      'TI032',
      `rank ${rank} has ${count} collectives and then ends, but ${collective(count)} goes on with ${order.describe(count)}; all ranks must call the same collectives.`,
      { file: fileOf(rank).name },
    );
  }
}

function finish(pages: Pages, codes: Codes, files: TraceFiles): Columns {
  if (pages.length > 0x7fffffff) {
    fail('TI050', `the trace has ${pages.length} positions; at most 2147483647 can be numbered.`, {
      file: files.sources[0]!.name,
    });
  }
  return pages.finish((rank) => codes.end(rank));
}
