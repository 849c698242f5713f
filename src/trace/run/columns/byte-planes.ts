import type { ByteSink, ByteSource } from './bytes.ts';

/*
 * Doubles as differences, in planes: first the lowest byte of every difference, then the next one, up to the highest that is not
 * zero. Planes compress better than differences one after the other: of random lengths, only the low planes are random.
 *
 *     differences 1, 258, 3   →   planes 1 2 3 | 0 1 0
 */

/** Kinds of differences. */
const KIND = {
  /** Differences of the bits of doubles, as 64-bit integers. */
  bits: 0,
  /** Differences of whole multiples of 10⁻⁹, as recorders write them. */
  nanoseconds: 1,
} as const;

/** Multiples of a nanosecond up to this one have differences that a double holds. */
const MAX_NANOSECONDS = 2 ** 51;

/** True if a double is a whole multiple of 10⁻⁹ that its multiple restores. */
export function isNanoseconds(value: number): boolean {
  const multiple = Math.round(value * 1e9);
  return Math.abs(multiple) <= MAX_NANOSECONDS && Object.is(multiple / 1e9, value) && !Object.is(multiple, -0);
}

const pair = new Float64Array(2);
/** Halves of the two doubles: low, high. */
const halves = new Uint32Array(pair.buffer);
const LOW = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** Writes the first `count` cells as differences to numbers that the reader knows. */
export function encodePlanes(sink: ByteSink, cells: Float64Array, known: Float64Array, count: number): void {
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  let isDecimal = true;
  for (let k = 0; k < count && isDecimal; k++) isDecimal = isNanoseconds(cells[k]!) && isNanoseconds(known[k]!);
  // Zigzag numbers: the sign is the lowest bit.
  for (let k = 0; k < count; k++) {
    if (isDecimal) {
      const difference = Math.round(cells[k]! * 1e9) - Math.round(known[k]! * 1e9);
      const zigzag = difference >= 0 ? 2 * difference : -2 * difference - 1;
      low[k] = zigzag % 2 ** 32;
      high[k] = Math.floor(zigzag / 2 ** 32);
      continue;
    }
    pair[0] = cells[k]!;
    pair[1] = known[k]!;
    const lower = halves[LOW]! - halves[2 + LOW]!;
    const upper = (halves[HIGH]! - halves[2 + HIGH]! - (lower < 0 ? 1 : 0)) | 0;
    const sign = upper >> 31;
    low[k] = (lower << 1) ^ sign;
    high[k] = ((upper << 1) | ((lower >>> 31) & 1)) ^ sign;
  }
  let [lowest, highest] = [0, 0];
  for (let k = 0; k < count; k++) {
    lowest |= low[k]!;
    highest |= high[k]!;
  }
  const width = highest !== 0 ? 8 - (Math.clz32(highest) >> 3) : 4 - (Math.clz32(lowest) >> 3);
  sink.u8(isDecimal ? KIND.nanoseconds : KIND.bits);
  sink.u8(width);
  const plane = new Uint8Array(count);
  for (let b = 0; b < width; b++) {
    const half = b < 4 ? low : high;
    const shift = (b & 3) << 3;
    for (let k = 0; k < count; k++) plane[k] = half[k]! >>> shift;
    sink.raw(plane);
  }
}

/**
 * Reads what {@link encodePlanes} wrote. The result restores cell `k` from the number that it was compared with.
 *
 * @throws RangeError for unknown kinds and widths, and past the end
 */
export function decodePlanes(source: ByteSource, count: number): (k: number, known: number) => number {
  const kind = source.u8();
  const width = source.u8();
  if (kind > KIND.nanoseconds || width > 8) throw new RangeError(`unknown planes: kind ${kind}, width ${width}`);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  for (let b = 0; b < width; b++) {
    const plane = source.raw(count);
    const half = b < 4 ? low : high;
    const shift = (b & 3) << 3;
    for (let k = 0; k < count; k++) half[k]! |= plane[k]! << shift;
  }
  if (kind === KIND.nanoseconds)
    return (k, known) => {
      const zigzag = high[k]! * 2 ** 32 + low[k]!;
      return (Math.round(known * 1e9) + (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2)) / 1e9;
    };
  return (k, known) => {
    const sign = -(low[k]! & 1);
    const lower = ((low[k]! >>> 1) | (high[k]! << 31)) ^ sign;
    const upper = (high[k]! >>> 1) ^ sign;
    pair[0] = known;
    const sum = (lower >>> 0) + halves[LOW]!;
    halves[HIGH] = upper + halves[HIGH]! + (sum >= 2 ** 32 ? 1 : 0);
    halves[LOW] = sum;
    return pair[0];
  };
}

/** Passes over planes of `count` cells. @throws RangeError past the end */
export function skipPlanes(source: ByteSource, count: number): void {
  source.u8();
  source.raw(source.u8() * count);
}
