const FIRST_ROWS = 16;
const HIGH = 2 ** 32;

/**
 * Interns rows of numbers that occur in explored markings (colours of tokens, bindings of timed firings): each gets a number in
 * order of first occurrence. Open addressing; O(width) per look-up.
 */
export class Colours {
  readonly width: number;
  #count = 0;
  #rows: Float64Array;
  /** Hash table of number + 1; 0: free. */
  #table: Int32Array = new Int32Array(2 * FIRST_ROWS);

  constructor(width: number) {
    this.width = width;
    this.#rows = new Float64Array(FIRST_ROWS * width);
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#rows.byteLength + this.#table.byteLength;
  }

  /** The number of a row; a new row is added. */
  add(row: ArrayLike<number>): number {
    let slot = this.#slot(row);
    if (this.#table[slot] !== 0) return this.#table[slot]! - 1;
    if (2 * this.#count >= this.#table.length) {
      this.#grow();
      slot = this.#slot(row);
    }
    const number = this.#count++;
    const at = number * this.width;
    for (let k = 0; k < this.width; k++) this.#rows[at + k] = row[k]! + 0;
    this.#table[slot] = number + 1;
    return number;
  }

  /** The number of a row; −1 if unknown. */
  find(row: ArrayLike<number>): number {
    return this.#table[this.#slot(row)]! - 1;
  }

  value(number: number, column: number): number {
    return this.#rows[number * this.width + column]!;
  }

  row(number: number): number[] {
    return [...this.#rows.subarray(number * this.width, (number + 1) * this.width)];
  }

  /** Copies a row to the start of an array. */
  copy(number: number, into: Float64Array): void {
    const at = number * this.width;
    for (let k = 0; k < this.width; k++) into[k] = this.#rows[at + k]!;
  }

  /** Compares two rows lexicographically. */
  compare(a: number, b: number): number {
    for (let k = 0; k < this.width; k++) {
      const difference = this.value(a, k) - this.value(b, k);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** The hash-table slot of the row, or the free slot for it. */
  #slot(row: ArrayLike<number>): number {
    const mask = this.#table.length - 1;
    let slot = hashOf(row, 0, this.width) & mask;
    for (;;) {
      const entry = this.#table[slot]!;
      if (entry === 0 || this.#is(entry - 1, row)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #is(number: number, row: ArrayLike<number>): boolean {
    const at = number * this.width;
    for (let k = 0; k < this.width; k++) if (this.#rows[at + k] !== row[k]) return false;
    return true;
  }

  #grow(): void {
    const rows = new Float64Array(2 * this.#count * this.width);
    rows.set(this.#rows.subarray(0, this.#count * this.width));
    this.#rows = rows;
    const table = new Int32Array(4 * this.#count);
    const mask = table.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let slot = hashOf(rows, number * this.width, this.width) & mask;
      while (table[slot] !== 0) slot = (slot + 1) & mask;
      table[slot] = number + 1;
    }
    this.#table = table;
  }
}

function hashOf(row: ArrayLike<number>, from: number, width: number): number {
  let h = 0x811c9dc5;
  for (let k = from; k < from + width; k++) {
    const v = row[k]!;
    h = Math.imul(h ^ v ^ (v / HIGH), 0x9e3779b1);
    h ^= h >>> 15;
  }
  return h;
}
