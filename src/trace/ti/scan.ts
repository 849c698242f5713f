import type { Kernel } from '../../kernel/kernel.ts';
import { LineReader, type ScanParts } from './line.ts';
import { SLACK } from './lines.ts';
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

/** Digits of a number that an int has room for. */
const INT_DIGITS = 9;
/** Digits of a number that is exact when its digits are taken one by one. */
const EXACT_DIGITS = 15;

/**
 * `scan`: reads lines of a rank that come as the memo expects them after `before`, into the columns from `first` on, for
 * so many entries. Returns where the first stands that does not; `scanned` has the memo's key of the last, and how many there
 * were. What is no string of digits alone the host spells out.
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
 * Reads lines into the columns. A line that the memo expects is only compared (about 10 ns); every other one is read
 * and checked in full by {@link LineReader} (about 200 ns).
 */
export class Scanner {
  readonly #parts: ScanParts;
  readonly #line: LineReader;
  readonly #scan: Kernel['call'][string];
  /** The text that the kernel has, and what it tells of the lines that it has read. */
  #text: Uint8Array<ArrayBuffer>;
  #scanned: Int32Array<ArrayBuffer>;
  /** The rank whose lines are being read, −1 at the beginning of a block. */
  #rank = -1;

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#line = new LineReader(parts);
    this.#scan = parts.kernel.call['scan']!;
    this.#text = parts.kernel.array('text');
    this.#scanned = parts.kernel.array('scanned');
  }

  /** Begins a text. `only`: the one rank that it may hold, −1 for any. */
  begin(file: string, only: number): void {
    this.#line.only = only;
    this.#line.complaints.file = file;
    this.#line.complaints.line = 0;
  }

  /** Lines of the current text so far. */
  get line(): number {
    return this.#line.complaints.line;
  }

  /** Lines that are actions, in all texts. */
  get actions(): number {
    return this.#line.actions;
  }

  /** Whether a rank has any line, and has a finalize. */
  state(rank: number): { seen: boolean; finished: boolean } {
    return this.#line.state(rank);
  }

  /** Reads whole lines: `bytes[from … to − 1]` ends with a line feed. Up to 64 bytes behind it are looked at. */
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

  /** Gives the kernel a text to read. */
  #place(bytes: Buffer): void {
    const { kernel } = this.#parts;
    if (this.#text.length < bytes.length) {
      // A line may have made the block longer, or the memory may have grown.
      kernel.call['roomForText']!(bytes.length);
      this.#text = kernel.array('text');
    }
    this.#text.set(bytes);
  }

  /** Reads lines of the current rank that come as the memo expects them, while there is room in the rank's page. */
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
    line.complaints.line += lines;
    return p;
  }

  /** Whether the memo expects the line at `p`, and it is of another rank, which then is the current one. */
  #changesRank(p: number): boolean {
    const line = this.#line;
    if (line.only >= 0) return false;
    const rank = line.memo.expectedRank(line.previous, p);
    if (rank < 0 || rank === this.#rank) return false;
    this.#rank = rank;
    line.complaints.line++;
    line.enter(rank, 1);
    line.complaints.line--;
    return true;
  }
}
