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
import { parseNumber } from './number.ts';

/**
 * Reads lines into the columns. A line that the memo expects is only compared (about 25 ns); every other one is read
 * and checked in full by {@link LineReader} (about 200 ns).
 */
export class Scanner {
  readonly #parts: ScanParts;
  readonly #line: LineReader;
  /** The rank whose lines are being read, −1 at the beginning of a block. */
  #rank = -1;

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#line = new LineReader(parts);
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
    const { pages } = this.#parts;
    const line = this.#line;
    const text = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#rank = -1;
    let p = from;
    while (p < to) {
      if (this.#rank >= 0) p = this.#expected(bytes, text, p, to);
      if (p === to) return;
      if (this.#changesRank(text, p)) continue;
      p = line.read(bytes, p);
      this.#rank = line.code < 0 ? -1 : line.rank;
      if (line.code >= 0) pages.append(line.rank, line.code, line.amount);
    }
  }

  /**
   * Reads lines of the current rank that come as the memo expects them, while there is room in the rank's page. Returns
   * where the first stands that does not.
   */
  #expected(bytes: Buffer, text: DataView, from: number, to: number): number {
    const { pages, requests, order } = this.#parts;
    const line = this.#line;
    const { memo, complaints } = line;
    const { facts, words } = memo;
    const rank = this.#rank;
    if (pages.fill[rank]! >= pages.code[rank]!.length) pages.advance(rank);
    const code = pages.code[rank]!;
    const amount = pages.amount[rank]!;
    const first = pages.fill[rank]!;
    let { previous } = line;
    let n = first;
    let p = from;
    while (p < to && n < code.length) {
      const key = memo.expect(previous, text, p);
      const entry = key << ENTRY;
      if (key < 0 || facts[entry + RANK] !== rank) break;
      const effect = facts[entry + EFFECT]!;
      const argument = facts[entry + ARGUMENT]!;
      let end = p + facts[entry + SIZE]!;
      let much = words[entry + AMOUNT]!;
      if (effect === EFFECT_NUMBER) {
        const digits = end;
        let c = bytes[end]!;
        much = 0;
        while (c >= 48 && c <= 57) {
          much = much * 10 + c - 48;
          c = bytes[++end]!;
        }
        if (c !== 10 || end - digits > 15 || end === digits) {
          while (c > 32) c = bytes[++end]!;
          much = parseNumber(bytes, digits, end);
          if (c !== 10 || !(much >= 0 && much < Number.POSITIVE_INFINITY)) break;
        }
        end++;
      } else if (effect === EFFECT_POST) requests.post(argument, rank);
      else if (effect === EFFECT_WAITALL) requests.waitall(rank);
      else if (effect === EFFECT_WAIT) {
        if (!requests.wait(argument, rank)) break;
      } else if (effect === EFFECT_TEST) {
        if (!requests.test(argument, rank)) break;
      } else if (effect === EFFECT_COLLECTIVE) {
        if (complaints.tainted(rank) || !order.next(rank, argument)) break;
      }
      code[n] = facts[entry + CODE]!;
      amount[n++] = much;
      previous = key;
      p = end;
    }
    pages.fill[rank] = n;
    line.previous = previous;
    line.actions += n - first;
    complaints.line += n - first;
    return p;
  }

  /** Whether the memo expects the line at `p`, and it is of another rank, which then is the current one. */
  #changesRank(text: DataView, p: number): boolean {
    const line = this.#line;
    if (line.only >= 0) return false;
    const key = line.memo.expect(line.previous, text, p);
    if (key < 0) return false;
    const rank = line.memo.facts[(key << ENTRY) + RANK]!;
    if (rank === this.#rank) return false;
    this.#rank = rank;
    line.complaints.line++;
    line.enter(rank, 1);
    line.complaints.line--;
    return true;
  }
}
