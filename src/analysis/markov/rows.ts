import type { TimedGraph } from './timed-graph.ts';

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

/** Rates to other states in compressed rows; only one entry for a pair of states. */
export interface Rows {
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rates: Rates;
}

/** Rows that are being filled, one after the other. */
export class RowList {
  readonly #start: Uint32Array;
  readonly #target: Int32Array;
  readonly #rates: RateList;
  /** By state: its last entry. From the start of a row on, that is an entry of this row. */
  readonly #entryOf: Int32Array;
  #row = 0;
  #begun = 0;
  #end = 0;

  /** @param targets room for the entries; its contents may be those that are added, because an entry is read before it is written */
  constructor(states: number, targets: Int32Array) {
    this.#start = new Uint32Array(states + 1);
    this.#target = targets;
    this.#rates = new RateList(targets.length);
    this.#entryOf = new Int32Array(states).fill(-1);
  }

  /** Adds to the rate from the current state; rates to itself have no effect and are dropped. */
  add(to: number, rate: number): void {
    if (to === this.#row) return;
    const known = this.#entryOf[to]!;
    if (known >= this.#begun) this.#rates.add(known, rate);
    else {
      this.#entryOf[to] = this.#end;
      this.#target[this.#end] = to;
      this.#rates.set(this.#end++, rate);
    }
  }

  /** As `add`, for a rate with a number of {@link numberOf}. */
  addNumber(to: number, number: number, rate: number): void {
    if (to === this.#row || this.#entryOf[to]! >= this.#begun) this.add(to, rate);
    else {
      this.#entryOf[to] = this.#end;
      this.#target[this.#end] = to;
      this.#rates.setNumber(this.#end++, number);
    }
  }

  numberOf(rate: number): number {
    return this.#rates.numberOf(rate);
  }

  /** Begins the next row. */
  end(): void {
    this.#start[++this.#row] = this.#end;
    this.#begun = this.#end;
  }

  done(): Rows {
    return { start: this.#start, target: this.#target.subarray(0, this.#end), rates: this.#rates.first(this.#end) };
  }
}

/** The rows of a graph whose states are all tangible and whose rates are those of its steps. Takes over the arrays of the graph. */
export function constantRows({ edges, kind: { length: states } }: TimedGraph): Rows {
  const { start, target, step, constant } = edges;
  if (start instanceof Uint32Array && step instanceof Uint8Array && areDistinct(start, target))
    return { start, target, rates: { code: step, value: constant } };
  const rows = new RowList(states, target);
  const numbers = Int32Array.from(constant, (rate) => (Number.isNaN(rate) ? -1 : rows.numberOf(rate)));
  for (let s = 0; s < states; s++) {
    for (let e = start[s]!, end = start[s + 1]!; e < end; e++) {
      const k = step[e]!;
      rows.addNumber(target[e]!, numbers[k]!, constant[k]!);
    }
    rows.end();
  }
  return rows.done();
}

/** True if no edge leads back to its state, and no two lead from one state to the same other one. */
function areDistinct(start: Uint32Array, target: Int32Array): boolean {
  const states = start.length - 1;
  const lastFrom = new Int32Array(states).fill(-1);
  for (let s = 0; s < states; s++) {
    lastFrom[s] = s;
    for (let e = start[s]!, end = start[s + 1]!; e < end; e++) {
      const to = target[e]!;
      if (lastFrom[to] === s) return false;
      lastFrom[to] = s;
    }
  }
  return true;
}
