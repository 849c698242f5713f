import { Colours } from './colours.ts';

const UNKNOWN = -1;

/** The order in which tokens leave a section that is no bag (S3): which colours hide one another, and who goes first. */
export class Queue {
  readonly #colours: Colours;
  readonly #key: readonly number[];
  readonly #rank: ((values: Float64Array) => number) | undefined;
  readonly #groups: Colours;
  readonly #row: Float64Array;
  readonly #values: Float64Array;
  #groupOf: Int32Array = new Int32Array(16).fill(UNKNOWN);
  #rankOf: Float64Array = new Float64Array(16);

  /**
   * @param key columns in which tokens of a group agree
   * @param rank the priority of a token: the highest leaves first
   */
  constructor(colours: Colours, key: readonly number[], rank?: (values: Float64Array) => number) {
    this.#colours = colours;
    this.#key = key;
    this.#rank = rank;
    this.#groups = new Colours(key.length);
    this.#row = new Float64Array(key.length);
    this.#values = new Float64Array(colours.width);
  }

  /** Whether all tokens are in one group. */
  get single(): boolean {
    return this.#key.length === 0;
  }

  /** The number of a colour's group. */
  group(colour: number): number {
    const known = this.#groupOf[colour];
    return known === undefined || known === UNKNOWN ? this.#learn(colour) : known;
  }

  rank(colour: number): number {
    this.group(colour);
    return this.#rankOf[colour]!;
  }

  /** By the key of the groups of two colours. */
  compareGroups(a: number, b: number): number {
    return this.#groups.compare(this.group(a), this.group(b));
  }

  #learn(colour: number): number {
    if (colour >= this.#groupOf.length) {
      const groups = new Int32Array(2 * colour).fill(UNKNOWN);
      groups.set(this.#groupOf);
      this.#groupOf = groups;
      const ranks = new Float64Array(2 * colour);
      ranks.set(this.#rankOf);
      this.#rankOf = ranks;
    }
    this.#key.forEach((column, k) => {
      this.#row[k] = this.#colours.value(colour, column);
    });
    if (this.#rank !== undefined) {
      this.#colours.copy(colour, this.#values);
      this.#rankOf[colour] = this.#rank(this.#values);
    }
    const group = this.#groups.add(this.#row);
    this.#groupOf[colour] = group;
    return group;
  }
}
