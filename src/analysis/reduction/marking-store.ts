import type { Tokens } from './petri-moves.ts';

/** Rows of markings; the cell type widens from one to eight bytes as counts grow. */
type Cells = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Largest count per cell width in bytes. */
const LARGEST = { 1: 0xff, 2: 0xffff, 4: 0xffff_ffff, 8: Number.MAX_SAFE_INTEGER } as const;

/**
 * A set of markings, numbered in order of insertion. Rows use one byte per place while all counts fit, then two, four and eight
 * bytes. Lookup by open-addressing hash table. Counts are integers up to 2⁵³ − 1.
 */
export class MarkingStore {
  readonly places: number;
  count = 0;
  #width: keyof typeof LARGEST = 1;
  #rows: Cells;
  #table: Int32Array = new Int32Array(1024).fill(-1);

  constructor(places: number) {
    this.places = places;
    this.#rows = new Uint8Array(64 * Math.max(1, places));
  }

  /** Memory of the rows and the hash table in bytes. */
  get bytes(): number {
    return this.#rows.byteLength + this.#table.byteLength;
  }

  /** The number of a marking; a new marking is stored and gets the number `count − 1`. Amortised O(places). */
  add(marking: Tokens): number {
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

  has(marking: Tokens): boolean {
    return this.#table[this.#slot(marking)]! >= 0;
  }

  /** The hash-table slot of the marking, or the free slot for it. */
  #slot(marking: Tokens): number {
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

  /** Copies marking `number` to `into`. */
  read(number: number, into: Tokens): void {
    const { places } = this;
    into.set(this.#rows.subarray(number * places, (number + 1) * places));
  }

  #fit(marking: Tokens): void {
    let max = 0;
    for (let k = 0; k < marking.length; k++) if (marking[k]! > max) max = marking[k]!;
    if (max <= LARGEST[this.#width]) return;
    this.#width = max <= LARGEST[2] ? 2 : max <= LARGEST[4] ? 4 : 8;
    const wider = cells(this.#width, this.#rows.length);
    wider.set(this.#rows);
    this.#rows = wider;
  }

  #room(): void {
    const needed = (this.count + 1) * this.places;
    if (needed <= this.#rows.length) return;
    const length = Math.max(needed, Math.ceil(this.#rows.length * 1.5));
    const grown = cells(this.#width, length);
    grown.set(this.#rows);
    this.#rows = grown;
  }

  #rehash(): void {
    const table = new Int32Array(this.#table.length * 2).fill(-1);
    const mask = table.length - 1;
    const marking = new Float64Array(this.places);
    for (let n = 0; n < this.count; n++) {
      this.read(n, marking);
      let slot = hash(marking) & mask;
      while (table[slot]! >= 0) slot = (slot + 1) & mask;
      table[slot] = n;
    }
    this.#table = table;
  }
}

function cells(width: keyof typeof LARGEST, length: number): Cells {
  switch (width) {
    case 1:
      return new Uint8Array(length);
    case 2:
      return new Uint16Array(length);
    case 4:
      return new Uint32Array(length);
    case 8:
      return new Float64Array(length);
  }
}

/** FNV-1a over the counts, with a final mix. */
function hash(marking: Tokens): number {
  let h = 0x811c9dc5;
  for (let k = 0; k < marking.length; k++) h = Math.imul(h ^ marking[k]!, 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}
