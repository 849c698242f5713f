import type { Petri } from '../petri/petri.ts';

/** Variable-length rows of indices in one array: row r is `items[start[r]]` … `items[start[r + 1] − 1]`. */
export interface Rows {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

/** Rows of (place, number) pairs. Doubles, because weights go up to 2⁵³ − 1. */
export interface PairRows {
  readonly start: Int32Array;
  readonly items: Float64Array;
}

/** Number of tokens by place; exact up to 2⁵³ − 1. */
export type Tokens = Float64Array;

/** Packs lists into rows. */
export function rowsOf(lists: readonly (readonly number[])[]): Rows {
  const start = startsOf(lists);
  return { start, items: filled(new Int32Array(start[lists.length]!), start, lists) };
}

function pairRowsOf(lists: readonly (readonly (readonly [number, number])[])[]): PairRows {
  const flat = lists.map((list) => list.flat());
  const start = startsOf(flat);
  return { start, items: filled(new Float64Array(start[flat.length]!), start, flat) };
}

function startsOf(lists: readonly (readonly number[])[]): Int32Array {
  const start = new Int32Array(lists.length + 1);
  for (const [k, list] of lists.entries()) start[k + 1] = start[k]! + list.length;
  return start;
}

function filled<A extends Int32Array | Float64Array>(
  items: A,
  start: Int32Array,
  lists: readonly (readonly number[])[],
): A {
  for (const [k, list] of lists.entries()) items.set(list, start[k]!);
  return items;
}

/** The transitions of a net in flat arrays, for markings with one number per place. Ignores priority levels. */
export class PetriMoves {
  readonly petri: Petri;
  readonly places: number;
  readonly transitions: number;
  /** By transition: (place, minimum tokens). */
  readonly needs: PairRows;
  /** By transition: (place, change in tokens), without the places that it resets. */
  readonly changes: PairRows;
  /** By transition: (reset place, tokens afterwards). */
  readonly resets: PairRows;
  readonly #limited: Uint8Array;

  constructor(petri: Petri) {
    this.petri = petri;
    this.places = petri.places.length;
    this.transitions = petri.transitions.length;
    this.needs = pairRowsOf(petri.transitions.map((t) => t.needs));
    const reset = petri.transitions.map((t) => new Set(t.resets));
    this.changes = pairRowsOf(petri.transitions.map((t, k) => t.change.filter(([p]) => !reset[k]!.has(p))));
    this.resets = pairRowsOf(
      petri.transitions.map((t) => t.resets.map((p) => [p, t.change.find(([q]) => q === p)?.[1] ?? 0] as const)),
    );
    this.#limited = Uint8Array.from(petri.transitions, (t) => (t.limits.length > 0 ? 1 : 0));
  }

  initial(): Tokens {
    return Float64Array.from(this.petri.places, (p) => p.initial);
  }

  /** True if all tests of a transition hold. O(its arcs). */
  enabled(t: number, marking: Tokens): boolean {
    const { start, items } = this.needs;
    for (let k = start[t]!, end = start[t + 1]!; k < end; k += 2) if (marking[items[k]!]! < items[k + 1]!) return false;
    if (this.#limited[t] === 0) return true;
    for (const { sum, most } of this.petri.transitions[t]!.limits) {
      let total = 0;
      for (const [p, n] of sum) total += n * marking[p]!;
      if (total > most) return false;
    }
    return true;
  }

  /** Fires an enabled transition: writes the marking after it to `into`. */
  fire(t: number, marking: Tokens, into: Tokens): void {
    into.set(marking);
    const { changes, resets } = this;
    for (let k = changes.start[t]!, end = changes.start[t + 1]!; k < end; k += 2)
      into[changes.items[k]!]! += changes.items[k + 1]!;
    for (let k = resets.start[t]!, end = resets.start[t + 1]!; k < end; k += 2)
      into[resets.items[k]!] = resets.items[k + 1]!;
  }

  /** Writes the enabled transitions to the start of `into`, ascending; returns their number. */
  allEnabled(marking: Tokens, into: Int32Array): number {
    let count = 0;
    for (let t = 0; t < this.transitions; t++) if (this.enabled(t, marking)) into[count++] = t;
    return count;
  }

  /** The marking after a firing sequence from the initial marking; undefined if some transition is not enabled. */
  fireSequence(sequence: readonly number[]): Tokens | undefined {
    return this.fireSequenceFrom(this.initial(), sequence);
  }

  /** Like {@link fireSequence}, but starts at `from`, which is not modified. */
  fireSequenceFrom(from: Tokens, sequence: readonly number[]): Tokens | undefined {
    let marking = from.slice();
    let next = from.slice();
    for (const t of sequence) {
      if (!this.enabled(t, marking)) return undefined;
      this.fire(t, marking, next);
      [marking, next] = [next, marking];
    }
    return marking;
  }
}
