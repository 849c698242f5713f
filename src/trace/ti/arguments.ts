import type { Code } from '../../base/codes.ts';
import { quote } from '../../base/problem.ts';
import {
  ANY_SOURCE,
  ANY_TAG,
  type ArgumentKind,
  DERIVED_TYPE,
  describeForms,
  kindsOf,
  type Row,
  TRACED_ANY_SOURCE,
  TYPE_BYTES,
} from './grammar.ts';

/** An argument list of an action: the kinds of its arguments for a given number of them. */
export interface Shape {
  readonly kinds: readonly ArgumentKind[];
  /** Position of the datatype of `count` and `sendcount` (−1: default datatype). */
  readonly type: number;
  /** Position of the datatype of `recvcount` (−1: the datatype of the sent elements). */
  readonly recvtype: number;
  /** Position of the root (−1: not given). */
  readonly root: number;
  /** True if the action has a root, given or 0 by default. */
  readonly rooted: boolean;
  /** True if the element size is needed in addition to the bytes: algorithms divide messages by elements. */
  readonly sized: boolean;
}

/** Actions whose messages algorithms divide by elements. */
const SIZED: ReadonlySet<string> = new Set(['bcast', 'reduce', 'allreduce', 'allgatherv', 'reducescatter']);

/** The shape of a row with `count` arguments; undefined if the row has no such form. */
export function shapeOf(row: Row, count: number, ranks: number): Shape | undefined {
  const kinds = kindsOf(row, count, ranks);
  if (kinds === undefined) return undefined;
  const type = kinds.indexOf('type');
  return {
    kinds,
    type: type >= 0 ? type : kinds.indexOf('sendtype'),
    recvtype: kinds.indexOf('recvtype'),
    root: kinds.indexOf('root'),
    rooted: row.forms.some((form) => form.includes('root')),
    sized: SIZED.has(row.name) || SIZED.has(row.name.slice(1)),
  };
}

/** An error in the arguments of a line; `at` is the index of the argument, −1 for the action itself. */
export interface Fault {
  readonly code: Code;
  readonly message: string;
  readonly at: number;
}

export function wrongCount(row: Row, count: number, ranks: number): Fault {
  const many = row.forms.some((form) => form.includes('*P')) ? ` (P = ${ranks} ranks)` : '';
  return {
    code: 'TI022',
    message: `${row.name} cannot have ${count} ${count === 1 ? 'argument' : 'arguments'}: expected ${describeForms(row)}${many}.`,
    at: -1,
  };
}

/**
 * Finds the first argument whose value its kind does not allow. `word` returns an argument as text; `derivedBytes` is
 * the size of the line's derived datatype (undefined: it is rejected). O(arguments).
 */
export function faultOf(
  shape: Shape,
  values: Float64Array,
  ranks: number,
  derivedBytes: number | undefined,
  word: (at: number) => string,
): Fault | undefined {
  const { kinds } = shape;
  for (let at = 0; at < kinds.length; at++) {
    const kind = kinds[at]!;
    const v = values[at]!;
    const fault = (code: Code, expected: string): Fault => ({
      code,
      message: `${kind === 'anytag' ? 'tag' : kind} ${quote(word(at))} ${expected}.`,
      at,
    });
    if (Number.isNaN(v)) return fault('TI023', 'is not a number');
    if (!Number.isFinite(v)) return fault('TI023', 'is not finite');
    if (kind === 'flops' || kind === 'seconds') {
      if (v < 0) return fault('TI023', 'is negative');
      continue;
    }
    if (!Number.isInteger(v)) return fault('TI023', 'must be an integer');
    switch (kind) {
      case 'src':
        if (v === ANY_SOURCE || v === TRACED_ANY_SOURCE) break;
        if (v < 0 || v >= ranks)
          return fault('TI024', `is out of range: ranks are 0 … ${ranks - 1}, ${ANY_SOURCE} any`);
        break;
      case 'dst':
      case 'root':
        if (v < 0 || v >= ranks) return fault('TI024', `is out of range: ranks are 0 … ${ranks - 1}`);
        break;
      case 'anytag':
      case 'tag':
        if (kind === 'anytag' && v === ANY_TAG) break;
        if (v < 0 || v > 0x7fffffff) {
          return fault('TI025', `is out of range 0 … 2147483647${kind === 'anytag' ? `, ${ANY_TAG} any` : ''}`);
        }
        break;
      case 'type':
      case 'sendtype':
      case 'recvtype':
        if (v === DERIVED_TYPE) {
          if (derivedBytes !== undefined) break;
          const size =
            'The tracer writes it for derived types, without their size. Give the size with --datatype -1=BYTES, CALL=BYTES or FILE:LINE=BYTES';
          return fault('TI026', `is not a datatype. ${size} (0: no payload, as SimGrid replays it)`);
        }
        if (v < 0 || v >= TYPE_BYTES.length) {
          const known = `expected 0 … ${TYPE_BYTES.length - 1}, or ${DERIVED_TYPE} with --datatype`;
          return fault('TI026', `is not a datatype: ${known}`);
        }
        break;
      default:
        if (v < 0) return fault('TI023', 'is negative');
        if (v > Number.MAX_SAFE_INTEGER) return fault('TI027', 'exceeds 2^53 − 1');
    }
  }
  return undefined;
}

/**
 * Writes the arguments to `out` from index `from` on in a normal form that does not depend on their notation: bytes
 * instead of counts, flops and peers, in the order of the form, without datatypes, displacements and buffer
 * sizes, the element size, if the action needs it, and the root. Requires that `faultOf` found no fault.
 *
 * @returns the number of values written, or the fault that a byte count exceeds 2^53 − 1
 */
export function normalize(
  shape: Shape,
  values: Float64Array,
  defaultBytes: number,
  derivedBytes: number | undefined,
  out: Float64Array,
  from: number,
): number | Fault {
  const { kinds } = shape;
  const bytesOf = (at: number): number => TYPE_BYTES[values[at]!] ?? derivedBytes!;
  const send = shape.type < 0 ? defaultBytes : bytesOf(shape.type);
  const receive = shape.recvtype < 0 ? send : bytesOf(shape.recvtype);
  let n = from;
  for (let at = 0; at < kinds.length; at++) {
    // Adding 0 turns −0 into 0.
    const v = values[at]! + 0;
    switch (kinds[at]) {
      case 'count':
      case 'sendcount':
      case 'recvcount': {
        const bytes = v * (kinds[at] === 'recvcount' ? receive : send);
        if (bytes > Number.MAX_SAFE_INTEGER)
          return { code: 'TI027', message: 'the number of bytes exceeds 2^53 − 1.', at };
        out[n++] = bytes;
        break;
      }
      case 'src':
        out[n++] = v === TRACED_ANY_SOURCE ? ANY_SOURCE : v;
        break;
      case 'dst':
      case 'flops':
        out[n++] = v;
        break;
    }
  }
  if (shape.sized) out[n++] = shape.recvtype < 0 ? send : receive;
  if (shape.rooted) out[n++] = shape.root < 0 ? 0 : values[shape.root]! + 0;
  return n - from;
}

/**
 * The arguments with counts of a line that SimGrid 3.32 writes for a Reduce_scatter_block of n elements: n zeros and the datatype. Its
 * replay cannot read them, unless n is the number of ranks or one more, where the line is one of no data.
 *
 *     0 reducescatter 0 0 0 1     3 elements of type 1; on 4 ranks: 3 3 3 3 0 1
 *
 * @returns undefined for other lines
 */
export function countsOfBlock(values: Float64Array, count: number, ranks: number): Float64Array | undefined {
  const n = count - 1;
  if (n < 0 || n === ranks || n === ranks + 1) return undefined;
  for (let at = 0; at < n; at++) if (values[at] !== 0) return undefined;
  const counts = new Float64Array(Math.max(64, ranks + 2)).fill(n, 0, ranks);
  counts[ranks] = 0;
  counts[ranks + 1] = values[n]!;
  return counts;
}
