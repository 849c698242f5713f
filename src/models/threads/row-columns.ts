/** Smallest capacity of a column. */
const SMALLEST = 1 << 10;

/** Integers that are appended. Doubling takes O(1) per entry, amortised. */
export class IntColumn {
  /** Entries from `length` on are 0. Replaced when the column grows. */
  values: Int32Array = new Int32Array(SMALLEST);
  length = 0;

  /** @returns the new length */
  push(value: number): number {
    if (this.length === this.values.length) {
      const grown = new Int32Array(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length] = value;
    return ++this.length;
  }

  /** Sets an entry; those between the others and it are 0. */
  set(index: number, value: number): void {
    while (this.length <= index) this.push(0);
    this.values[index] = value;
  }

  /** The column with zeros up to a length. */
  padded(length: number): Int32Array {
    while (this.length < length) this.push(0);
    return this.finish();
  }

  /** The column without room for more. The room was never written, and takes no memory: nothing is copied. */
  finish(): Int32Array {
    return this.values.subarray(0, this.length);
  }
}

/** Numbers by index, most of which may be 0: memory that was never written takes none, so that a column of zeros is free. */
export class RealColumn {
  #values = new Float64Array(SMALLEST);
  #isZero = true;

  set(index: number, value: number): void {
    if (value === 0) return;
    if (index >= this.#values.length) this.#grow(index + 1);
    this.#isZero = false;
    this.#values[index] = value;
  }

  finish(length: number): Float64Array {
    if (this.#values.length < length) this.#grow(length);
    return this.#values.subarray(0, length);
  }

  #grow(length: number): void {
    const grown = new Float64Array(2 ** Math.ceil(Math.log2(length)));
    if (!this.#isZero) grown.set(this.#values);
    this.#values = grown;
  }
}
