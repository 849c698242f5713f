import { grown } from '../../base/columns.ts';

/**
 * Numbers distinct quadruples of 32-bit integers 0, 1, 2 … in the order of first occurrence. Open addressing, O(1) per
 * look-up.
 */
export class QuadTable {
  count = 0;
  #slots = new Int32Array(1 << 12);
  #keys = new Int32Array(1 << 12);

  /** The number of (a, b, c, d); equals the previous `count` if the quadruple is new. */
  find(a: number, b: number, c: number, d: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let at = mix(
      Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35) ^ Math.imul(d, 0x27d4eb2f),
    );
    for (; ; at++) {
      const id = slots[at & mask]! - 1;
      if (id < 0) break;
      const k = id << 2;
      if (keys[k] === a && keys[k + 1] === b && keys[k + 2] === c && keys[k + 3] === d) return id;
    }
    return this.#add(at & mask, a, b, c, d);
  }

  /** One of the four integers of a quadruple. */
  key(id: number, part: number): number {
    return this.#keys[id * 4 + part]!;
  }

  #add(slot: number, a: number, b: number, c: number, d: number): number {
    const id = this.count++;
    if (id * 4 + 4 > this.#keys.length) this.#keys = grown(this.#keys, this.#keys.length * 2);
    const keys = this.#keys;
    keys[id * 4] = a;
    keys[id * 4 + 1] = b;
    keys[id * 4 + 2] = c;
    keys[id * 4 + 3] = d;
    this.#slots[slot] = id + 1;
    if (this.count * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const k = this.#keys;
    for (let id = 0; id < this.count; id++) {
      const i = id * 4;
      let at = mix(
        Math.imul(k[i]!, 0x9e3779b1) ^
          Math.imul(k[i + 1]!, 0x85ebca6b) ^
          Math.imul(k[i + 2]!, 0xc2b2ae35) ^
          Math.imul(k[i + 3]!, 0x27d4eb2f),
      );
      while (slots[at & mask] !== 0) at++;
      slots[at & mask] = id + 1;
    }
    this.#slots = slots;
  }
}

/**
 * Numbers distinct sequences of doubles 0, 1, 2 … in the order of first occurrence. O(length) per look-up; NaN is not
 * allowed.
 */
export class TupleTable {
  count = 0;
  #slots = new Int32Array(1 << 10);
  #hashes = new Int32Array(1 << 9);
  #ends = new Float64Array(1 << 9);
  #arena = new Float64Array(1 << 10);

  /** The number of `tuple[0 … length − 1]`; equals the previous `count` if the sequence is new. */
  find(tuple: Float64Array, length: number): number {
    const words = new Int32Array(tuple.buffer, tuple.byteOffset, length * 2);
    let hash = length;
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x9e3779b1) ^ (hash >>> 15);
    hash = mix(hash);
    const mask = this.#slots.length - 1;
    let at = hash;
    for (; ; at++) {
      const id = this.#slots[at & mask]! - 1;
      if (id < 0) break;
      if (this.#hashes[id] === hash && this.#same(id, tuple, length)) return id;
    }
    const id = this.count++;
    const from = id === 0 ? 0 : this.#ends[id - 1]!;
    if (from + length > this.#arena.length)
      this.#arena = grown(this.#arena, Math.max(this.#arena.length * 2, from + length));
    this.#arena.set(tuple.subarray(0, length), from);
    if (this.count > this.#hashes.length) {
      this.#hashes = grown(this.#hashes, this.count * 2);
      this.#ends = grown(this.#ends, this.count * 2);
    }
    this.#hashes[id] = hash;
    this.#ends[id] = from + length;
    this.#slots[at & mask] = id + 1;
    if (this.count * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #same(id: number, tuple: Float64Array, length: number): boolean {
    const from = id === 0 ? 0 : this.#ends[id - 1]!;
    if (this.#ends[id]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#arena[from + i] !== tuple[i]) return false;
    return true;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    for (let id = 0; id < this.count; id++) {
      let at = this.#hashes[id]!;
      while (slots[at & (slots.length - 1)] !== 0) at++;
      slots[at & (slots.length - 1)] = id + 1;
    }
    this.#slots = slots;
  }
}

function mix(hash: number): number {
  const h = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 13);
}
