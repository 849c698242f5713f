/** What a marking takes at first, in bytes for each place, and what it may grow to. */
type Cells = Uint8Array | Uint16Array | Int32Array;

const LARGEST = { 1: 0xff, 2: 0xffff, 4: 0x7fff_ffff } as const;

/**
 * Markings, each stored once and numbered in the order in which they came: rows of one byte for each place while all
 * counts fit, then of two, then of four; found by an open hash table.
 */
export class MarkingStore {
  readonly places: number;
  count = 0;
  #width: 1 | 2 | 4 = 1;
  #rows: Cells;
  #table: Int32Array = new Int32Array(1024).fill(-1);

  constructor(places: number) {
    this.places = places;
    this.#rows = new Uint8Array(64 * Math.max(1, places));
  }

  /** Bytes of rows and table. */
  get bytes(): number {
    return this.#rows.byteLength + this.#table.byteLength;
  }

  /** The number of a marking, which is stored if it is new: then it is `count − 1`. Amortised O(places). */
  add(marking: Int32Array): number {
    this.#fit(marking);
    const slot = this.#slot(marking);
    const found = this.#table[slot]!;
    if (found >= 0) return found;
    this.#table[slot] = this.count;
    this.#room();
    this.#rows.set(marking, this.count * this.places);
    this.count++;
    if (this.count * 2 > this.#table.length) this.#rehash();
    return this.count - 1;
  }

  has(marking: Int32Array): boolean {
    return this.#table[this.#slot(marking)]! >= 0;
  }

  /** Where the marking stands in the table, or would. */
  #slot(marking: Int32Array): number {
    const { places } = this;
    const rows = this.#rows;
    const table = this.#table;
    const mask = table.length - 1;
    let slot = hash(marking) & mask;
    for (let found = table[slot]!; found >= 0; found = table[slot]!) {
      const at = found * places;
      let k = 0;
      while (k < places && rows[at + k] === marking[k]) k++;
      if (k === places) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Copies a marking. */
  read(number: number, into: Int32Array): void {
    const { places } = this;
    into.set(this.#rows.subarray(number * places, (number + 1) * places));
  }

  #fit(marking: Int32Array): void {
    let most = 0;
    for (let k = 0; k < marking.length; k++) if (marking[k]! > most) most = marking[k]!;
    if (most <= LARGEST[this.#width]) return;
    this.#width = most <= LARGEST[2] ? 2 : 4;
    this.#rows = this.#width === 2 ? Uint16Array.from(this.#rows) : Int32Array.from(this.#rows);
  }

  #room(): void {
    const needed = (this.count + 1) * this.places;
    if (needed <= this.#rows.length) return;
    const length = Math.max(needed, Math.ceil(this.#rows.length * 1.5));
    const grown =
      this.#width === 1 ? new Uint8Array(length) : this.#width === 2 ? new Uint16Array(length) : new Int32Array(length);
    grown.set(this.#rows);
    this.#rows = grown;
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2).fill(-1);
    const mask = table.length - 1;
    const marking = new Int32Array(this.places);
    for (let n = 0; n < this.count; n++) {
      this.read(n, marking);
      let slot = hash(marking) & mask;
      while (table[slot]! >= 0) slot = (slot + 1) & mask;
      table[slot] = n;
    }
    this.#table = table;
  }
}

/** FNV-1a over the numbers, mixed at the end. */
function hash(marking: Int32Array): number {
  let h = 0x811c9dc5;
  for (let k = 0; k < marking.length; k++) h = Math.imul(h ^ marking[k]!, 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
