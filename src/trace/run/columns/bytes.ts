/** True if the numbers of this computer have the order of those of a record. */
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Growing bytes that columns are written to; all numbers are little-endian. */
export class ByteSink {
  #bytes: Uint8Array;
  #view: DataView;
  /** True if the bytes will be compressed: columns have the form that compresses best. */
  readonly isCompressed: boolean;
  length = 0;

  constructor(size: number = 1 << 16, isCompressed = false) {
    this.isCompressed = isCompressed;
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
