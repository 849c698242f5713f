import { grown } from '../../base/columns.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { countsOfBlock, faultOf, normalize, type Shape, shapeOf, wrongCount } from './arguments.ts';
import { type Codes, IGNORED } from './codes.ts';
import { parseNumber } from './decimal.ts';
import type { DerivedSizes } from './derived-sizes.ts';
import { LineDiagnostics } from './diagnostics.ts';
import {
  ACCUMULATE,
  ANY_SOURCE,
  ANY_TAG,
  BSEND,
  COMPUTE,
  DERIVED_TYPE,
  FINALIZE,
  FIRST_COLLECTIVE,
  FIRST_NONBLOCKING,
  GET,
  IBSEND,
  INIT,
  IRECV,
  ISEND,
  ISSEND,
  PUT,
  RECV,
  REDUCESCATTER,
  ROWS,
  SEND,
  SENDRECV,
  SLEEP,
  SSEND,
  TEST,
  TRACED_ANY_SOURCE,
  TYPE_BYTES,
  WAIT,
  WAITALL,
  WAITANY,
} from './grammar.ts';
import type { PlaceIndex } from './locate.ts';
import {
  EFFECT_COLLECTIVE,
  EFFECT_NUMBER,
  EFFECT_POST,
  EFFECT_TEST,
  EFFECT_WAIT,
  EFFECT_WAITALL,
  Memo,
  NO_EFFECT,
} from './memo.ts';
import { NonblockingCalls } from './nonblocking.ts';
import type { CollectiveOrder } from './order.ts';
import type { Pages } from './pages/pages.ts';
import type { Report } from './report.ts';
import { ALL_REQUESTS, type Requests } from './requests.ts';
import { findRow, hashByte } from './words.ts';

/** Bytes per element without a datatype: MPI_BYTE after `init`, MPI_DOUBLE after `init` with an argument. */
const DEFAULT_BYTES = 1;
const DOUBLE_BYTES = 8;

const EFFECT_OF_ROW: readonly number[] = ROWS.map((_, row) => {
  if (row === COMPUTE) return EFFECT_NUMBER;
  if (row === ISEND || row === IRECV || row === ISSEND || row === IBSEND) return EFFECT_POST;
  if (row === WAIT) return EFFECT_WAIT;
  if (row === TEST) return EFFECT_TEST;
  return row === WAITALL ? EFFECT_WAITALL : NO_EFFECT;
});

/** Kinds of arguments that are datatypes. */
const TYPES: ReadonlySet<string> = new Set(['type', 'sendtype', 'recvtype']);

/** Components used by the scanner. */
export interface ScanParts {
  readonly kernel: Kernel;
  readonly reading: Reading;
  readonly ranks: number;
  readonly pages: Pages;
  readonly codes: Codes;
  readonly requests: Requests;
  readonly order: CollectiveOrder;
  readonly index: PlaceIndex;
  readonly report: Report;
  /** Bytes per element of derived datatypes. */
  readonly derived: DerivedSizes;
  /** Describes, for messages, the first occurrence of the k-th collective (from 0): rank, file and line. */
  collective(k: number): string;
}

/**
 * Reads one line in full: splits it, checks it against the grammar, updates requests and collectives, and adds it to
 * the memo. The result is in `code` (IGNORED: nothing to record), `amount` and `rank`.
 */
export class LineReader {
  rank = 0;
  code: number = IGNORED;
  amount = 0;
  /** Memo key of the last line that the memo contains; −1: none. */
  previous = -1;
  /** Number of lines that are actions. */
  actions = 0;
  /** The only rank allowed in the current file; −1: any. */
  only = -1;
  readonly memo: Memo;
  readonly diagnostics: LineDiagnostics;
  readonly #parts: ScanParts;
  readonly #shapes: Map<number, Shape | undefined>[] = ROWS.map(() => new Map());
  readonly #defaultBytes: Int32Array;
  readonly #seen: Uint8Array;
  readonly #finished: Uint8Array;
  #values: Float64Array = new Float64Array(64);
  #tuple: Float64Array = new Float64Array(64);
  /** Memo entry of the current line; key −1: the line is not added. */
  #key = -1;
  #effect = NO_EFFECT;
  #argument = 0;
  /** Bytes per element of the derived datatype of the current line, and whether it has one. */
  #derivedBytes: number | undefined;
  #isDerived = false;
  readonly #nonblocking: NonblockingCalls;

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.memo = new Memo(parts.kernel);
    this.diagnostics = new LineDiagnostics(parts.report, parts.order);
    this.#nonblocking = new NonblockingCalls(parts.codes, parts.requests, this.diagnostics);
    this.#defaultBytes = new Int32Array(parts.ranks).fill(DEFAULT_BYTES);
    this.#seen = new Uint8Array(parts.ranks);
    this.#finished = new Uint8Array(parts.ranks);
  }

  /** Reads the line that begins at `from` and ends with a line feed. Returns the start of the next line. */
  read(bytes: Buffer, from: number): number {
    let p = from;
    this.diagnostics.line++;
    this.code = IGNORED;
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
    if (!known) this.diagnostics.notARank(bytes, from);
    if (!known || !this.enter(rank, digits - from + 1)) {
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
        // A control character is a separate word that is not a number.
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
    this.rank = rank;
    this.#key = -1;
    this.code = this.#common(row, rank, count);
    if (this.code < 0) this.code = this.#general(row, rank, count, bytes, from, p);
    const key = this.#key;
    if (key >= 0) {
      const number = this.#effect === EFFECT_NUMBER;
      if (this.memo.put(key, this.previous, from - this.#parts.reading.base, (number ? first : p + 1) - from)) {
        this.memo.mean(key, rank, this.code, this.amount, this.#effect, this.#argument);
        this.previous = key;
      }
    }
    return p + 1;
  }

  /** Fast path for messages between two explicit ranks, the most frequent actions. Returns IGNORED if anything is unusual. */
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
    this.amount = bytes;
    return this.#point(row, rank, codes.point(row, rank, peer, tag));
  }

  /** Applies an action with at most a peer and a tag: its effect and its memo entry. Returns its code. */
  #point(row: number, rank: number, id: number): number {
    const { codes, requests } = this.#parts;
    this.#key = id * 2;
    this.#argument = codes.requestOfPoint(id);
    this.#effect = EFFECT_OF_ROW[row]!;
    if (this.#effect === EFFECT_POST) requests.post(this.#argument, rank);
    return codes.codeOfPoint(id);
  }

  /** Tells if a rank has any line, and if it has a finalize. */
  state(rank: number): { seen: boolean; finished: boolean } {
    return { seen: this.#seen[rank] === 1, finished: this.#finished[rank]! > 0 };
  }

  /**
   * Called at the first of several consecutive lines of a rank. Returns false and reports a problem if the rank is not
   * allowed here.
   */
  enter(rank: number, column: number): boolean {
    const { ranks, pages, index } = this.#parts;
    if (rank >= ranks || (this.only >= 0 && rank !== this.only)) {
      this.diagnostics.wrongRank(rank, ranks, this.only, column);
      return false;
    }
    if (this.#finished[rank] === 1) {
      this.#finished[rank] = 2;
      this.diagnostics.afterFinalize(rank);
    }
    this.#seen[rank] = 1;
    index.touch(rank, pages.count(rank));
    return true;
  }

  /** General path: checks any line against the grammar. Returns its code or IGNORED; sets `amount`. */
  #general(row: number, rank: number, written: number, bytes: Buffer, begin: number, end: number): number {
    const { ranks, codes, requests, pages } = this.#parts;
    const block = row === REDUCESCATTER ? countsOfBlock(this.#values, written, ranks) : undefined;
    if (block !== undefined) this.#values = block;
    const count = block === undefined ? written : ranks + 2;
    this.amount = 0;
    const { diagnostics } = this;
    const tag = this.#values[2]!;
    if ((row === WAIT || row === TEST) && count === 3 && tag < 0 && tag !== ANY_TAG)
      return this.#nonblocking.wait(rank, { tag, isTest: row === TEST }, bytes, begin, end);
    if (row < 0) {
      diagnostics.noAction(rank, bytes, begin, end);
      return IGNORED;
    }
    const shape = this.#shape(row, count);
    const values = this.#values;
    this.#derivedBytes = shape === undefined ? undefined : this.#derivedIn(row, shape);
    const fault =
      shape === undefined
        ? wrongCount(ROWS[row]!, count, ranks)
        : faultOf(shape, values, ranks, this.#derivedBytes, (at) => diagnostics.word(bytes, begin, end, at));
    if (shape === undefined || fault !== undefined) {
      diagnostics.fault(rank, fault!, bytes, begin, end);
      return IGNORED;
    }
    if (row >= SENDRECV) return this.#longAction(row, rank, shape, bytes, begin, end);
    switch (row) {
      case INIT:
        if (this.#defaultBytes[rank] !== (count > 0 ? DOUBLE_BYTES : DEFAULT_BYTES)) this.memo.clear();
        this.#defaultBytes[rank] = count > 0 ? DOUBLE_BYTES : DEFAULT_BYTES;
        return IGNORED;
      case FINALIZE:
        this.#finished[rank] = 1;
        pages.rest(rank);
        return IGNORED;
      case COMPUTE:
      case SLEEP:
        this.amount = values[0]! + 0;
        return this.#point(row, rank, codes.point(row, rank, 0, 0));
      case WAITALL: {
        const asked = count === 0 ? ALL_REQUESTS : Math.min(values[0]!, ALL_REQUESTS);
        requests.waitall(asked, rank);
        const code = this.#point(row, rank, codes.point(row, rank, 0, 0));
        this.#argument = asked;
        return code;
      }
      case WAITANY: {
        const open = requests.waitAny(rank);
        if (open > values[0]! && !diagnostics.tainted(rank)) {
          const message = `waitAny ${values[0]} waits for some of ${open} outstanding requests, and the trace does not tell which. Use wait, or waitAny for all of them.`;
          diagnostics.fault(rank, { code: 'TI021', message, at: 0 }, bytes, begin, end);
          return IGNORED;
        }
        return open === 0 ? IGNORED : codes.codeOfPoint(codes.point(row, rank, 0, 0));
      }
      case WAIT:
      case TEST: {
        const id = requests.id(rank, this.#source(values[0]!), values[1]!, values[2]!);
        const known = row === WAIT ? requests.wait(id, rank) : requests.test(id, rank);
        // The request is already complete, so that there is nothing to record.
        if (!known && requests.isPast(row === WAIT ? 'wait' : 'test', id, rank)) return IGNORED;
        if (!known)
          diagnostics.noRequest(
            rank,
            [0, 1, 2].map((at) => diagnostics.word(bytes, begin, end, at)),
          );
        return this.#point(row, rank, codes.point(row, rank, id, 0));
      }
      case SEND:
      case ISEND:
      case RECV:
      case IRECV:
      case SSEND:
      case ISSEND:
      case BSEND:
      case IBSEND:
      case PUT:
      case GET:
      case ACCUMULATE: {
        const numbers = this.#tuple;
        const length = normalize(shape, values, this.#defaultBytes[rank]!, this.#derivedBytes, numbers, 0);
        if (typeof length !== 'number') {
          diagnostics.fault(rank, length, bytes, begin, end);
          return IGNORED;
        }
        const id = codes.point(row, rank, this.#source(values[0]!), values[1]! + 0);
        this.amount = numbers[1]!;
        return this.#unremembered(this.#point(row, rank, id));
      }
      default:
        return IGNORED;
    }
  }

  /** Applies a sendRecv or collective; all arguments are part of the action. */
  #longAction(row: number, rank: number, shape: Shape, bytes: Buffer, begin: number, end: number): number {
    const { ranks, codes, order } = this.#parts;
    const max = shape.kinds.length + 3;
    if (this.#tuple.length < max) this.#tuple = new Float64Array(max * 2);
    const tuple = this.#tuple;
    tuple[0] = row;
    tuple[1] = rank;
    if (row === SENDRECV) this.#source(this.#values[3]!);
    const length = normalize(shape, this.#values, this.#defaultBytes[rank]!, this.#derivedBytes, tuple, 2);
    if (typeof length !== 'number') {
      this.diagnostics.fault(rank, length, bytes, begin, end);
      return IGNORED;
    }
    const id = codes.tuple(tuple, length + 2, shape.rooted);
    const signature = codes.signatureOfTuple(id);
    if (row >= FIRST_NONBLOCKING) this.#nonblocking.post(row, rank, codes.codeOfTuple(id));
    const compared = row >= FIRST_COLLECTIVE && ranks > 1;
    this.#key = id * 2 + 1;
    this.#effect = compared ? EFFECT_COLLECTIVE : NO_EFFECT;
    this.#argument = signature;
    if (compared && !this.diagnostics.tainted(rank) && !order.next(rank, signature)) {
      const k = order.count(rank);
      const first = this.#parts.collective(k);
      this.diagnostics.otherCollective(rank, k + 1, order.name(signature), first, order.describe(k));
    }
    // The memo knows one effect and one code of a line.
    const once = codes.onceCode();
    if (row >= FIRST_NONBLOCKING || once !== undefined) this.#key = -1;
    return this.#unremembered(once ?? codes.codeOfTuple(id));
  }

  /** Size of the derived datatype of the current line; undefined if it has none, or if none is given. */
  #derivedIn(row: number, { kinds }: Shape): number | undefined {
    const has = kinds.some((kind, at) => TYPES.has(kind) && this.#values[at] === DERIVED_TYPE);
    this.#isDerived = has;
    if (!has) return undefined;
    const { file, line } = this.diagnostics;
    return this.#parts.derived.of(ROWS[row]!.name, file, line);
  }

  /** Equal lines with derived datatypes may have other sizes, so the memo does not keep them. */
  #unremembered(code: number): number {
    if (this.#isDerived && this.#parts.derived.byLine) this.#key = -1;
    return code;
  }

  #source(value: number): number {
    if (value !== TRACED_ANY_SOURCE) return value + 0;
    this.diagnostics.tracedSource();
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

/** The text that is being read, and the offset of the part that the kernel has a copy of, at its index 0. */
export interface Reading {
  bytes: Buffer;
  base: number;
}
