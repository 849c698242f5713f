import { grown } from '../../base/columns.ts';
import type { Collective } from '../collective.ts';
import {
  ACCUMULATE,
  ANY_SOURCE,
  ANY_TAG,
  BSEND,
  blockingRow,
  FIRST_NONBLOCKING,
  GET,
  IBSEND,
  IRECV,
  ISEND,
  ISSEND,
  NONBLOCKING_TAGS,
  PUT,
  ROWS,
  SEND,
  SSEND,
  TEST,
  type TiMode,
  WAIT,
} from './grammar.ts';
import { QuadTable, TupleTable } from './intern.ts';
import type { CollectiveOrder } from './order.ts';
import type { Requests } from './requests.ts';

export interface TiEncoder {
  /** Code (0 … 2³¹ − 1) of an action of a rank. Called once per distinct (rank, action), in the order of first occurrence. */
  encode(rank: number, action: TiAction): number;
  /** True if a code is that of this occurrence only: the action of the rank is then encoded again, for later ones. Default: never. */
  isOnce?(code: number): boolean;
  /** Number of messages that the non-blocking collective of a code posts, and that its wait waits for. Default: 1. */
  postedBy?(code: number): number;
}

/** Replaces the code of a line that is not recorded. */
export const IGNORED = -1;

/** Source and destination in the names of requests of non-blocking collectives. */
const NONBLOCKING = -1000;

/** The codes of the distinct (rank, action) pairs seen so far. O(1) per look-up; memory is proportional to their number. */
export class Codes {
  readonly #encoder: TiEncoder;
  readonly #ranks: number;
  readonly #requests: Requests;
  readonly #order: CollectiveOrder;
  /** Actions with at most one peer, by (row, rank, peer, tag). For waits and tests, `peer` is the request; unused parts are 0. */
  readonly #points = new QuadTable();
  #pointCode: Int32Array = new Int32Array(1 << 10);
  #pointRequest: Int32Array = new Int32Array(1 << 10);
  /** sendRecv and collectives, by (row, rank, normalized arguments). */
  readonly #tuples = new TupleTable();
  #tupleCode: Int32Array = new Int32Array(1 << 9);
  #tupleSignature: Int32Array = new Int32Array(1 << 9);
  /** Code of the occurrence of a tuple that was just added, if others have another one. */
  #once: number | undefined;

  constructor(encoder: TiEncoder, ranks: number, requests: Requests, order: CollectiveOrder) {
    this.#encoder = encoder;
    this.#ranks = ranks;
    this.#requests = requests;
    this.#order = order;
  }

  /** The number of an action with at most a peer and a tag (as written in the trace, −555 and −444 for any). */
  point(row: number, rank: number, peer: number, tag: number): number {
    const before = this.#points.count;
    const id = this.#points.find(row, rank, peer, tag);
    if (id === before) this.#addPoint(id, row, rank, peer, tag);
    return id;
  }

  codeOfPoint(id: number): number {
    return this.#pointCode[id]!;
  }

  /** Request number of an isend, irecv, wait or test. */
  requestOfPoint(id: number): number {
    return this.#pointRequest[id]!;
  }

  /** The number of the action (row, rank, normalized arguments …) in `tuple[0 … length − 1]`. */
  tuple(tuple: Float64Array, length: number, rooted: boolean): number {
    const before = this.#tuples.count;
    const id = this.#tuples.find(tuple, length);
    if (id === before) this.#addTuple(id, tuple, length, rooted);
    return id;
  }

  /** Number of the name of a rank's requests of non-blocking collectives with a tag of SimGrid. */
  nonblocking(rank: number, tag: number): number {
    return this.#requests.id(rank, NONBLOCKING, NONBLOCKING, tag);
  }

  /** Number of messages that a non-blocking collective posts. */
  postedBy(code: number): number {
    return this.#encoder.postedBy?.(code) ?? 1;
  }

  /** Code of the occurrence for which {@link tuple} was called last, if all later ones have another code. Asked once. */
  onceCode(): number | undefined {
    const code = this.#once;
    this.#once = undefined;
    return code;
  }

  codeOfTuple(id: number): number {
    return this.#tupleCode[id]!;
  }

  /** Signature of a collective for {@link CollectiveOrder}. */
  signatureOfTuple(id: number): number {
    return this.#tupleSignature[id]!;
  }

  /** The code of a rank's end; must be called once per rank. */
  end(rank: number): number {
    return this.#encode(rank, this.#requests.outstanding(rank) > 0 ? { kind: 'end', open: true } : { kind: 'end' });
  }

  #addPoint(id: number, row: number, rank: number, peer: number, tag: number): void {
    if (id === this.#pointCode.length) {
      this.#pointCode = grown(this.#pointCode, id * 2);
      this.#pointRequest = grown(this.#pointRequest, id * 2);
    }
    if (row === ISEND || row === ISSEND || row === IBSEND)
      this.#pointRequest[id] = this.#requests.id(rank, rank, peer, tag);
    else if (row === IRECV) this.#pointRequest[id] = this.#requests.id(rank, peer, rank, tag);
    else if (row === WAIT || row === TEST) this.#pointRequest[id] = peer;
    this.#pointCode[id] = this.#encode(rank, this.#pointAction(id, row, peer, tag));
  }

  #pointAction(id: number, row: number, peer: number, tag: number): TiAction {
    const request = this.#pointRequest[id]!;
    switch (row) {
      case SEND:
        return { kind: 'send', peer, tag };
      case SSEND:
        return { kind: 'send', peer, tag, mode: 'synchronous' };
      case BSEND:
        return { kind: 'send', peer, tag, mode: 'buffered' };
      case ISEND:
        return { kind: 'isend', peer, tag, request };
      case ISSEND:
        return { kind: 'isend', peer, tag, request, mode: 'synchronous' };
      case IBSEND:
        return { kind: 'isend', peer, tag, request, mode: 'buffered' };
      case PUT:
        return { kind: 'put', peer };
      case GET:
        return { kind: 'get', peer };
      case ACCUMULATE:
        return { kind: 'accumulate', peer };
      case WAIT:
      case TEST:
        return row === TEST
          ? { kind: 'test', request: peer }
          : { kind: 'wait', request: peer, ...(tag > 1 ? { count: tag } : {}) };
      default: {
        if (row < SEND || row > IRECV) {
          return { kind: ROWS[row]!.name as 'compute' | 'sleep' | 'waitall' | 'waitAny' };
        }
        const from = peer === ANY_SOURCE ? null : peer;
        const any = tag === ANY_TAG ? null : tag;
        return row === IRECV
          ? { kind: 'irecv', peer: from, tag: any, request }
          : { kind: 'recv', peer: from, tag: any };
      }
    }
  }

  #addTuple(id: number, tuple: Float64Array, length: number, rooted: boolean): void {
    if (id === this.#tupleCode.length) {
      this.#tupleCode = grown(this.#tupleCode, id * 2);
      this.#tupleSignature = grown(this.#tupleSignature, id * 2);
    }
    const row = tuple[0]!;
    const rank = tuple[1]!;
    const numbers = Array.from(tuple.subarray(2, length));
    const action: TiAction =
      row < FIRST_NONBLOCKING
        ? buildAction(row, numbers, this.#ranks)
        : {
            kind: 'nonblocking',
            collective: buildAction(blockingRow(row), numbers, this.#ranks) as Collective,
            request: this.nonblocking(rank, NONBLOCKING_TAGS[ROWS[row]!.name]!),
          };
    let code = this.#encode(rank, action);
    if (this.#encoder.isOnce?.(code) === true) {
      this.#once = code;
      code = this.#encode(rank, action);
    }
    this.#tupleCode[id] = code;
    this.#tupleSignature[id] = this.#order.signature(row, rooted ? tuple[length - 1]! : -1);
  }

  #encode(rank: number, action: TiAction): number {
    const code = this.#encoder.encode(rank, action);
    if ((code | 0) !== code || code < 0)
      throw new RangeError(`code ${code} of ${action.kind} is not in 0 … 2147483647`);
    return code;
  }
}

/**
 * Builds the action of a row from its normalized arguments (bytes, flops, peers, root in the order of its form). For
 * rows whose arguments are all part of the action: sendRecv and the collectives.
 */
function buildAction(row: number, numbers: readonly number[], ranks: number): TiAction {
  const [a, b, c, d] = numbers as readonly [number, number, number, number];
  const last = numbers.at(-1)!;
  const kind = ROWS[row]!.name;
  switch (kind) {
    case 'sendRecv':
      return { kind, sendBytes: a, to: b, recvBytes: c, from: d === ANY_SOURCE ? null : d };
    case 'barrier':
      return { kind };
    case 'Win_fence':
      return { kind: 'fence' };
    case 'bcast':
      return { kind, bytes: a, elementBytes: b, root: c };
    case 'reduce':
      return { kind, bytes: a, flops: b, elementBytes: c, root: d };
    case 'allreduce':
      return { kind, bytes: a, flops: b, elementBytes: c };
    case 'scan':
    case 'exscan':
      return { kind, bytes: a, flops: b };
    case 'gather':
    case 'scatter':
      return { kind, sendBytes: a, recvBytes: b, root: c };
    case 'allgather':
    case 'alltoall':
      return { kind, sendBytes: a, recvBytes: b };
    case 'gatherv':
      return { kind, sendBytes: a, recvBytes: numbers.slice(1, 1 + ranks), root: last };
    case 'scatterv':
      return { kind, sendBytes: numbers.slice(0, ranks), recvBytes: numbers[ranks]!, root: last };
    case 'allgatherv':
      return { kind, sendBytes: a, recvBytes: numbers.slice(1, 1 + ranks), elementBytes: last };
    case 'alltoallv':
      return { kind, sendBytes: numbers.slice(0, ranks), recvBytes: numbers.slice(ranks, 2 * ranks) };
    case 'reducescatter':
      return { kind, recvBytes: numbers.slice(0, ranks), flops: numbers[ranks]!, elementBytes: last };
    default:
      throw new Error(`${kind} is not an action with all its arguments`);
  }
}

/**
 * An action of a time-independent (TI) trace from the view of its rank, without its amount (flops of a compute, seconds
 * of a sleep, bytes of a message). Amounts are stored in a separate column so that equal actions share one code. `peer:
 * null` is any source, `tag: null` any tag. `request` is the number of the (rank, source, destination, tag).
 */
export type TiAction =
  | { readonly kind: 'compute' | 'sleep' | 'waitall' | 'waitAny' }
  /** The end of a rank, which waits for its requests if some are outstanding, as SimGrid's replay does. */
  | { readonly kind: 'end'; readonly open?: boolean }
  | { readonly kind: 'send'; readonly peer: number; readonly tag: number; readonly mode?: TiMode }
  | {
      readonly kind: 'isend';
      readonly peer: number;
      readonly tag: number;
      readonly request: number;
      readonly mode?: TiMode;
    }
  | { readonly kind: 'recv'; readonly peer: number | null; readonly tag: number | null }
  | { readonly kind: 'irecv'; readonly peer: number | null; readonly tag: number | null; readonly request: number }
  | { readonly kind: 'test'; readonly request: number }
  /** A wait for one request, or for a non-blocking collective that has posted `count` messages. */
  | { readonly kind: 'wait'; readonly request: number; readonly count?: number }
  | { readonly kind: 'nonblocking'; readonly collective: Collective; readonly request: number }
  /** One-sided calls, whose target takes no part. */
  | { readonly kind: 'put' | 'get' | 'accumulate'; readonly peer: number }
  | { readonly kind: 'fence' }
  | {
      readonly kind: 'sendRecv';
      readonly to: number;
      readonly sendBytes: number;
      readonly from: number | null;
      readonly recvBytes: number;
    }
  | Collective;
