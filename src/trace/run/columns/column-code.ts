import type { Cells } from '../batch.ts';
import { ABSENT, type ColumnType, isDouble } from '../run-schema.ts';
import { decodePlanes, encodePlanes, isNanoseconds, skipPlanes } from './byte-planes.ts';
import type { ByteSink, ByteSource } from './bytes.ts';
import type { Known } from './known-columns.ts';

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
  /** Doubles as planes of their differences, each from the one before: larger than `decimal`, but smaller when it is compressed. */
  planes: 9,
  /** As `chained`, with the other starts as planes of their differences from the end of the previous row of the process. */
  chainedPlanes: 10,
  /** Doubles as planes of their differences from numbers that follow from other columns. */
  knownPlanes: 11,
  /** Counts as differences from the last one of the same process (0 before the first), as a column; absent cells stay absent. */
  processSteps: 12,
} as const;

/**
 * Writes the first `count` cells of a column.
 *
 * @param known columns with which the column is compared; only where the bytes will be compressed
 */
export function encodeColumn(sink: ByteSink, type: ColumnType, cells: Cells, count: number, known?: Known): void {
  if (sink.isCompressed && known?.near !== undefined) {
    const present = (cells as Float64Array).subarray(0, count).every((value) => !Number.isNaN(value));
    if (present) {
      sink.u8(ENCODING.knownPlanes);
      encodePlanes(sink, cells as Float64Array, known.near(), count);
      return;
    }
  }
  if (sink.isCompressed && known?.process !== undefined) {
    const steps = processSteps(cells as Int32Array, known.process, count);
    if (steps !== undefined) {
      sink.u8(ENCODING.processSteps);
      encodeIntegers(sink, steps, count);
      return;
    }
  }
  if (isDouble(type)) encodeDoubles(sink, cells as Float64Array, count);
  else encodeIntegers(sink, cells as Int32Array, count);
}

/** Differences from the last count of the same process; undefined if one of them could be taken for an absent cell. */
function processSteps(cells: Int32Array, process: Int32Array, count: number): Int32Array | undefined {
  const last = new Map<number, number>();
  const steps = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    const value = cells[k]!;
    if (value === ABSENT) {
      steps[k] = ABSENT;
      continue;
    }
    const step = value - (last.get(process[k]!) ?? 0);
    if (step === ABSENT || step !== (step | 0)) return undefined;
    steps[k] = step;
    last.set(process[k]!, value);
  }
  return steps;
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
  if (sink.isCompressed) {
    const before = new Float64Array(count);
    before.set(cells.subarray(0, count - 1), 1);
    sink.u8(ENCODING.planes);
    encodePlanes(sink, cells, before, count);
    return;
  }
  if (encodeDecimals(sink, cells, count)) return;
  sink.u8(ENCODING.double);
  for (let k = 0; k < count; k++) sink.f64(cells[k]!);
}

/** Writes doubles that are whole multiples of 10⁻⁹; false if one of them is not, and nothing is written then. */
function encodeDecimals(sink: ByteSink, cells: Float64Array, count: number): boolean {
  for (let k = 0; k < count; k++) if (!isNanoseconds(cells[k]!)) return false;
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
  const before: number[] = [];
  const chained = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const p = process[k]!;
    if (Object.is(last.get(p), starts[k])) chained[k] = 1;
    else {
      before.push(last.get(p) ?? 0);
      others.push(starts[k]!);
    }
    last.set(p, ends[k]!);
  }
  if (sink.isCompressed) {
    sink.u8(ENCODING.chainedPlanes);
    encodeMask(sink, count, (k) => chained[k] === 1);
    encodePlanes(sink, Float64Array.from(others), Float64Array.from(before), others.length);
    return;
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
  if (encoding !== ENCODING.chained && encoding !== ENCODING.chainedColumn && encoding !== ENCODING.chainedPlanes)
    throw new RangeError('unknown encoding of a column of starts');
  const mask = source.raw(Math.ceil(count / 8));
  const others = count - bitsOf(mask, count);
  const listed = encoding === ENCODING.chainedColumn ? new Float64Array(others) : undefined;
  if (listed !== undefined && others > 0) decodeColumn(source, 'seconds', listed, others);
  const planes = encoding === ENCODING.chainedPlanes ? decodePlanes(source, others) : undefined;
  let next = 0;
  const last = new Map<number, number>();
  for (let k = 0; k < count; k++) {
    const p = process[k]!;
    if ((mask[k >> 3]! >> (k & 7)) & 1) {
      const start = last.get(p);
      if (start === undefined) throw new RangeError(`row ${k} continues a process without an earlier row`);
      starts[k] = start;
    } else if (planes !== undefined) starts[k] = planes(next++, last.get(p) ?? 0);
    else starts[k] = listed === undefined ? source.f64() : listed[next++]!;
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
  else if (!double && encoding === ENCODING.processSteps) skipColumn(source, type, count);
  else if (double && (encoding === ENCODING.planes || encoding === ENCODING.knownPlanes)) skipPlanes(source, count);
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

/**
 * Reads `count` cells of a column.
 *
 * @param known columns with which the column is compared
 * @throws RangeError for an unknown encoding, and past the end
 */
export function decodeColumn(
  source: ByteSource,
  type: ColumnType,
  cells: Cells,
  count: number,
  known?: Known,
  nested = false,
): void {
  const double = isDouble(type);
  const encoding = source.u8();
  if (encoding === ENCODING.constant) {
    const value = double ? source.f64() : source.i32();
    cells.fill(value, 0, count);
  } else if (encoding === ENCODING.masked && !nested) {
    const mask = source.raw(Math.ceil(count / 8));
    const present = bitsOf(mask, count);
    const kept = double ? new Float64Array(present) : new Int32Array(present);
    decodeColumn(source, type, kept, present, undefined, true);
    for (let k = 0, at = 0; k < count; k++) {
      const isPresent = ((mask[k >> 3]! >> (k & 7)) & 1) === 1;
      cells[k] = isPresent ? kept[at++]! : double ? Number.NaN : ABSENT;
    }
  } else if (double && encoding === ENCODING.double) {
    source.f64s(cells as Float64Array, count);
  } else if (double && encoding === ENCODING.knownPlanes && known?.near !== undefined) {
    const planes = decodePlanes(source, count);
    const near = known.near();
    for (let k = 0; k < count; k++) cells[k] = planes(k, near[k]!);
  } else if (!double && encoding === ENCODING.processSteps && known?.process !== undefined) {
    decodeColumn(source, type, cells, count);
    const last = new Map<number, number>();
    for (let k = 0; k < count; k++) {
      if (cells[k] === ABSENT) continue;
      cells[k] = cells[k]! + (last.get(known.process[k]!) ?? 0);
      last.set(known.process[k]!, cells[k]!);
    }
  } else if (double && encoding === ENCODING.planes) {
    const planes = decodePlanes(source, count);
    let before = 0;
    for (let k = 0; k < count; k++) {
      before = planes(k, before);
      cells[k] = before;
    }
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
