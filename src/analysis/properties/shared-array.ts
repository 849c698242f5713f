/** Entries of one part. */
const PART = 256;

/** An immutable array. A changed copy shares all parts but one with its original: O(256 + length / 256). */
export class SharedArray<T> {
  readonly #parts: readonly (readonly T[])[];

  constructor(parts: readonly (readonly T[])[]) {
    this.#parts = parts;
  }

  /** O(length). */
  static of<T>(values: readonly T[]): SharedArray<T> {
    const parts: T[][] = [];
    for (let k = 0; k < values.length; k += PART) parts.push(values.slice(k, k + PART));
    return new SharedArray(parts);
  }

  get(k: number): T {
    return this.#parts[Math.floor(k / PART)]![k % PART]!;
  }

  with(k: number, value: T): SharedArray<T> {
    const part = Math.floor(k / PART);
    return new SharedArray(this.#parts.with(part, this.#parts[part]!.with(k % PART, value)));
  }
}
