import { Colours } from './colours.ts';

const FIRST = 16;

/** Leaving order of tokens in a section that is not a bag (S3): groups of colours that hide one another, and priorities. */
export class Queue {
  readonly #colours: Colours;
  readonly #key: readonly number[];
  readonly #priority: ((values: Float64Array) => number) | undefined;
  readonly #groups: Colours;
  readonly #row: Float64Array;
  readonly #values: Float64Array;
  /** Number of colours with a known group. Groups are assigned in the order of colour numbers, so both are numbered alike. */
  #known = 0;
  #groupOf: Int32Array = new Int32Array(FIRST);
  /** By colour; NaN: not computed yet. */
  #priorityOf: Float64Array = new Float64Array(FIRST).fill(Number.NaN);

  /**
   * @param key columns whose values define the group of a token
   * @param priority priority of a token; the highest leaves first
   */
  constructor(colours: Colours, key: readonly number[], priority?: (values: Float64Array) => number) {
    this.#colours = colours;
    this.#key = key;
    this.#priority = priority;
    this.#groups = new Colours(key.length);
    this.#row = new Float64Array(key.length);
    this.#values = new Float64Array(colours.width);
  }

  /** True if all tokens belong to one group. */
  get single(): boolean {
    return this.#key.length === 0;
  }

  group(colour: number): number {
    while (this.#known <= colour) this.#learn();
    return this.#groupOf[colour]!;
  }

  /** The priority of a colour, evaluated when its first token arrives. @throws InputError RUN014 */
  priority(colour: number): number {
    if (this.#priority === undefined) return 0;
    if (colour >= this.#priorityOf.length) {
      const priorities = new Float64Array(2 * colour).fill(Number.NaN);
      priorities.set(this.#priorityOf);
      this.#priorityOf = priorities;
    }
    if (Number.isNaN(this.#priorityOf[colour])) {
      this.#colours.copy(colour, this.#values);
      this.#priorityOf[colour] = this.#priority(this.#values);
    }
    return this.#priorityOf[colour]!;
  }

  /** Compares the groups of two colours by their key values. */
  compareGroups(a: number, b: number): number {
    return this.#groups.compare(this.group(a), this.group(b));
  }

  #learn(): void {
    const colour = this.#known++;
    if (colour === this.#groupOf.length) {
      const groups = new Int32Array(2 * colour);
      groups.set(this.#groupOf);
      this.#groupOf = groups;
    }
    for (let k = 0; k < this.#key.length; k++) this.#row[k] = this.#colours.value(colour, this.#key[k]!);
    this.#groupOf[colour] = this.#groups.add(this.#row);
  }
}
