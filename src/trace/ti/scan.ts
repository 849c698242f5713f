import { IGNORED, LineReader, type ScanParts } from './line.ts';
import {
  EFFECT_COLLECTIVE,
  EFFECT_NUMBER,
  EFFECT_POST,
  EFFECT_TEST,
  EFFECT_WAIT,
  EFFECT_WAITALL,
  MEMO_SHIFT,
} from './memo.ts';
import { parseNumber } from './number.ts';

/**
 * Reads lines into the columns. A line that the memo expects is only compared (about 40 ns); every other one is read
 * and checked in full by {@link LineReader} (about 200 ns).
 */
export class Scanner {
  readonly #parts: ScanParts;
  readonly #line: LineReader;

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

  /** Reads whole lines: `bytes[from … to − 1]` ends with a line feed. */
  scan(bytes: Buffer, from: number, to: number): void {
    const { pages, requests, order } = this.#parts;
    const line = this.#line;
    const { complaints } = line;
    const { fill } = pages;
    const { memo } = line;
    const anyRank = line.only < 0;
    let { text, size, next, other } = memo;
    let rank = -1;
    let code = pages.code[0]!;
    let amount = pages.amount[0]!;
    let n = 0;
    let p = from;
    let previous = line.previous;
    while (p < to) {
      // The line that came next last time, byte by byte; or else the one that came next before that.
      let guess = previous < 0 ? -1 : next[previous]! - 1;
      let length = guess < 0 ? 0 : size[guess]!;
      let same = 0;
      for (let at = guess << MEMO_SHIFT; same < length && text[at] === bytes[p + same]; at++) same++;
      if (same < length) {
        guess = other[previous]! - 1;
        length = guess < 0 ? 0 : size[guess]!;
        same = 0;
        for (let at = guess << MEMO_SHIFT; same < length && text[at] === bytes[p + same]; at++) same++;
      }
      let got = IGNORED;
      let much = 0;
      if (same === length && length > 0 && (memo.rank[guess] === rank || anyRank)) {
        if (memo.rank[guess] !== rank) {
          if (rank >= 0) fill[rank] = n;
          rank = memo.rank[guess]!;
          line.enter(rank, 1);
          code = pages.code[rank]!;
          amount = pages.amount[rank]!;
          n = fill[rank]!;
        }
        let end = p + length;
        let holds = true;
        switch (memo.effect[guess]) {
          case EFFECT_NUMBER: {
            let c = bytes[end]!;
            const digits = end;
            while (c >= 48 && c <= 57) {
              much = much * 10 + c - 48;
              c = bytes[++end]!;
            }
            if (c !== 10 || end - digits > 15 || end === digits) {
              while (c > 32) c = bytes[++end]!;
              much = parseNumber(bytes, digits, end);
              holds = c === 10 && much >= 0 && much < Number.POSITIVE_INFINITY;
            }
            end++;
            break;
          }
          case EFFECT_POST:
            requests.post(memo.argument[guess]!, rank);
            break;
          case EFFECT_WAITALL:
            requests.waitall(rank);
            break;
          case EFFECT_WAIT:
            holds = requests.wait(memo.argument[guess]!, rank);
            break;
          case EFFECT_TEST:
            holds = requests.test(memo.argument[guess]!, rank);
            break;
          case EFFECT_COLLECTIVE:
            holds = !complaints.tainted(rank) && order.next(rank, memo.argument[guess]!);
            break;
        }
        if (holds) {
          if (memo.effect[guess] !== EFFECT_NUMBER) much = memo.amount[guess]!;
          got = memo.code[guess]!;
          previous = guess;
          p = end;
          complaints.line++;
          line.actions++;
        }
      }
      if (got < 0) {
        // Anything else is read in full.
        if (rank >= 0) fill[rank] = n;
        line.previous = previous;
        p = line.read(bytes, p);
        if (line.code < 0) {
          rank = -1;
          continue;
        }
        previous = line.previous;
        got = line.code;
        much = line.amount;
        rank = line.rank;
        code = pages.code[rank]!;
        amount = pages.amount[rank]!;
        n = fill[rank]!;
        ({ text, size, next, other } = memo);
      }
      if (n === code.length) {
        fill[rank] = n;
        pages.advance(rank);
        code = pages.code[rank]!;
        amount = pages.amount[rank]!;
        n = fill[rank]!;
      }
      code[n] = got;
      amount[n++] = much;
    }
    if (rank >= 0) fill[rank] = n;
    line.previous = previous;
  }
}
