const NUMBER = new DataView(new ArrayBuffer(8));

/** A growing byte array for the parts of a WebAssembly module (W3C, _WebAssembly Core Specification 2.0_, §5). */
export class Bytes {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(room = 1024) {
    this.#bytes = new Uint8Array(room);
  }

  byte(b: number): void {
    if (this.length === this.#bytes.length) this.#grow(this.length + 1);
    this.#bytes[this.length++] = b;
  }

  two(a: number, b: number): void {
    this.byte(a);
    this.byte(b);
  }

  /** Appends a 32-bit integer in LEB128. */
  unsigned(value: number): void {
    let rest = value >>> 0;
    while (rest > 127) {
      this.byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.byte(rest);
  }

  signed(value: number): void {
    let rest = value | 0;
    while (rest > 63 || rest < -64) {
      this.byte((rest & 127) | 128);
      rest >>= 7;
    }
    this.byte(rest & 127);
  }

  double(value: number): void {
    NUMBER.setFloat64(0, value, true);
    for (let k = 0; k < 8; k++) this.byte(NUMBER.getUint8(k));
  }

  name(text: string): void {
    this.unsigned(text.length);
    for (let k = 0; k < text.length; k++) this.byte(text.charCodeAt(k));
  }

  append(other: Bytes): void {
    if (this.length + other.length > this.#bytes.length) this.#grow(this.length + other.length);
    this.#bytes.set(other.#bytes.subarray(0, other.length), this.length);
    this.length += other.length;
  }

  /** Appends a part preceded by its length. */
  sized(part: Bytes): void {
    this.unsigned(part.length);
    this.append(part);
  }

  done(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(room: number): void {
    const more = new Uint8Array(Math.max(room, this.#bytes.length * 2));
    more.set(this.#bytes);
    this.#bytes = more;
  }
}
