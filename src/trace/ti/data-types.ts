import { type Shape, shapeOf } from './arguments.ts';
import { DERIVED_TYPE, INIT, ROWS, TYPE_BYTES } from './grammar.ts';

/** Names of SimGrid 3.32's predefined datatypes by id, in the order of {@link TYPE_BYTES}. */
export const TYPE_NAMES: readonly string[] = [
  ...['DOUBLE', 'INT', 'CHAR', 'SHORT', 'LONG', 'FLOAT', 'BYTE', 'LONG_LONG', 'SIGNED_CHAR', 'UNSIGNED_CHAR'],
  ...['UNSIGNED_SHORT', 'UNSIGNED', 'UNSIGNED_LONG', 'UNSIGNED_LONG_LONG', 'LONG_DOUBLE', 'WCHAR', 'C_BOOL'],
  ...['INT8_T', 'INT16_T', 'INT32_T', 'INT64_T', 'UINT8_T', 'UINT16_T', 'UINT32_T', 'UINT64_T'],
  ...['C_FLOAT_COMPLEX', 'C_DOUBLE_COMPLEX', 'C_LONG_DOUBLE_COMPLEX', 'AINT', 'OFFSET', 'FLOAT_INT', 'LONG_INT'],
  ...['DOUBLE_INT', 'SHORT_INT', '2INT', '2FLOAT', '2DOUBLE', '2LONG', 'REAL', 'REAL4', 'REAL8', 'REAL16'],
  ...['COMPLEX8', 'COMPLEX16', 'COMPLEX32', 'INTEGER1', 'INTEGER2', 'INTEGER4', 'INTEGER8', 'INTEGER16'],
  ...['LONG_DOUBLE_INT', 'CXX_BOOL', 'CXX_FLOAT_COMPLEX', 'CXX_DOUBLE_COMPLEX', 'CXX_LONG_DOUBLE_COMPLEX', 'UB'],
  ...['LB', 'PACKED', 'PTR', 'COUNT'],
].map((name) => `MPI_${name}`);

const BYTE = TYPE_NAMES.indexOf('MPI_BYTE');
const DOUBLE = TYPE_NAMES.indexOf('MPI_DOUBLE');

/** A datatype of a trace, and the bytes of an element. */
export interface DataType {
  readonly name: string;
  readonly bytes: number;
}

/** Looks up the datatype of an action of a rank, by its number among those with data. */
export type TypesOfActions = Pick<DataTypes, 'of'>;

/**
 * Datatypes of the actions of a trace, which its columns do not keep. Actions with data (sends, receives and collectives)
 * are numbered from 0 on each rank. Only changes are stored: memory is O(ranks + changes).
 */
export class DataTypes {
  readonly #ranks: number;
  readonly #derivedBytes: number | undefined;
  /** By rank: number of each action from which another datatype applies, and the datatype's id. */
  readonly #from: number[][];
  readonly #type: number[][];
  /** Datatype of elements whose type is not written. */
  readonly #default: Int32Array;
  readonly #shapes: Map<number, Shape | undefined>[] = ROWS.map(() => new Map());

  constructor(ranks: number, derivedBytes: number | undefined) {
    this.#ranks = ranks;
    this.#derivedBytes = derivedBytes;
    this.#from = Array.from({ length: ranks }, () => []);
    this.#type = Array.from({ length: ranks }, () => []);
    this.#default = new Int32Array(ranks).fill(BYTE);
  }

  /**
   * Takes a sound line: its rank, the row of its action in the grammar, the number of the rank's actions with data before,
   * and its arguments.
   */
  line(rank: number, row: number, index: number, words: readonly string[]): void {
    if (row === INIT) {
      this.#default[rank] = words.length > 0 ? DOUBLE : BYTE;
      return;
    }
    const shapes = this.#shapes[row]!;
    if (!shapes.has(words.length)) shapes.set(words.length, shapeOf(ROWS[row]!, words.length, this.#ranks));
    const shape = shapes.get(words.length);
    if (shape?.kinds.some((kind) => COUNTS.has(kind)) !== true) return;
    const type = shape.type < 0 ? this.#default[rank]! : Number(words[shape.type]);
    const types = this.#type[rank]!;
    if (types.at(-1) === type) return;
    this.#from[rank]!.push(index);
    types.push(type);
  }

  /** Datatype of the data that an action of a rank sends, or else receives; undefined for a barrier. O(log changes). */
  of(rank: number, index: number): DataType | undefined {
    const from = this.#from[rank]!;
    let low = 0;
    let high = from.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (from[middle]! <= index) low = middle + 1;
      else high = middle;
    }
    const type = this.#type[rank]![low - 1];
    if (type === undefined) return undefined;
    return type === DERIVED_TYPE
      ? { name: 'derived', bytes: this.#derivedBytes ?? 0 }
      : { name: TYPE_NAMES[type]!, bytes: TYPE_BYTES[type]! };
  }
}

const COUNTS: ReadonlySet<string> = new Set(['count', 'sendcount', 'recvcount']);
