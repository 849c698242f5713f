/** Costs from this value on share a bucket, which is searched for the cheapest column. */
const DEAR = 4096;

/**
 * Columns from which on the choice among equal costs is shuffled. Chains of rows are then joined to pieces of similar length, in
 * O(n log n) instead of O(n²) entries.
 */
const SHUFFLED_FROM = 2000;

/** Selects the column to eliminate next: the one that leaves the fewest rows. Buckets of columns by cost, with lazy deletion. */
export class ColumnChoice {
  readonly #plus: Int32Array;
  readonly #minus: Int32Array;
  /** 1 for columns that were chosen already. */
  readonly #gone: Uint8Array;
  readonly #lists: number[][] = [];
  readonly #listed: Int32Array;
  #lowest = 0;
  readonly #isShuffled: boolean;
  #random = 1;

  constructor(columns: number) {
    this.#isShuffled = columns >= SHUFFLED_FROM;
    this.#plus = new Int32Array(columns);
    this.#minus = new Int32Array(columns);
    this.#gone = new Uint8Array(columns);
    this.#listed = new Int32Array(columns).fill(-1);
  }

  /** Records that a row with this value in a column was added (1) or removed (−1). */
  count(column: number, value: number, by: 1 | -1): void {
    (value > 0 ? this.#plus : this.#minus)[column]! += by;
    if (this.#gone[column] === 1) return;
    const list = Math.min(DEAR, Math.max(0, this.#cost(column) + 1));
    if (list === this.#listed[column]) return;
    this.#listed[column] = list;
    this.#lists[list] ??= [];
    this.#lists[list].push(column);
    if (list < this.#lowest) this.#lowest = list;
  }

  /** Upper bound of the rows added by eliminating the column, minus the rows removed. */
  #cost(column: number): number {
    const [plus, minus] = [this.#plus[column]!, this.#minus[column]!];
    return plus * minus - plus - minus;
  }

  /** The cheapest column with non-zero entries; undefined once all are eliminated. */
  next(): number | undefined {
    for (; this.#lowest <= DEAR; this.#lowest++) {
      const list = this.#lists[this.#lowest];
      if (list === undefined) continue;
      const found = this.#lowest === DEAR ? this.#cheapest(list) : this.#last(list);
      if (found === undefined) continue;
      this.#gone[found] = 1;
      return found;
    }
    return undefined;
  }

  #isHere(column: number): boolean {
    return (
      this.#gone[column] === 0 &&
      this.#listed[column] === this.#lowest &&
      this.#plus[column]! + this.#minus[column]! > 0
    );
  }

  #last(list: number[]): number | undefined {
    for (let column = this.#taken(list); column !== undefined; column = this.#taken(list)) {
      const here = this.#isHere(column);
      if (this.#listed[column] === this.#lowest) this.#listed[column] = -1;
      if (here) return column;
    }
    return undefined;
  }

  /** Removes the last column, or a pseudo-random one. */
  #taken(list: number[]): number | undefined {
    if (this.#isShuffled && list.length > 1) {
      this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
      const k = Math.floor((this.#random / 2 ** 32) * list.length);
      [list[k], list[list.length - 1]] = [list[list.length - 1]!, list[k]!];
    }
    return list.pop();
  }

  #cheapest(list: number[]): number | undefined {
    const here = [...new Set(list)].filter((column) => this.#isHere(column));
    list.splice(0, list.length, ...here);
    return here.reduce<number | undefined>(
      (best, c) => (best === undefined || this.#cost(c) < this.#cost(best) ? c : best),
      undefined,
    );
  }
}
