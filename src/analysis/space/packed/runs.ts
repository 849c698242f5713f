/**
 * Maps states to rows of the arena. Each thread takes rows for the states it finds; states are numbered in the order of the
 * runs of consecutive rows. A single thread needs one run.
 */
export class Runs {
  /** By run: its first state and its first row. */
  readonly #first: number[] = [];
  readonly #slots: number[] = [];
  #count = 0;
  /** Runs sorted by row; computed on demand. */
  #byRow: Int32Array | undefined;
  #last = 0;

  /** Total number of states. */
  get count(): number {
    return this.#count;
  }

  /** Appends `count` states that are stored from row `slot` on. */
  add(slot: number, count: number): void {
    if (count === 0) return;
    const last = this.#slots.length - 1;
    if (last < 0 || this.#slots[last]! + this.#count - this.#first[last]! !== slot) {
      this.#first.push(this.#count);
      this.#slots.push(slot);
      this.#byRow = undefined;
    }
    this.#count += count;
  }

  /** The row of a state. O(log runs), O(1) if it is in the same run as the previous query. */
  slotOf(state: number): number {
    if (this.#slots.length === 1) return state;
    if (!this.#holds(this.#last, state)) this.#last = greatest(this.#first.length, (k) => this.#first[k]! <= state);
    return this.#slots[this.#last]! + state - this.#first[this.#last]!;
  }

  /** The state of a row. O(log runs). */
  stateOf(slot: number): number {
    if (this.#slots.length === 1) return slot;
    this.#byRow ??= Int32Array.from(this.#slots.keys()).sort((a, b) => this.#slots[a]! - this.#slots[b]!);
    const order = this.#byRow;
    const run = order[greatest(order.length, (k) => this.#slots[order[k]!]! <= slot)]!;
    return this.#first[run]! + slot - this.#slots[run]!;
  }

  /** The states by row; undefined if state and row numbers are equal. */
  states(): Int32Array | undefined {
    if (this.#slots.length === 1) return undefined;
    const rows = this.#slots.reduce((max, slot, k) => Math.max(max, slot + this.#length(k)), 0);
    const states = new Int32Array(rows);
    for (const [k, slot] of this.#slots.entries())
      for (let i = 0; i < this.#length(k); i++) states[slot + i] = this.#first[k]! + i;
    return states;
  }

  #length(run: number): number {
    return (this.#first[run + 1] ?? this.#count) - this.#first[run]!;
  }

  /** Row ranges of the states from … to − 1, in pieces of at most `max` rows. */
  ranges(from: number, to: number, max: number = Infinity): [from: number, to: number][] {
    const ranges: [number, number][] = [];
    for (let state = from; state < to; ) {
      const slot = this.slotOf(state);
      const end = this.#slots.length === 1 ? this.#count : (this.#first[this.#last + 1] ?? this.#count);
      const count = Math.min(to - state, end - state, max);
      ranges.push([slot, slot + count]);
      state += count;
    }
    return ranges;
  }

  #holds(run: number, state: number): boolean {
    return this.#first[run]! <= state && state < (this.#first[run + 1] ?? this.#count);
  }
}

/** The largest index below `length` that satisfies `holds`, which must hold for a prefix of the indices. */
function greatest(length: number, holds: (k: number) => boolean): number {
  let [low, high] = [0, length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
