/**
 * Rates of the entries of a matrix. Chains of nets have few different rates, so an entry takes one byte: that of entry e is
 * `value[code[e]]`, or `value[e]` if there are more than 256.
 */
export interface Rates {
  readonly code: Uint8Array | undefined;
  readonly value: Float64Array;
}

export function rateAt({ code, value }: Rates, entry: number): number {
  return code === undefined ? value[entry]! : value[code[entry]!]!;
}

const MAX_CODES = 2 ** 8;

/** Rates that are being collected. */
export class RateList {
  #code: Uint8Array | undefined;
  readonly #known: number[] = [];
  readonly #numbers = new Map<number, number>();
  #value: Float64Array | undefined;

  constructor(entries: number) {
    this.#code = new Uint8Array(entries);
  }

  /** A number for {@link setNumber}. */
  numberOf(rate: number): number {
    const known = this.#numbers.get(rate);
    if (known !== undefined) return known;
    this.#numbers.set(rate, this.#known.length);
    return this.#known.push(rate) - 1;
  }

  set(entry: number, rate: number): void {
    if (this.#value !== undefined) this.#value[entry] = rate;
    else this.setNumber(entry, this.numberOf(rate));
  }

  setNumber(entry: number, number: number): void {
    if (this.#code !== undefined && number < MAX_CODES) this.#code[entry] = number;
    else {
      this.#value ??= Float64Array.from(this.#code!, (k) => this.#known[k]!);
      this.#code = undefined;
      this.#value[entry] = this.#known[number]!;
    }
  }

  add(entry: number, rate: number): void {
    const before = this.#value === undefined ? this.#known[this.#code![entry]!]! : this.#value[entry]!;
    this.set(entry, before + rate);
  }

  /** The rates of the first entries. */
  first(entries: number): Rates {
    return this.#value === undefined
      ? { code: this.#code!.subarray(0, entries), value: Float64Array.from(this.#known) }
      : { code: undefined, value: this.#value.subarray(0, entries) };
  }
}
