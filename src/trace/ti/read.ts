import type { PagedColumn } from '../../base/columns.ts';
import { listing } from '../../base/listing.ts';
import { fail, type Problem } from '../../base/problem.ts';
import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { Codes, type TiEncoder } from './codes.ts';
import type { TypesOfActions } from './data-types.ts';
import { parseNumber } from './decimal.ts';
import { DerivedSizes, type DerivedTypeBytes } from './derived-sizes.ts';
import { LOST_COMMUNICATORS } from './diagnostics.ts';
import { readBlocks } from './input/lines.ts';
import { openTrace, type TraceFiles } from './input/listing.ts';
import { Unpacked } from './input/open-source.ts';
import type { Source } from './input/source.ts';
import type { Reading } from './line.ts';
import { type Located, PlaceIndex } from './locate.ts';
import { MEMO } from './memo.ts';
import { CollectiveOrder, ORDER } from './order.ts';
import { packedText, packText, unpackText } from './pages/packed-page.ts';
import { Pages, pageShift, pagesText } from './pages/pages.ts';
import { countRanks, MAX_RANKS, type RankCount } from './ranks.ts';
import { Report } from './report.ts';
import { REQUESTS, Requests } from './requests.ts';
import { SCAN, Scanner } from './scan.ts';

export type { TiEncoder } from './codes.ts';

/** A time-independent trace as columns of codes and amounts. Positions are numbered rank after rank. */
export interface TiTrace {
  readonly ranks: number;
  /** Number of lines that are actions, including unrecorded ones (init, finalize, comm_size, comm_split, comm_dup, location). */
  readonly actions: number;
  /** By rank: position of its first recorded action, which is the start of a page. */
  readonly start: Int32Array;
  /** By rank: position of its `end`, one after its last recorded action. */
  readonly end: Int32Array;
  /** Total number of positions. Positions after a rank's end up to the next page are padding. */
  readonly length: number;
  /**
   * By position: the code that the encoder returned. Do not keep the array of a page; its memory is reused after the
   * page is dropped.
   */
  readonly code: PagedColumn<Int32Array>;
  /** By position: flops (compute), seconds (sleep), bytes (send, isend, recv, irecv); otherwise 0. */
  readonly amount: PagedColumn<Float64Array>;
  /** By request number: 1 if a wait or test refers to it. */
  readonly named: Uint8Array;
  /** Warnings: TI040 no finalize, TI041 lines after finalize, TI042 the tracer's value for any source. */
  readonly warnings: readonly Problem[];
  /** Notes for every result of the trace: TI043 collectives, because the trace does not record their communicators. */
  readonly notes: readonly Problem[];
  /** Present if only a deadlock can explain where the ranks end; see {@link CutOff}. */
  readonly cutOff?: CutOff;
  /** The files that were read: the trace itself, or the members of a listing. */
  readonly files: readonly string[];
  /** The line of a position. Reads about 1 MiB of the trace again; throws TI007 if the file has changed. */
  locate(position: number): Located;
  /** The datatypes of all actions with data. Reads the trace again. */
  dataTypes(): TypesOfActions;
  /** Frees temporary files. Pages that are not in memory can no longer be loaded. */
  close(): void;
}

/**
 * Ranks have different numbers of collectives, and some have no `finalize`. There are two explanations: the program
 * deadlocked while it was traced, so that each of these ranks is blocked at its last line; or the trace was damaged or
 * cut short. Only a replay can distinguish them, so the reader does not throw.
 */
export interface CutOff {
  /** Ranks without `finalize`. If one of them reaches its end in a replay, the trace is damaged. */
  readonly ranks: readonly number[];
  /** TI032: the problems to report if the trace is damaged. */
  readonly problems: readonly Problem[];
}

export interface TiReadOptions {
  /** Number of ranks. Default: the highest rank + 1, or the number of files of a listing. */
  readonly ranks?: number;
  /** Bytes per element of derived datatypes, written as type −1. Default: lines with such a type are rejected (TI026). */
  readonly derivedTypeBytes?: DerivedTypeBytes;
  /**
   * True: the caller replays the trace and decides if a deadlock cut it off (`cutOff`). Default: such a trace is
   * rejected (TI032).
   */
  readonly replayed?: boolean;
  /** Maximum bytes of packed columns in memory; the rest is in a temporary file. Default 32 MiB. */
  readonly packedBytes?: number;
  /** Maximum bytes of a compressed or piped trace when unpacked. Default 64 GiB. */
  readonly maxBytes?: number;
  /** Maximum length of a line, in bytes. Default 16 MiB. */
  readonly lineBytes?: number;
  /** True: members of a listing must lie in its folder, after resolving symbolic links. Default false. */
  readonly confine?: boolean;
  /** Bytes read at a time. Default 128 KiB. */
  readonly blockBytes?: number;
  /** The texts of the trace, if they are open already; the caller closes them. */
  readonly files?: TraceFiles;
}

/**
 * Reads a time-independent trace: a file with the lines of all ranks (in blocks or interleaved), or a listing of files
 * with one rank each. Each file may be compressed with gzip. `-` is standard input.
 *
 * Every line is checked. The trace is read once, or twice if the ranks must be counted first, because their number is
 * not given or the file is small for that number. Memory is limited to `packedBytes` plus 1.5 KiB per rank plus the
 * memory for the distinct actions. Throws an InputError with up to 20 problems, each with file and line: TI001 … TI008
 * files, TI010 … TI013 ranks, TI020 … TI027 actions and arguments, TI030 requests, TI031 and TI032 collectives, TI050
 * size.
 *
 * @param path file, or `-`
 * @param encoder gives each distinct action its code, or creates that encoder when the number of ranks is known
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
    const files = options.files ?? openTrace(path, unpacked, { lineBytes, maxBytes }, options.confine === true);
    const block = { blockBytes, lineBytes };
    const counted = counts(files, options.ranks) ? countRanks(files.sources[0]!, block) : undefined;
    const ranks = rankCount(path, files, options.ranks, counted);
    const missing = counted === undefined ? [] : missingRanks(ranks, counted);
    const report = new Report();
    const reading: Reading = { bytes: Buffer.alloc(0), base: 0 };
    const kernel = startReader(ranks, reading);
    const requests = new Requests(kernel, ranks);
    const order = new CollectiveOrder(kernel, ranks);
    const made = missing.length > 0 ? undefined : typeof encoder === 'function' ? encoder(ranks) : encoder;
    // After a problem there is no result, so stop expanding collectives, which may take steps for every rank.
    const encode: TiEncoder['encode'] = (rank, action) =>
      made === undefined || report.failed ? 0 : made.encode(rank, action);
    const postedBy = (code: number): number => (report.failed ? 1 : (made?.postedBy?.(code) ?? 1));
    const isOnce = (code: number): boolean => !report.failed && made?.isOnce?.(code) === true;
    const codes = new Codes({ encode, isOnce, postedBy }, ranks, requests, order);
    const index = new PlaceIndex(files.sources, ranks, lineBytes);
    pages = new Pages(kernel, ranks, packedBytes);
    const collective = (k: number): string => {
      const { rank, file, line } = index.firstCollective(k);
      return `rank ${rank} (${file}:${line})`;
    };
    const parts = { kernel, reading, ranks, pages, codes, requests, order, index, report, collective };
    const derived = new DerivedSizes(options.derivedTypeBytes);
    const scanner = new Scanner({ ...parts, derived });
    files.sources.forEach((source, number) => {
      scanner.begin(source.name, files.perRank ? number : -1);
      readBlocks(source, block, (bytes, from, to, position) => {
        index.block(number, position, scanner.line);
        scanner.scan(bytes, from, to);
        return undefined;
      });
    });
    if (missing.length > 0) reportMissing(files, ranks, missing, report, counted);
    report.end();
    derived.assertUsed();
    const cutOff = checkEnd(files, ranks, scanner, order, report, collective);
    if (options.replayed !== true)
      for (const { code, message, place } of cutOff?.problems ?? []) report.problem(code, message, place!);
    report.end();
    const columns = finish(pages, codes, files);
    return trace(columns, unpacked, index, derived, {
      ranks,
      actions: scanner.actions,
      named: requests.named(),
      warnings: report.warnings,
      notes: notesOf(path, ranks, order),
      ...(cutOff === undefined ? {} : { cutOff }),
      files: [...new Set(files.sources.map((source) => source.name))],
    });
  } catch (error) {
    pages?.close();
    unpacked.close();
    throw error;
  }
}

/** Maximum number of ranks whose number of collectives is reported as wrong. */
const MAX_UNEQUAL = 20;

type Columns = ReturnType<Pages['finish']>;

function trace(
  columns: Columns,
  unpacked: Unpacked,
  index: PlaceIndex,
  derived: DerivedSizes,
  facts: Pick<TiTrace, 'ranks' | 'actions' | 'named' | 'warnings' | 'notes' | 'cutOff' | 'files'>,
): TiTrace {
  const { start, end, close } = columns;
  return {
    ...facts,
    ...columns,
    locate(position) {
      const rank = start.findLastIndex((first) => first <= position);
      if (rank < 0 || !(position <= end[rank]!)) throw new RangeError(`no rank has an action at position ${position}`);
      return index.find(rank, position - start[rank]!);
    },
    dataTypes: () => index.dataTypes(facts.ranks, derived.uniform),
    close() {
      close();
      unpacked.close();
    },
  };
}

/** The ranks are counted even if their number is given, if the file has fewer bytes per rank than this. */
const BYTES_OF_RANK = 1 << 10;

/** True if the ranks must be counted before the trace is read. A plausible given number saves that pass. */
function counts({ perRank, sources }: TraceFiles, given: number | undefined): boolean {
  return !perRank && (given === undefined || sources[0]!.size < given * BYTES_OF_RANK);
}

/** The ranks without a line, in ascending order. */
function missingRanks(ranks: number, counted: RankCount): number[] {
  const missing: number[] = [];
  for (let rank = 0; rank < ranks; rank++) if (!counted.has(rank)) missing.push(rank);
  return missing;
}

/** From this number of missing ranks on, the highest rank is probably the mistake. */
const MANY_MISSING = 100;

/** Reports TI012. With `counted`, the message gives the line of the highest rank, which may be the mistake. */
function reportMissing(
  { perRank, sources }: TraceFiles,
  ranks: number,
  missing: readonly number[],
  report: Report,
  counted?: RankCount,
): void {
  const some = listing(missing.map(String), { max: 10 });
  const named = missing.length >= MANY_MISSING && counted?.ranks === ranks;
  const highest = named ? ` (line ${counted.line} has the highest rank, ${ranks - 1})` : '';
  const file = sources[perRank ? missing[0]! : 0]!.name;
  report.problem('TI012', `the trace has ${ranks} ranks, but no line of rank ${some}${highest}.`, { file });
}

function rankCount(path: string, files: TraceFiles, given: number | undefined, counted: RankCount | undefined): number {
  if (given !== undefined && (!Number.isInteger(given) || given < 1)) {
    throw new RangeError(`ranks: ${given} is not an integer in 1 … ${MAX_RANKS}`);
  }
  if (given !== undefined && given > MAX_RANKS) {
    fail('TI011', `${given} ranks were requested: at most ${MAX_RANKS} ranks are supported.`, { file: path });
  }
  const { perRank, sources } = files;
  if (!perRank) {
    const ranks = given ?? counted!.ranks;
    if (ranks === 0) {
      fail('TI010', 'expected lines that begin with the number of a rank, got none.', { file: sources[0]!.name });
    }
    return ranks;
  }
  if (given !== undefined && given !== sources.length) {
    fail('TI012', `the listing has ${sources.length} files, one per rank, but ${given} ranks were requested.`, {
      file: path,
    });
  }
  if (sources.length > MAX_RANKS) {
    fail('TI011', `the listing has ${sources.length} files: at most ${MAX_RANKS} ranks are supported.`, { file: path });
  }
  return sources.length;
}

/** The note on communicators if the trace has collectives. */
function notesOf(path: string, ranks: number, order: CollectiveOrder): Problem[] {
  for (let rank = 0; rank < ranks; rank++) {
    if (order.count(rank) === 0) continue;
    const message = `time-independent traces do not record communicators, so every collective is replayed over all ${ranks} ranks. If the program uses sub-communicators, times and verdicts are wrong.`;
    return [{ code: 'TI043', message, place: { file: path === '-' ? '<stdin>' : path } }];
  }
  return [];
}

/** Reports problems at the ends of the ranks; returns those that only a replay can decide. */
function checkEnd(
  files: TraceFiles,
  ranks: number,
  scanner: Scanner,
  order: CollectiveOrder,
  report: Report,
  collective: (k: number) => string,
): CutOff | undefined {
  const fileOf = (rank: number): Source => files.sources[files.perRank ? rank : 0]!;
  const missing: number[] = [];
  const unfinished: number[] = [];
  let max = 0;
  for (let rank = 0; rank < ranks; rank++) {
    const { seen, finished } = scanner.state(rank);
    if (!seen) missing.push(rank);
    else if (!finished) {
      unfinished.push(rank);
      report.warn('TI040', `rank ${rank} has no finalize; is the trace complete?`, { file: fileOf(rank).name });
    }
    max = Math.max(max, order.count(rank));
  }
  if (missing.length > 0) {
    reportMissing(files, ranks, missing, report);
    return undefined;
  }
  const unequal: Problem[] = [];
  for (let rank = 0; rank < ranks && unequal.length < MAX_UNEQUAL; rank++) {
    const count = order.count(rank);
    if (count === max) continue;
    const message = `rank ${rank} ends after ${count} collectives, but ${collective(count)} continues with ${order.describe(count)}: all ranks must call the same collectives.${unequal.length > 0 ? '' : ` ${LOST_COMMUNICATORS}`}`;
    unequal.push({ code: 'TI032', message, place: { file: fileOf(rank).name } });
  }
  if (unequal.length === 0) return undefined;
  if (unfinished.length > 0) return { ranks: unfinished, problems: unequal };
  for (const { code, message, place } of unequal) report.problem(code, message, place!);
  return undefined;
}

function finish(pages: Pages, codes: Codes, files: TraceFiles): Columns {
  if (pages.length > 0x7fffffff) {
    fail('TI050', `the trace has ${pages.length} positions: at most 2147483647 are supported.`, {
      file: files.sources[0]!.name,
    });
  }
  return pages.finish((rank) => codes.end(rank));
}

/** Initial bytes of memory, in total and per rank. Growth at run time detaches all views and makes every view slightly slower. */
const MEMORY = 1 << 23;
const MEMORY_OF_RANK = 1 << 11;
const MEMORY_PAGE = 1 << 16;

const TEXT = `
let text: bytes = bytes(1);
export cold function roomForText(size) { if (size > text.length) text = grown(text, size); }`;

/**
 * Compiles the reader's inner loop from the kernel language: the lines that the memo expects, and their effects. Each
 * source file contributes its part of the text, and the functions that the TypeScript code calls for all other lines.
 *
 * @param reading must be kept up to date; numbers that are not plain digits are parsed from it
 */
export function startReader(ranks: number, reading: Reading): Kernel {
  const size = 1 << pageShift(ranks);
  const pages = [pagesText(size), packedText(size), packText(size), unpackText(size)];
  const compiled = compileKernel([TEXT, MEMO, REQUESTS, ORDER, ...pages, SCAN].join(''));
  return new Kernel(
    { ...compiled, pages: Math.ceil((MEMORY + ranks * MEMORY_OF_RANK) / MEMORY_PAGE) },
    {
      spelled: (from: number, to: number) => parseNumber(reading.bytes, reading.base + from, reading.base + to),
    },
  );
}
