import { type Column, colourBounds } from '../colour.ts';
import type { Place } from '../net.ts';

/** A hash key for a row of numbers. */
export type Key = number | string;

/** The key of one or several numbers. */
export function keyOf(values: ArrayLike<number>): Key {
  return values.length === 1 ? values[0]! : Array.prototype.join.call(values, ',');
}

/** Colours indexed by a key computed from each. */
export interface ColourIndex {
  readonly key: (number: number) => Key | undefined;
  readonly buckets: Map<Key, number[]>;
  /** Colours without a key. */
  readonly others: number[];
}

/**
 * The possible colours of a place, numbered in order of addition. Lookups find only the first `known` of them; {@link
 * reveal} makes the next one visible.
 */
export class PossibleColours {
  readonly columns: readonly Column[];
  readonly #low: readonly number[];
  readonly #sizes: readonly number[];
  /** True if a mixed-radix number distinguishes all colours. */
  readonly #exact: boolean;
  readonly #values: number[] = [];
  readonly #numbers = new Map<Key, number>();
  readonly #indexes = new Map<string, ColourIndex>();
  #known = 0;

  constructor(columns: readonly Column[]) {
    const bounds = columns.map((c) => colourBounds(c.colour));
    this.columns = columns;
    this.#low = bounds.map((b) => b.low);
    this.#sizes = bounds.map((b) => b.high - b.low + 1);
    this.#exact = this.size <= Number.MAX_SAFE_INTEGER;
  }

  /** The number of colours in the colour sets. */
  get size(): number {
    return this.#sizes.reduce((a, b) => a * b, 1);
  }

  /** The number of possible colours, known or not. */
  get count(): number {
    return this.#numbers.size;
  }

  get known(): number {
    return this.#known;
  }

  /** Adds a colour. Returns true if it is new, false if present, undefined if a value is outside its colour set. */
  add(row: ArrayLike<number>): boolean | undefined {
    const key = this.#key(row);
    if (key === undefined) return undefined;
    if (this.#numbers.has(key)) return false;
    this.#numbers.set(key, this.#numbers.size);
    for (let k = 0; k < this.columns.length; k++) this.#values.push(row[k]!);
    return true;
  }

  /** Makes the next colour known and returns its number. */
  reveal(): number {
    const number = this.#known++;
    for (const index of this.#indexes.values()) enter(index, number);
    return number;
  }

  value(number: number, column: number): number {
    return this.#values[number * this.columns.length + column]!;
  }

  row(number: number): number[] {
    return this.#values.slice(number * this.columns.length, (number + 1) * this.columns.length);
  }

  /** The known colour with these values, or undefined. */
  find(row: ArrayLike<number>): number | undefined {
    const key = this.#key(row);
    const number = key === undefined ? undefined : this.#numbers.get(key);
    return number !== undefined && number < this.#known ? number : undefined;
  }

  /** The index of that name over the known colours; created with this key if missing. */
  index(name: string, key: (number: number) => Key | undefined): ColourIndex {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = { key, buckets: new Map(), others: [] };
      for (let k = 0; k < this.#known; k++) enter(index, k);
      this.#indexes.set(name, index);
    }
    return index;
  }

  /** The index by the values of some columns. */
  indexByColumns(columns: readonly number[]): ColourIndex {
    return this.index(`columns ${columns.join()}`, (number) => keyOf(columns.map((c) => this.value(number, c))));
  }

  #key(row: ArrayLike<number>): Key | undefined {
    let key = 0;
    for (let k = 0; k < this.columns.length; k++) {
      const value = row[k]! - this.#low[k]!;
      const size = this.#sizes[k]!;
      if (!(Number.isInteger(value) && value >= 0 && value < size)) return undefined;
      key = key * size + value;
    }
    return this.#exact ? key : Array.prototype.join.call(row, ',');
  }
}

function enter(index: ColourIndex, number: number): void {
  const key = index.key(number);
  if (key === undefined) {
    index.others.push(number);
    return;
  }
  const bucket = index.buckets.get(key);
  if (bucket === undefined) index.buckets.set(key, [number]);
  else bucket.push(number);
}

/** True if all possible colours of a place differ in its key. Then no token hides one of another colour. */
export function aloneInGroups(place: Place, colours: PossibleColours): boolean {
  const key = place.key.map((name) => colours.columns.findIndex((c) => c.name === name));
  const groups = new Set(Array.from({ length: colours.count }, (_, n) => key.map((c) => colours.value(n, c)).join()));
  return groups.size === colours.count;
}
