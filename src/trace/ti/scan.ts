import { quote } from '../../base/problem.ts';
import { type Fault, faultOf, normalize, type Shape, shapeOf, wrongCount } from './arguments.ts';
import type { Codes } from './codes.ts';
import {
  ANY_SOURCE,
  COMPUTE,
  FINALIZE,
  FIRST_COLLECTIVE,
  INIT,
  IRECV,
  ISEND,
  RECV,
  ROWS,
  SEND,
  SENDRECV,
  SLEEP,
  TEST,
  TRACED_ANY_SOURCE,
  TYPE_BYTES,
  WAIT,
  WAITALL,
} from './grammar.ts';
import { grown } from './intern.ts';
import type { PlaceIndex } from './locate.ts';
import {
  EFFECT_COLLECTIVE,
  EFFECT_NUMBER,
  EFFECT_POST,
  EFFECT_TEST,
  EFFECT_WAIT,
  EFFECT_WAITALL,
  MEMO_SHIFT,
  Memo,
  NO_EFFECT,
} from './memo.ts';
import { parseNumber } from './number.ts';
import type { CollectiveOrder } from './order.ts';
import type { Pages } from './pages.ts';
import { type Report, unknownAction, wordsOf } from './report.ts';
import type { Requests } from './requests.ts';
import { findRow, hashByte } from './words.ts';

/** Bytes of a count without a datatype: MPI_BYTE after `init`, MPI_DOUBLE after `init` with an argument. */
const DEFAULT_BYTES = 1;
const DOUBLE_BYTES = 8;
const IGNORED = -1;

const EFFECT_OF_ROW: readonly number[] = ROWS.map((_, row) => {
  if (row === COMPUTE) return EFFECT_NUMBER;
  if (row === ISEND || row === IRECV) return EFFECT_POST;
  if (row === WAIT) return EFFECT_WAIT;
  if (row === TEST) return EFFECT_TEST;
  return row === WAITALL ? EFFECT_WAITALL : NO_EFFECT;
});

/** What the scanner works with. */
export interface ScanParts {
  readonly ranks: number;
  readonly pages: Pages;
  readonly codes: Codes;
  readonly requests: Requests;
  readonly order: CollectiveOrder;
  readonly index: PlaceIndex;
  readonly report: Report;
  /** Which rank did the k-th collective (from 0) first, and in which line: for messages. */
  collective(k: number): string;
}

/**
 * Reads lines into the columns, checking each. Common actions are read in {@link Scanner.scan} itself, with one look at
 * every byte; all others, and every line with something unusual, go through the table of the grammar.
 */
export class Scanner {
  readonly #parts: ScanParts;
  readonly #shapes: Map<number, Shape | undefined>[] = ROWS.map(() => new Map());
  readonly #defaultBytes: Int32Array;
  readonly #seen: Uint8Array;
  readonly #finished: Uint8Array;
  /** Ranks with a bad line: what would only follow from it is not reported. */
  readonly #tainted: Uint8Array;
  #values: Float64Array = new Float64Array(64);
  #tuple: Float64Array = new Float64Array(64);
  readonly #memo: Memo = new Memo();
  /** About the line that was read in full last: what to record, and what the memo needs to know (key −1: nothing). */
  #rank = 0;
  #code = IGNORED;
  #amount = 0;
  #key = -1;
  #effect = NO_EFFECT;
  #argument = 0;
  /** The memo's key of the line before, −1 for none. */
  #previous = -1;
  #warnedOfSource = false;
  #file = '';
  #line = 0;
  /** The one rank that the current file may hold, −1 for any. */
  #only = -1;
  /** Lines that are actions. */
  actions = 0;

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#defaultBytes = new Int32Array(parts.ranks).fill(DEFAULT_BYTES);
    this.#seen = new Uint8Array(parts.ranks);
    this.#finished = new Uint8Array(parts.ranks);
    this.#tainted = new Uint8Array(parts.ranks);
  }

  /** Begins a text. `only`: the one rank that it may hold, −1 for any. */
  begin(file: string, only: number): void {
    this.#file = file;
    this.#line = 0;
    this.#only = only;
  }

  /** Lines of the current text so far. */
  get line(): number {
    return this.#line;
  }

  /** Reads whole lines: `bytes[from … to − 1]` ends with a line feed. */
  scan(bytes: Buffer, from: number, to: number): void {
    const { pages, requests, order } = this.#parts;
    const { fill } = pages;
    const memo = this.#memo;
    const tainted = this.#tainted;
    const anyRank = this.#only < 0;
    let { text, size, next, other } = memo;
    let rank = -1;
    let code = pages.code[0]!;
    let amount = pages.amount[0]!;
    let n = 0;
    let p = from;
    let previous = this.#previous;
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
          this.#enter(rank, 1);
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
            holds = tainted[rank] === 0 && order.next(rank, memo.argument[guess]!);
            break;
        }
        if (holds) {
          if (memo.effect[guess] !== EFFECT_NUMBER) much = memo.amount[guess]!;
          got = memo.code[guess]!;
          previous = guess;
          p = end;
          this.#line++;
          this.actions++;
        }
      }
      if (got < 0) {
        // Anything else is read in full.
        if (rank >= 0) fill[rank] = n;
        this.#previous = previous;
        p = this.#read(bytes, p, to);
        if (this.#code < 0) {
          rank = -1;
          continue;
        }
        previous = this.#previous;
        got = this.#code;
        much = this.#amount;
        rank = this.#rank;
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
    this.#previous = previous;
  }

  /**
   * Reads one line in full and returns where the next begins. What it is to record goes to `#code` (IGNORED for
   * nothing), `#amount` and `#rank`.
   */
  #read(bytes: Buffer, from: number, to: number): number {
    let p = from;
    this.#line++;
    this.#code = IGNORED;
    let c = bytes[p]!;
    while (c === 32 || c === 9 || c === 13) c = bytes[++p]!;
    if (c === 10 || c === 35) {
      while (c !== 10) c = bytes[++p]!;
      return p + 1;
    }
    let rank = 0;
    const digits = p;
    while (c >= 48 && c <= 57) {
      rank = rank * 10 + c - 48;
      c = bytes[++p]!;
    }
    const known = p > digits && c <= 32;
    if (!known) this.#notARank(bytes, from, to);
    if (!known || !this.#enter(rank, digits - from + 1)) {
      while (c !== 10) c = bytes[++p]!;
      return p + 1;
    }
    while (c === 32 || c === 9 || c === 13) c = bytes[++p]!;
    const word = p;
    let hash = 0;
    while (c > 32) {
      hash = hashByte(hash, c);
      c = bytes[++p]!;
    }
    const row = findRow(hash, bytes, word, p);
    let values = this.#values;
    let count = 0;
    let first = p;
    for (;;) {
      while (c === 32 || c === 9 || c === 13) c = bytes[++p]!;
      if (c === 10) break;
      const start = p;
      if (count === 0) first = p;
      let v = 0;
      while (c >= 48 && c <= 57) {
        v = v * 10 + c - 48;
        c = bytes[++p]!;
      }
      if (c > 32 || p - start > 15 || p === start) {
        // A control character is a word of its own, and not a number.
        if (c < 32 && p === start) c = bytes[++p]!;
        while (c > 32) c = bytes[++p]!;
        v = parseNumber(bytes, start, p);
      }
      if (count === values.length) {
        values = grown(values, count * 2);
        this.#values = values;
      }
      values[count++] = v;
    }
    this.actions++;
    this.#rank = rank;
    this.#key = -1;
    this.#code = this.#common(row, rank, count);
    if (this.#code < 0) this.#code = this.#general(row, rank, count, bytes, from, p);
    const key = this.#key;
    if (key >= 0) {
      const number = this.#effect === EFFECT_NUMBER;
      if (this.#memo.put(key, this.#previous, bytes, from, number ? first : p + 1)) {
        this.#memo.mean(key, rank, this.#code, this.#amount, this.#effect, this.#argument);
        this.#previous = key;
      }
    }
    return p + 1;
  }

  /** Messages between two given ranks, the most frequent actions; IGNORED where something is unusual. */
  #common(row: number, rank: number, count: number): number {
    if (row < SEND || row > IRECV || count < 3 || count > 4) return IGNORED;
    const { ranks, codes } = this.#parts;
    const values = this.#values;
    const peer = values[0]!;
    const tag = values[1]!;
    const elements = values[2]!;
    const bytes = elements * (count === 3 ? this.#defaultBytes[rank]! : (TYPE_BYTES[values[3]!] ?? Number.NaN));
    if ((peer | 0) !== peer || peer < 0 || peer >= ranks || (tag | 0) !== tag || tag < 0) return IGNORED;
    if (!(elements >= 0 && bytes <= Number.MAX_SAFE_INTEGER) || Math.floor(elements) !== elements) return IGNORED;
    this.#amount = bytes;
    return this.#point(row, rank, codes.point(row, rank, peer, tag));
  }

  /** Takes an action with at most a peer and a tag: its effect, and what the memo needs to know. Returns its code. */
  #point(row: number, rank: number, id: number): number {
    const { codes, requests } = this.#parts;
    this.#key = id * 2;
    this.#argument = codes.requestOfPoint(id);
    this.#effect = EFFECT_OF_ROW[row]!;
    if (this.#effect === EFFECT_POST) requests.post(this.#argument, rank);
    return codes.codeOfPoint(id);
  }

  /** Whether a rank has any line, has a finalize, and has no bad line. */
  state(rank: number): { seen: boolean; finished: boolean; tainted: boolean } {
    return { seen: this.#seen[rank] === 1, finished: this.#finished[rank]! > 0, tainted: this.#tainted[rank] === 1 };
  }

  /** A line of a rank begins after one of another. False, with a problem, where the rank may not be here. */
  #enter(rank: number, column: number): boolean {
    const { ranks, pages, index, report } = this.#parts;
    const place = { file: this.#file, line: this.#line, column };
    if (rank >= ranks) {
      report.problem('TI011', `rank ${rank} is out of range: the trace has ${ranks} ranks, 0 … ${ranks - 1}.`, place);
      return false;
    }
    if (this.#only >= 0 && rank !== this.#only) {
      const message = `a line of rank ${rank} in the file of rank ${this.#only}: the k-th listed file holds rank k only.`;
      report.problem('TI013', message, place);
      return false;
    }
    if (this.#finished[rank] === 1) {
      this.#finished[rank] = 2;
      // SimGrid goes on replaying, so this is no error; most likely two traces were written to one file.
      report.warn('TI041', `rank ${rank} goes on after its finalize; was the trace written twice to one file?`, place);
    }
    this.#seen[rank] = 1;
    index.touch(rank, pages.count(rank));
    return true;
  }

  #notARank(bytes: Buffer, begin: number, to: number): void {
    const end = bytes.indexOf(10, begin);
    const words = wordsOf(bytes, begin, Math.min(end < 0 ? to : end, begin + 1000));
    if (this.#binary(bytes, begin, end)) return;
    const first = words[0]!;
    this.#parts.report.problem(
      'TI010',
      `a line begins with the number of a rank, not with ${quote(bytes.toString('utf8', first.from, first.to))}.`,
      { file: this.#file, line: this.#line, column: first.from - begin + 1 },
    );
  }

  /** Reports a line with control characters; a NUL byte ends the reading, since all that follows is noise. */
  #binary(bytes: Buffer, begin: number, end: number): boolean {
    for (let p = begin; p < end; p++) {
      const c = bytes[p]!;
      if (c >= 32 || c === 9 || c === 13) continue;
      const place = { file: this.#file, line: this.#line, column: p - begin + 1 };
      this.#parts.report.problem('TI003', `a control character (byte ${c}); a trace is text.`, place);
      if (c === 0) this.#parts.report.end();
      return true;
    }
    return false;
  }

  #bad(rank: number, fault: Fault, bytes: Buffer, begin: number, end: number): number {
    this.#tainted[rank] = 1;
    if (this.#binary(bytes, begin, end)) return IGNORED;
    const word = wordsOf(bytes, begin, end)[fault.at + 2];
    const place = { file: this.#file, line: this.#line, column: (word?.from ?? begin) - begin + 1 };
    this.#parts.report.problem(fault.code, fault.message, place);
    return IGNORED;
  }

  /** Any line, by the grammar: its code, or IGNORED; the amount goes to `#amount`. */
  #general(row: number, rank: number, count: number, bytes: Buffer, begin: number, end: number): number {
    const { ranks, codes, requests, report } = this.#parts;
    this.#amount = 0;
    const text = (at: number): string => {
      const word = wordsOf(bytes, begin, end)[at + 2];
      return word === undefined ? '' : bytes.toString('utf8', word.from, word.to);
    };
    if (row < 0) {
      const name = text(-1);
      const message = `rank ${rank} has no action in this line; expected "<rank> <action> …".`;
      const fault = name === '' ? { code: 'TI020', message } : unknownAction(name);
      return this.#bad(rank, { ...fault, at: name === '' ? -2 : -1 }, bytes, begin, end);
    }
    const shape = this.#shape(row, count);
    if (shape === undefined) return this.#bad(rank, wrongCount(ROWS[row]!, count, ranks), bytes, begin, end);
    const values = this.#values;
    const fault = faultOf(shape, values, ranks, text);
    if (fault !== undefined) return this.#bad(rank, fault, bytes, begin, end);
    if (row >= SENDRECV) return this.#whole(row, rank, shape, bytes, begin, end);
    switch (row) {
      case INIT:
        if (this.#defaultBytes[rank] !== (count > 0 ? DOUBLE_BYTES : DEFAULT_BYTES)) this.#memo.clear();
        this.#defaultBytes[rank] = count > 0 ? DOUBLE_BYTES : DEFAULT_BYTES;
        return IGNORED;
      case FINALIZE:
        this.#finished[rank] = 1;
        return IGNORED;
      case COMPUTE:
      case SLEEP:
        this.#amount = values[0]! + 0;
        return this.#point(row, rank, codes.point(row, rank, 0, 0));
      case WAITALL:
        requests.waitall(rank);
        return this.#point(row, rank, codes.point(row, rank, 0, 0));
      case WAIT:
      case TEST: {
        const id = requests.id(rank, this.#source(values[0]!), values[1]!, values[2]!);
        const known = row === WAIT ? requests.wait(id, rank) : requests.test(id, rank);
        if (!known && this.#tainted[rank] === 0) {
          const key = `source ${text(0)}, destination ${text(1)}, tag ${text(2)}`;
          const message = `rank ${rank} has no request with ${key} outstanding here: no isend or irecv posted one since the last wait or waitall.`;
          report.problem('TI030', message, { file: this.#file, line: this.#line });
        }
        return this.#point(row, rank, codes.point(row, rank, id, 0));
      }
      case SEND:
      case ISEND:
      case RECV:
      case IRECV: {
        const numbers = this.#tuple;
        const bad = normalize(shape, values, this.#defaultBytes[rank]!, numbers, 0);
        if (typeof bad !== 'number') return this.#bad(rank, bad, bytes, begin, end);
        const id = codes.point(row, rank, this.#source(values[0]!), values[1]! + 0);
        this.#amount = numbers[1]!;
        return this.#point(row, rank, id);
      }
      default:
        return IGNORED;
    }
  }

  /** sendRecv and collectives: the arguments belong to the action. */
  #whole(row: number, rank: number, shape: Shape, bytes: Buffer, begin: number, end: number): number {
    const { ranks, codes, order, report } = this.#parts;
    const most = shape.kinds.length + 3;
    if (this.#tuple.length < most) this.#tuple = new Float64Array(most * 2);
    const tuple = this.#tuple;
    tuple[0] = row;
    tuple[1] = rank;
    if (row === SENDRECV) this.#source(this.#values[3]!);
    const length = normalize(shape, this.#values, this.#defaultBytes[rank]!, tuple, 2);
    if (typeof length !== 'number') return this.#bad(rank, length, bytes, begin, end);
    const id = codes.tuple(tuple, length + 2, shape.rooted);
    const signature = codes.signatureOfTuple(id);
    const compared = row >= FIRST_COLLECTIVE && ranks > 1;
    this.#key = id * 2 + 1;
    this.#effect = compared ? EFFECT_COLLECTIVE : NO_EFFECT;
    this.#argument = signature;
    if (compared && this.#tainted[rank] === 0) {
      if (!order.next(rank, signature)) {
        this.#tainted[rank] = 1;
        const k = order.count(rank);
        const first = this.#parts.collective(k);
        const message = `collective ${k + 1} of rank ${rank} is ${order.name(signature)}, but that of ${first} is ${order.describe(k)}; all ranks must call the same collectives in the same order.`;
        report.problem('TI031', message, { file: this.#file, line: this.#line });
      }
    }
    return codes.codeOfTuple(id);
  }

  #source(value: number): number {
    if (value !== TRACED_ANY_SOURCE) return value + 0;
    if (!this.#warnedOfSource) {
      this.#warnedOfSource = true;
      this.#parts.report.warn(
        'TI042',
        `source ${TRACED_ANY_SOURCE} is read as any source: SimGrid 3.32's tracer writes it so, while its replay expects ${ANY_SOURCE}.`,
        { file: this.#file, line: this.#line },
      );
    }
    return ANY_SOURCE;
  }

  #shape(row: number, count: number): Shape | undefined {
    const shapes = this.#shapes[row]!;
    let shape = shapes.get(count);
    if (shape === undefined) {
      shape = shapeOf(ROWS[row]!, count, this.#parts.ranks);
      if (shape !== undefined) shapes.set(count, shape);
    }
    return shape;
  }
}
