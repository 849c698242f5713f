import { grown } from '../../trace/ti/intern.ts';

/** A growing array of 32-bit integers. */
export class GrowingColumn {
  #values: Int32Array = new Int32Array(1 << 8);
  length = 0;

  push(value: number): number {
    if (this.length === this.#values.length) this.#values = grown(this.#values, this.length * 2);
    this.#values[this.length] = value;
    return this.length++;
  }

  at(k: number): number {
    return this.#values[k]!;
  }

  set(k: number, value: number): void {
    this.#values[k] = value;
  }

  values(): Int32Array {
    return this.#values.slice(0, this.length);
  }
}
