import type { Kernel } from '../../kernel/kernel.ts';
import { SLACK } from './input/lines.ts';
import { LineReader, type ScanParts } from './line.ts';
import {
  AMOUNT,
  ARGUMENT,
  CODE,
  EFFECT,
  EFFECT_COLLECTIVE,
  EFFECT_NUMBER,
  EFFECT_POST,
  EFFECT_TEST,
  EFFECT_WAIT,
  EFFECT_WAITALL,
  ENTRY,
  RANK,
  SIZE,
} from './memo.ts';

/** Maximum number of digits of an integer that fits into an int. */
const INT_DIGITS = 9;
/** Maximum number of digits for which digit-by-digit accumulation is exact. */
const EXACT_DIGITS = 15;

/**
 * `scan`: reads lines of `rank` as long as they are the ones the memo expects after `before`, and stores at most `room`
 * entries in the columns from `first` on. Returns the position of the first other line; `scanned` contains the memo key
 * of the last line read and the number of lines. Numbers that are not plain digits are parsed by the host (`spelled`).
 */
export const SCAN: string = `
declare nogrow function spelled(from: int, to: int): num;
let scanned: ints = ints(2);
function lines(rank, before, first, room, from: int, to: int): int {
  const most = first + room;
  let previous = before, n = first, p = from;
  while (p < to && n < most) {
    const key = expected(previous, p);
    if (key < 0) break;
    const entry = key << ${ENTRY};
    if (facts[entry + ${RANK}] !== rank) break;
    const effect = facts[entry + ${EFFECT}], argument = facts[entry + ${ARGUMENT}];
    let end = p + facts[entry + ${SIZE}];
    let much = words[entry + ${AMOUNT}];
    if (effect === ${EFFECT_NUMBER}) {
      const digits = end;
      let c = text[end], whole = 0;
      while (c >= 48 && c <= 57 && end < digits + ${INT_DIGITS}) {
        whole = whole * 10 + c - 48;
        end++;
        c = text[end];
      }
      much = whole;
      while (c >= 48 && c <= 57) {
        much = much * 10 + (c - 48);
        end++;
        c = text[end];
      }
      if (c !== 10 || end - digits > ${EXACT_DIGITS} || end === digits) {
        while (c > 32) {
          end++;
          c = text[end];
        }
        much = spelled(digits, end);
        if (c !== 10 || !(much >= 0 && much < Infinity)) break;
      }
      end++;
    } else if (effect === ${EFFECT_POST}) post(argument, rank);
    else if (effect === ${EFFECT_WAITALL}) waitall(argument, rank);
    else if (effect === ${EFFECT_WAIT}) {
      if (!wait(argument, rank)) break;
    } else if (effect === ${EFFECT_TEST}) {
      if (!test(argument, rank)) break;
    } else if (effect === ${EFFECT_COLLECTIVE}) {
      if (!collective(rank, argument)) break;
    }
    codes[n] = facts[entry + ${CODE}];
    amounts[n] = much;
    n++;
    previous = key;
    p = end;
  }
  scanned[0] = previous;
  scanned[1] = n - first;
  return p;
}
export function scan(rank, before, first, room, from: int, to: int): int { return lines(rank, before, first, room, from, to); }`;

/**
 * Reads lines into the columns. A line that the memo expects is only compared (about 10 ns); every other line is read
 * and checked in full by {@link LineReader} (about 200 ns).
 */
export class Scanner {
  readonly #parts: ScanParts;
  readonly #line: LineReader;
  readonly #scan: Kernel['call'][string];
  /** The kernel's copy of the text, and its results for the last lines read. */
  #text: Uint8Array<ArrayBuffer>;
  #scanned: Int32Array<ArrayBuffer>;
  /** The rank whose lines are being read; −1 at the beginning of a block. */
  #rank = -1;

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#line = new LineReader(parts);
    this.#scan = parts.kernel.call['scan']!;
    this.#text = parts.kernel.array('text');
    this.#scanned = parts.kernel.array('scanned');
  }

  /** Begins a text. `only`: the only rank it may contain; −1: any. */
  begin(file: string, only: number): void {
    this.#line.only = only;
    this.#line.diagnostics.file = file;
    this.#line.diagnostics.line = 0;
  }

  /** Number of lines read of the current text. */
  get line(): number {
    return this.#line.diagnostics.line;
  }

  /** Number of lines that are actions, in all texts. */
  get actions(): number {
    return this.#line.actions;
  }

  /** Tells if a rank has any line, and if it has a finalize. */
  state(rank: number): { seen: boolean; finished: boolean } {
    return this.#line.state(rank);
  }

  /** Reads whole lines: `bytes[from … to − 1]` ends with a line feed. May read up to 64 bytes after it. */
  scan(bytes: Buffer, from: number, to: number): void {
    const { pages, reading } = this.#parts;
    const line = this.#line;
    reading.bytes = bytes;
    reading.base = from;
    this.#place(bytes.subarray(from, to + SLACK));
    this.#rank = -1;
    const end = to - from;
    let p = 0;
    while (p < end) {
      while (this.#rank >= 0 && p < end) {
        const next = this.#expected(p, end);
        if (next === p) break;
        p = next;
      }
      if (p === end) return;
      if (this.#changesRank(p)) continue;
      p = line.read(bytes, from + p) - from;
      this.#rank = line.code < 0 ? -1 : line.rank;
      if (line.code >= 0) pages.append(line.rank, line.code, line.amount);
    }
  }

  /** Copies a text into the kernel's memory. */
  #place(bytes: Buffer): void {
    const { kernel } = this.#parts;
    if (this.#text.length < bytes.length) {
      // A long line may have enlarged the block, or the kernel's memory may have grown.
      kernel.call['roomForText']!(bytes.length);
      this.#text = kernel.array('text');
    }
    this.#text.set(bytes);
  }

  /** Reads lines of the current rank as long as the memo expects them and the rank's page has room. */
  #expected(from: number, to: number): number {
    const { kernel, pages } = this.#parts;
    const line = this.#line;
    const rank = this.#rank;
    const first = pages.next(rank);
    const p = this.#scan(rank, line.previous, first, pages.roomOf(rank), from, to);
    if (this.#scanned.length === 0) this.#scanned = kernel.array('scanned');
    line.previous = this.#scanned[0]!;
    const lines = this.#scanned[1]!;
    pages.filled(rank, lines);
    line.actions += lines;
    line.diagnostics.line += lines;
    return p;
  }

  /** Switches to another rank if the memo expects the line at `p` and it is of that rank; returns true if so. */
  #changesRank(p: number): boolean {
    const line = this.#line;
    if (line.only >= 0) return false;
    const rank = line.memo.expectedRank(line.previous, p);
    if (rank < 0 || rank === this.#rank) return false;
    this.#rank = rank;
    line.diagnostics.line++;
    line.enter(rank, 1);
    line.diagnostics.line--;
    return true;
  }
}
