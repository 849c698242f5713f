/** Maximum number of lines written in full. */
const MAX_VALUES = 16;

/** The lines; of a long list only the first, with the total and a digest of all. */
export function shortened(lines: readonly string[]): string[] {
  if (lines.length <= MAX_VALUES) return [...lines];
  const digest = new Digest();
  for (const line of lines) digest.add(line);
  return [...lines.slice(0, MAX_VALUES / 2), `… ${lines.length} in all #${digest}`];
}

/** Summary of a column given in pieces: length, first entries, and a digest of all. */
export function columnText(length: number, pieces: Iterable<Int32Array | Float64Array>, max = 8): string {
  const first: number[] = [];
  const digest = new Digest();
  for (const piece of pieces)
    for (const v of piece) {
      if (first.length < max) first.push(v);
      if (length > max) digest.add(v);
    }
  return length <= max ? `[${first.join(', ')}]` : `[${first.join(', ')}, …] ${length} entries #${digest}`;
}

/** 32-bit FNV-1a hash (Fowler, Noll, Vo) over the bytes of doubles or strings. Detects changes; not cryptographic. */
export class Digest {
  #hash = 0x811c9dc5;
  readonly #view = new DataView(new ArrayBuffer(8));

  add(value: number | string): void {
    if (typeof value === 'string') {
      for (let k = 0; k < value.length; k++) {
        this.#byte(value.charCodeAt(k) & 255);
        this.#byte(value.charCodeAt(k) >> 8);
      }
      this.#byte(255);
      return;
    }
    this.#view.setFloat64(0, value);
    for (let k = 0; k < 8; k++) this.#byte(this.#view.getUint8(k));
  }

  toString(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  #byte(byte: number): void {
    this.#hash = Math.imul(this.#hash ^ byte, 0x01000193);
  }
}
