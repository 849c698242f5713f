import type { Cells } from './batch.ts';
import { ABSENT, type ColumnType, isDouble } from './run-schema.ts';

/**
 * Encodings of a column. Integers are stored relative to the smallest one, in the fewest bytes; absent cells have the value
 * {@link ABSENT}, so they widen a column to 4 bytes if only some are absent, unless MASKED applies.
 */
const ENCODING = {
  /** One value for all rows: int32 or double. */
  constant: 0,
  /** uint8 plus base, uint16 plus base, int32. */
  byte: 1,
  short: 2,
  int: 3,
  /** A double each. */
  double: 4,
  /** Starts: a bitmap of rows that begin where the previous row of the same process ends; doubles for the others. */
  chained: 5,
  /** A bitmap of the cells that are present, then these as a column. */
  masked: 6,
  /**
   * Doubles that are whole multiples of 10⁻⁹, as recorders write them: number of bytes (uint32), then the difference of each multiple
   * from the one before as a zigzag number in groups of seven bits, the lowest first.
   */
  decimal: 7,
  /** As `chained`, with the other starts as a column. */
  chainedColumn: 8,
} as const;

/** True if the numbers of this computer have the order of those of a record. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Growing bytes that columns are written to; all numbers are little-endian. */
export class ByteSink {
  #bytes: Uint8Array;
  #view: DataView;
  length = 0;

  constructor(size: number = 1 << 16) {
    this.#bytes = new Uint8Array(size);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Written bytes; valid until the next write. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  i32(value: number): void {
    this.u32(value >>> 0);
  }

  f64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** Writes a whole number from 0 to 2⁵³ in groups of seven bits, the lowest first. */
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.u8((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.u8(rest);
  }

  /** Sets four bytes that have been written before. */
  setU32(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + more));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** Reads what {@link ByteSink} wrote; throws RangeError past the end. */
export class ByteSource {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.at++);
  }

  u16(): number {
    const value = this.#view.getUint16(this.at, true);
    this.at += 2;
    return value;
  }

  u32(): number {
    const value = this.#view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  i32(): number {
    return this.u32() | 0;
  }

  f64(): number {
    const value = this.#view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift <= 56; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new RangeError('past the end');
      // Shifts are exact below 2^31 and several times as fast as products.
      value += shift < 24 ? (byte & 127) << shift : (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number that is too long');
  }

  /** Reads doubles into the first `count` cells. */
  f64s(cells: Float64Array, count: number): void {
    const bytes = this.raw(8 * count);
    if (LITTLE_ENDIAN) new Uint8Array(cells.buffer, cells.byteOffset).set(bytes);
    else {
      this.at -= bytes.length;
      for (let k = 0; k < count; k++) cells[k] = this.f64();
    }
  }

  raw(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('past the end');
    const value = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return value;
  }
}

/** Writes the first `count` cells of a column. */
export function encodeColumn(sink: ByteSink, type: ColumnType, cells: Cells, count: number): void {
  if (isDouble(type)) encodeDoubles(sink, cells as Float64Array, count);
  else encodeIntegers(sink, cells as Int32Array, count);
}

function encodeIntegers(sink: ByteSink, cells: Int32Array, count: number): void {
  let min = 2 ** 31 - 1;
  let max = -(2 ** 31);
  let absent = 0;
  for (let k = 0; k < count; k++) {
    const value = cells[k]!;
    if (value === ABSENT) {
      absent++;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (absent === count || (absent === 0 && min === max)) {
    sink.u8(ENCODING.constant);
    sink.i32(absent === count ? ABSENT : min);
    return;
  }
  if (absent > 0) {
    sink.u8(ENCODING.masked);
    encodeMask(sink, count, (k) => cells[k] !== ABSENT);
    encodeIntegers(
      sink,
      cells.subarray(0, count).filter((value) => value !== ABSENT),
      count - absent,
    );
    return;
  }
  const span = max - min;
  sink.u8(span < 1 << 8 ? ENCODING.byte : span < 1 << 16 ? ENCODING.short : ENCODING.int);
  if (span >= 1 << 16) {
    for (let k = 0; k < count; k++) sink.i32(cells[k]!);
    return;
  }
  sink.i32(min);
  for (let k = 0; k < count; k++) {
    const value = cells[k]! - min;
    sink.u8(value & 255);
    if (span >= 1 << 8) sink.u8(value >> 8);
  }
}

function encodeDoubles(sink: ByteSink, cells: Float64Array, count: number): void {
  const first = cells[0]!;
  let same = true;
  let absent = 0;
  for (let k = 0; k < count; k++) {
    if (!Object.is(cells[k], first)) same = false;
    if (Number.isNaN(cells[k]!)) absent++;
  }
  if (same) {
    sink.u8(ENCODING.constant);
    sink.f64(first);
    return;
  }
  if (absent > 0) {
    sink.u8(ENCODING.masked);
    encodeMask(sink, count, (k) => !Number.isNaN(cells[k]!));
    encodeDoubles(
      sink,
      cells.subarray(0, count).filter((value) => !Number.isNaN(value)),
      count - absent,
    );
    return;
  }
  if (encodeDecimals(sink, cells, count)) return;
  sink.u8(ENCODING.double);
  for (let k = 0; k < count; k++) sink.f64(cells[k]!);
}

/** Multiples of a nanosecond up to this one have differences that a double holds. */
const MAX_NANOSECONDS = 2 ** 51;

/** Writes doubles that are whole multiples of 10⁻⁹; false if one of them is not, and nothing is written then. */
function encodeDecimals(sink: ByteSink, cells: Float64Array, count: number): boolean {
  for (let k = 0; k < count; k++) {
    const value = cells[k]!;
    const multiple = Math.round(value * 1e9);
    const isKept =
      Math.abs(multiple) <= MAX_NANOSECONDS && Object.is(multiple / 1e9, value) && !Object.is(multiple, -0);
    if (!isKept) return false;
  }
  sink.u8(ENCODING.decimal);
  const head = sink.length;
  sink.u32(0);
  let last = 0;
  for (let k = 0; k < count; k++) {
    const multiple = Math.round(cells[k]! * 1e9);
    const difference = multiple - last;
    sink.varint(difference >= 0 ? 2 * difference : -2 * difference - 1);
    last = multiple;
  }
  sink.setU32(head, sink.length - head - 4);
  return true;
}

function encodeMask(sink: ByteSink, count: number, isSet: (k: number) => boolean): void {
  for (let k = 0; k < count; k += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8 && k + bit < count; bit++) if (isSet(k + bit)) byte |= 1 << bit;
    sink.u8(byte);
  }
}

/**
 * Writes starts of rows: most begin where the previous row of their process ends, so only the others are stored.
 * Rows of different blocks are independent.
 */
export function encodeStarts(
  sink: ByteSink,
  starts: Float64Array,
  ends: Float64Array,
  process: Int32Array,
  count: number,
): void {
  const last = new Map<number, number>();
  const others: number[] = [];
  const chained = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const p = process[k]!;
    if (Object.is(last.get(p), starts[k])) chained[k] = 1;
    else others.push(starts[k]!);
    last.set(p, ends[k]!);
  }
  sink.u8(ENCODING.chainedColumn);
  encodeMask(sink, count, (k) => chained[k] === 1);
  if (others.length > 0) encodeDoubles(sink, Float64Array.from(others), others.length);
}

/** Reads starts; needs the process and end columns of the same rows. */
export function decodeStarts(
  source: ByteSource,
  starts: Float64Array,
  ends: Float64Array,
  process: Int32Array,
  count: number,
): void {
  const encoding = source.u8();
  if (encoding !== ENCODING.chained && encoding !== ENCODING.chainedColumn)
    throw new RangeError('unknown encoding of a column of starts');
  const mask = source.raw(Math.ceil(count / 8));
  const others = count - bitsOf(mask, count);
  const listed = encoding === ENCODING.chainedColumn ? new Float64Array(others) : undefined;
  if (listed !== undefined && others > 0) decodeColumn(source, 'seconds', listed, others);
  let next = 0;
  const last = new Map<number, number>();
  for (let k = 0; k < count; k++) {
    const p = process[k]!;
    if ((mask[k >> 3]! >> (k & 7)) & 1) {
      const start = last.get(p);
      if (start === undefined) throw new RangeError(`row ${k} continues a process without an earlier row`);
      starts[k] = start;
    } else starts[k] = listed === undefined ? source.f64() : listed[next++]!;
    last.set(p, ends[k]!);
  }
}

/** Passes over a column of `count` cells. @throws RangeError as {@link decodeColumn} */
export function skipColumn(source: ByteSource, type: ColumnType, count: number): void {
  const double = isDouble(type);
  const encoding = source.u8();
  if (encoding === ENCODING.constant) source.raw(double ? 8 : 4);
  else if (encoding === ENCODING.masked) {
    const present = bitsOf(source.raw(Math.ceil(count / 8)), count);
    skipColumn(source, type, present);
  } else if (double && encoding === ENCODING.decimal) source.raw(source.u32());
  else if (double && encoding === ENCODING.double) source.raw(8 * count);
  else if (!double && encoding === ENCODING.int) source.raw(4 * count);
  else if (!double && encoding === ENCODING.byte) source.raw(4 + count);
  else if (!double && encoding === ENCODING.short) source.raw(4 + 2 * count);
  else throw new RangeError(`unknown encoding ${encoding} of a column`);
}

/** Number of set bits among the first `count`. */
function bitsOf(mask: Uint8Array, count: number): number {
  let bits = 0;
  for (let k = 0; k < count; k++) bits += (mask[k >> 3]! >> (k & 7)) & 1;
  return bits;
}

/** Reads `count` cells of a column; throws RangeError for an unknown encoding. */
export function decodeColumn(source: ByteSource, type: ColumnType, cells: Cells, count: number, nested = false): void {
  const double = isDouble(type);
  const encoding = source.u8();
  if (encoding === ENCODING.constant) {
    const value = double ? source.f64() : source.i32();
    cells.fill(value, 0, count);
  } else if (encoding === ENCODING.masked && !nested) {
    const mask = source.raw(Math.ceil(count / 8));
    const present = bitsOf(mask, count);
    const kept = double ? new Float64Array(present) : new Int32Array(present);
    decodeColumn(source, type, kept, present, true);
    for (let k = 0, at = 0; k < count; k++) {
      const isPresent = ((mask[k >> 3]! >> (k & 7)) & 1) === 1;
      cells[k] = isPresent ? kept[at++]! : double ? Number.NaN : ABSENT;
    }
  } else if (double && encoding === ENCODING.double) {
    source.f64s(cells as Float64Array, count);
  } else if (double && encoding === ENCODING.decimal) {
    const length = source.u32();
    const end = source.at + length;
    let multiple = 0;
    for (let k = 0; k < count; k++) {
      const zigzag = source.varint();
      multiple += zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      cells[k] = multiple / 1e9;
    }
    if (source.at !== end) throw new RangeError('a column of decimals of another length');
  } else if (!double && encoding === ENCODING.int) {
    for (let k = 0; k < count; k++) cells[k] = source.i32();
  } else if (!double && (encoding === ENCODING.byte || encoding === ENCODING.short)) {
    const base = source.i32();
    for (let k = 0; k < count; k++) cells[k] = base + (encoding === ENCODING.byte ? source.u8() : source.u16());
  } else throw new RangeError(`unknown encoding ${encoding} of a column`);
}
