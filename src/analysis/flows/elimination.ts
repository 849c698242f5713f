import { ColumnChoice } from './column-choice.ts';

/** Maximum number of rows in memory during a search, or twice the number of given rows. */
const MAX_ROWS = 20_000;

/** Maximum number of entries of all rows in memory: some 12 bytes each, and as much for the lists that refer to the rows. */
const MAX_ENTRIES = 4_000_000;

/** Matrix entries visited between two polls of `stop`: less than a millisecond. */
const POLL_EVERY = 20_000;

/** A vector y (indices `support`, values `weights`) and y · C restricted to the remaining columns; indices ascending. */
interface Row {
  readonly support: Int32Array;
  readonly weights: Float64Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  alive: boolean;
}

/** The result of a search for semiflows. */
export interface Semiflows {
  /** Vectors of positive integers with greatest common divisor 1, by row index. No support contains another. */
  readonly flows: readonly SparseVector[];
  /** True if these are all minimal semiflows. Otherwise each is still a semiflow, but its support need not be minimal. */
  readonly complete: boolean;
}

/**
 * One run of the elimination. After each step the rows are the minimal solutions of the equations of the eliminated columns.
 * With `partners`, each row is combined with at most that number of other rows; the result is then a subset of the solutions.
 */
export class Elimination {
  #rows: Row[] = [];
  #live = 0;
  /** Entries of the rows that are alive, or made and not yet added. */
  #entries = 0;
  #effort: number;
  /** Effort left at which `stop` is polled next. */
  #pollAt: number;
  #stopped = false;
  readonly #stop: () => boolean;
  #complete = true;
  #eliminated = 0;
  readonly #partners: number;
  readonly #maxRows: number;
  readonly #choice: ColumnChoice;
  /** Rows by column in which they are non-zero, and by one index of their support. Removed rows are deleted lazily. */
  readonly #having: Row[][] = [];
  readonly #inside: Row[][] = [];
  /** Bit 0: index in the support of the first row of a pair; bit 1: of the second. */
  readonly #marked: Uint8Array;

  /** Cost per unit of weight, by index; rows are combined with the cheapest partners. */
  readonly #prices: readonly number[];

  constructor(
    rows: readonly SparseVector[],
    effort: number,
    partners: number = Number.POSITIVE_INFINITY,
    prices: readonly number[] = [],
    stop: () => boolean = () => false,
  ) {
    this.#stop = stop;
    this.#pollAt = effort - POLL_EVERY;
    this.#prices = prices;
    this.#effort = effort;
    this.#partners = partners;
    this.#maxRows = Math.max(MAX_ROWS, 2 * rows.length);
    this.#marked = new Uint8Array(rows.length);
    let columns = 0;
    for (const row of rows) for (const column of row.keys()) columns = Math.max(columns, column + 1);
    this.#choice = new ColumnChoice(columns);
    for (let c = 0; c < columns; c++) this.#having.push([]);
    rows.forEach((given, k) => {
      this.#entries += 1 + given.size;
      const entries = [...given].sort(([a], [b]) => a - b);
      this.#inside.push([]);
      this.#add({
        support: Int32Array.of(k),
        weights: Float64Array.of(1),
        columns: Int32Array.from(entries, ([c]) => c),
        values: Float64Array.from(entries, ([, v]) => v),
        alive: true,
      });
    });
  }

  run(): Semiflows {
    while (!this.#ends()) {
      const column = this.#choice.next();
      if (column === undefined) break;
      this.#eliminate(column);
    }
    // After a stop some columns are left: rows that are non-zero there are no semiflows.
    if (this.#stopped) this.#complete = false;
    const flows = this.#rows
      .filter((row) => row.alive && row.columns.length === 0)
      .map(({ support, weights }) => new Map(Array.from(support, (k, i) => [k, weights[i]!])));
    return { flows, complete: this.#complete && this.#partners === Number.POSITIVE_INFINITY };
  }

  /** True once `stop` has returned true; polls it. */
  #ends(): boolean {
    this.#stopped ||= this.#stop();
    return this.#stopped;
  }

  /** True without effort or memory, or after a stop, which is polled from time to time. */
  #isTired(): boolean {
    if (this.#effort > 0 && this.#effort <= this.#pollAt) {
      this.#pollAt = this.#effort - POLL_EVERY;
      this.#ends();
    }
    return this.#stopped || this.#effort <= 0 || this.#entries > MAX_ENTRIES;
  }

  #add(row: Row): void {
    this.#rows.push(row);
    this.#live++;
    for (let k = 0; k < row.columns.length; k++) {
      this.#having[row.columns[k]!]!.push(row);
      this.#choice.count(row.columns[k]!, row.values[k]!, 1);
    }
    // The shortest list suffices: a contained row is searched for in the lists of all indices of the containing support.
    let pivot = row.support[0]!;
    for (const k of row.support) if (this.#inside[k]!.length < this.#inside[pivot]!.length) pivot = k;
    this.#inside[pivot]!.push(row);
  }

  #drop(row: Row): void {
    row.alive = false;
    this.#live--;
    this.#entries -= row.support.length + row.columns.length;
    for (let k = 0; k < row.columns.length; k++) this.#choice.count(row.columns[k]!, row.values[k]!, -1);
  }

  #eliminate(column: number): void {
    this.#eliminated++;
    const plus: Row[] = [];
    const minus: Row[] = [];
    for (const row of this.#having[column]!)
      if (row.alive) (row.values[position(row.columns, column)]! > 0 ? plus : minus).push(row);
    const made =
      this.#partners === Number.POSITIVE_INFINITY ? this.#all(plus, minus, column) : this.#some(plus, minus, column);
    for (const row of plus) this.#drop(row);
    for (const row of minus) this.#drop(row);
    for (const row of made) this.#add(row);
    this.#having[column] = [];
    if (this.#rows.length > 2 * this.#live + 1000) this.#sweep();
  }

  /** The combinations of all adjacent pairs. */
  #all(plus: readonly Row[], minus: readonly Row[], column: number): Row[] {
    const made: Row[] = [];
    const rest = this.#live - plus.length - minus.length;
    for (const a of plus) {
      mark(this.#marked, a.support, 1);
      for (const b of minus) {
        // Out of effort or memory: rows that are non-zero in this column are no semiflows and are dropped.
        if (this.#isTired() || rest + made.length > this.#maxRows) {
          this.#complete = false;
          break;
        }
        if (!this.#neighbours(a, b)) continue;
        const row = this.#combined(a, b, column);
        if (row !== undefined) made.push(row);
      }
      mark(this.#marked, a.support, 0);
    }
    return made;
  }

  /** True if no other row's support lies inside the union of the two supports; that of `a` is marked. */
  #neighbours(a: Row, b: Row): boolean {
    const marked = this.#marked;
    let size = a.support.length;
    for (const k of b.support) {
      // Bit 1 marks the support of `b`.
      if (marked[k] === 0) size++;
      marked[k]! |= 2;
    }
    this.#effort -= 2 * b.support.length;
    // A minimal solution of n equations has at most n + 1 non-zero entries.
    const found = size <= this.#eliminated + 1 && !this.#other(a, b, a.support) && !this.#other(a, b, b.support);
    for (const k of b.support) marked[k]! &= 1;
    return found;
  }

  #other(a: Row, b: Row, indices: Int32Array): boolean {
    const marked = this.#marked;
    for (const k of indices) {
      const list = this.#inside[k]!;
      this.#effort -= 1 + list.length;
      for (const row of list) {
        if (!row.alive || row === a || row === b) continue;
        const { support } = row;
        let i = 0;
        while (i < support.length && marked[support[i]!] !== 0) i++;
        this.#effort -= i;
        if (i === support.length) return true;
      }
    }
    return false;
  }

  /** Combines every row with the cheapest rows of the opposite sign. */
  #some(plus: readonly Row[], minus: readonly Row[], column: number): Row[] {
    const pairs = new Map<Row, Set<Row>>();
    const note = (a: Row, b: Row): void => {
      const with_ = pairs.get(a) ?? new Set();
      pairs.set(a, with_.add(b));
    };
    const few = (rows: readonly Row[]): Row[] => {
      const cheap = rows.map((row) => ({
        row,
        price: this.#priceOf(row),
        size: row.support.length + row.columns.length,
      }));
      return cheap
        .sort((a, b) => a.price - b.price || a.size - b.size)
        .slice(0, this.#partners)
        .map(({ row }) => row);
    };
    const [best, worst] = [few(minus), few(plus)];
    for (const a of plus) for (const b of best) note(a, b);
    for (const b of minus) for (const a of worst) note(a, b);
    const made: Row[] = [];
    for (const [a, others] of pairs)
      for (const b of others) {
        if (this.#isTired() || made.length > this.#maxRows) return made;
        const row = this.#combined(a, b, column);
        if (row !== undefined) made.push(row);
      }
    return made;
  }

  #priceOf({ support, weights }: Row): number {
    let price = 0;
    for (let k = 0; k < support.length; k++) price += weights[k]! * (this.#prices[support[k]!] ?? 0);
    this.#effort -= support.length;
    return price;
  }

  #combined(a: Row, b: Row, column: number): Row | undefined {
    let x = Math.abs(b.values[position(b.columns, column)]!);
    let y = Math.abs(a.values[position(a.columns, column)]!);
    const common = gcd(x, y);
    x /= common;
    y /= common;
    const [support, weights] = sum(a.support, a.weights, x, b.support, b.weights, y);
    const [columns, values] = sum(a.columns, a.values, x, b.columns, b.values, y);
    this.#effort -= 2 * (support.length + columns.length);
    const divisor = divisorOf(weights, values);
    for (const numbers of [weights, values])
      for (let k = 0; k < numbers.length; k++) {
        if (!Number.isSafeInteger(numbers[k])) {
          this.#complete = false;
          return undefined;
        }
        numbers[k]! /= divisor;
      }
    this.#entries += support.length + columns.length;
    return { support, weights, columns, values, alive: true };
  }

  /** Removes dead rows from all lists. */
  #sweep(): void {
    this.#rows = this.#rows.filter((row) => row.alive);
    for (const lists of [this.#having, this.#inside])
      for (let k = 0; k < lists.length; k++) if (lists[k]!.length > 0) lists[k] = lists[k]!.filter((row) => row.alive);
  }
}

/** x · a + y · b without zero entries. */
function sum(
  ia: Int32Array,
  va: Float64Array,
  x: number,
  ib: Int32Array,
  vb: Float64Array,
  y: number,
): [Int32Array, Float64Array] {
  const indices = new Int32Array(ia.length + ib.length);
  const values = new Float64Array(ia.length + ib.length);
  let n = 0;
  for (let i = 0, j = 0; i < ia.length || j < ib.length; ) {
    const [p, q] = [i < ia.length ? ia[i]! : Infinity, j < ib.length ? ib[j]! : Infinity];
    const value = (p <= q ? x * va[i++]! : 0) + (q <= p ? y * vb[j++]! : 0);
    if (value === 0) continue;
    indices[n] = Math.min(p, q);
    values[n++] = value;
  }
  return [indices.slice(0, n), values.slice(0, n)];
}

function mark(marked: Uint8Array, indices: Int32Array, as: 0 | 1): void {
  for (let k = 0; k < indices.length; k++) marked[indices[k]!] = as;
}

/** The position of an index in an ascending list that contains it. */
function position(sorted: Int32Array, index: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

function divisorOf(...lists: readonly Float64Array[]): number {
  let divisor = 0;
  for (const numbers of lists)
    for (let k = 0; k < numbers.length; k++) {
      divisor = gcd(divisor, Math.abs(numbers[k]!));
      if (divisor === 1) return 1;
    }
  return divisor;
}

function gcd(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** The non-zero entries of an integer vector, by index. */
export type SparseVector = ReadonlyMap<number, number>;
