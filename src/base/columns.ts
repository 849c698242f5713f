/**
 * A long column of numbers of which only some pages are in memory. The value at position `i` is `(pages[i >> shift] ??
 * load(i >> shift))[i & ((1 << shift) - 1)]`. `load` fills `pages[page]`, also in sibling columns, and may evict others by
 * setting them to undefined.
 */
export interface PagedColumn<A extends Int32Array | Float64Array = Int32Array | Float64Array> {
  /** Total number of positions; at most 2³¹ − 1. */
  readonly length: number;
  /** log₂ of the positions per page; from 5 to 20. */
  readonly shift: number;
  readonly pages: (A | undefined)[];
  /** True if pages are complete and their entries valid for a table (no −0), so that readers need not check. Default false. */
  readonly sound?: boolean;
  load(page: number): A;
}

/** Positions per page. */
export const pageSize = ({ shift }: PagedColumn): number => 1 << shift;

/** The entry of a column, paged or not; 0 for positions beyond the end of its page. */
export function entryAt<A extends Int32Array | Uint8Array | Float64Array>(
  column: A | PagedColumn<Extract<A, Int32Array | Float64Array>>,
  index: number,
): number {
  if (!('pages' in column)) return column[index]!;
  const page = index >> column.shift;
  return (column.pages[page] ?? column.load(page))[index & (pageSize(column) - 1)] ?? 0;
}

/** Arrays of numbers in one piece of memory. */
type Numbers = Int32Array | Float64Array | Uint8Array;

/** A longer copy of a column; new entries are 0. */
export function grown<A extends Numbers>(column: A, length: number): A {
  const longer = new (column.constructor as new (length: number) => A)(length);
  longer.set(column);
  return longer;
}

/** Numbers that are appended. Doubling takes O(1) per entry, amortised. */
export class GrowingColumn<A extends Numbers> {
  /** Entries from `length` on are 0. Replaced when the column grows. */
  values: A;
  length = 0;

  /** @param room zeros; as many entries as it has are appended without a copy */
  constructor(room: A) {
    this.values = room;
  }

  /** @returns the new length */
  push(value: number): number {
    if (this.length === this.values.length) this.values = grown(this.values, Math.max(256, 2 * this.length));
    this.values[this.length] = value;
    return ++this.length;
  }

  at(index: number): number {
    return this.values[index]!;
  }

  /** Sets an entry; those between the others and it are 0. */
  set(index: number, value: number): void {
    while (this.length <= index) this.push(0);
    this.values[index] = value;
  }

  /** The column with zeros up to a length. */
  padded(length: number): A {
    while (this.length < length) this.push(0);
    return this.finish();
  }

  /** The column without room for more. The room was never written, and takes no memory: nothing is copied. */
  finish(): A {
    return this.values.subarray(0, this.length) as A;
  }
}

export class IntColumn extends GrowingColumn<Int32Array> {
  constructor(room = 1 << 10) {
    super(new Int32Array(room));
  }
}

/** Integers by index, one byte each while all of them are below 256. */
export class ByteColumn {
  #bytes: Uint8Array | undefined = new Uint8Array(1 << 10);
  #integers = new Int32Array(0);
  length = 0;

  push(value: number): number {
    if (this.#bytes !== undefined) {
      if (value >= 0 && value < 256) {
        if (this.length === this.#bytes.length) this.#bytes = grown(this.#bytes, 2 * this.length);
        this.#bytes[this.length] = value;
        return ++this.length;
      }
      this.#integers = grown(Int32Array.from(this.#bytes.subarray(0, this.length)), Math.max(256, 2 * this.length));
      this.#bytes = undefined;
    }
    if (this.length === this.#integers.length) this.#integers = grown(this.#integers, 2 * this.length);
    this.#integers[this.length] = value;
    return ++this.length;
  }

  at(index: number): number {
    return (this.#bytes ?? this.#integers)[index]!;
  }

  /** The column without room for more. */
  finish(): Uint8Array | Int32Array {
    return (this.#bytes ?? this.#integers).subarray(0, this.length);
  }
}

const zeros = new WeakSet<Float64Array>();

/** A column of zeros, which nobody writes. Memory that was never touched takes none: ask {@link isZeroColumn} before reading it. */
export function zeroColumn(length: number): Float64Array {
  const column = new Float64Array(length);
  zeros.add(column);
  return column;
}

/** True if all numbers of a column are 0. O(1) for columns made as {@link zeroColumn}. */
export const isZeroColumn = (column: Float64Array): boolean => zeros.has(column) || column.every((x) => x === 0);

/** Numbers by index, most of which may be 0; one without others becomes a {@link zeroColumn}. */
export class RealColumn {
  #values = new Float64Array(1 << 10);
  #isZero = true;

  set(index: number, value: number): void {
    if (value === 0) return;
    if (index >= this.#values.length) this.#grow(index + 1);
    this.#isZero = false;
    this.#values[index] = value;
  }

  finish(length: number): Float64Array {
    if (this.#isZero) return zeroColumn(length);
    if (this.#values.length < length) this.#grow(length);
    return this.#values.subarray(0, length);
  }

  #grow(length: number): void {
    const grown = new Float64Array(2 ** Math.ceil(Math.log2(length)));
    if (!this.#isZero) grown.set(this.#values);
    this.#values = grown;
  }
}
