import type { Petri } from '../space/petri.ts';

/** Rows of whole numbers, one behind the other: row r is `items[start[r]]` … `items[start[r + 1] − 1]`. */
export interface Rows {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

/** Lists as rows. */
export function rowsOf(lists: readonly (readonly number[])[]): Rows {
  const start = new Int32Array(lists.length + 1);
  for (const [k, list] of lists.entries()) start[k + 1] = start[k]! + list.length;
  const items = new Int32Array(start[lists.length]!);
  for (const [k, list] of lists.entries()) items.set(list, start[k]!);
  return { start, items };
}

/** What a transition tests, over all its places, and what it does: pairs (place, number) side by side. */
const pairs = (list: readonly (readonly [number, number])[]): number[] => list.flat();

/**
 * The steps of a net in flat arrays, on markings that are one number for each place. Levels (priorities) are not looked at.
 */
export class PetriMoves {
  readonly petri: Petri;
  readonly places: number;
  readonly transitions: number;
  /** (place, least number) of each transition. */
  readonly needs: Rows;
  /** (place, difference) of each transition; places that it resets are not among them. */
  readonly changes: Rows;
  /** (place, number afterwards) of the places that each transition resets. */
  readonly resets: Rows;
  readonly #limited: Uint8Array;

  constructor(petri: Petri) {
    this.petri = petri;
    this.places = petri.places.length;
    this.transitions = petri.transitions.length;
    this.needs = rowsOf(petri.transitions.map((t) => pairs(t.needs)));
    const reset = petri.transitions.map((t) => new Set(t.resets));
    this.changes = rowsOf(petri.transitions.map((t, k) => pairs(t.change.filter(([p]) => !reset[k]!.has(p)))));
    this.resets = rowsOf(
      petri.transitions.map((t) => pairs(t.resets.map((p) => [p, t.change.find(([q]) => q === p)?.[1] ?? 0] as const))),
    );
    this.#limited = Uint8Array.from(petri.transitions, (t) => (t.limits.length > 0 ? 1 : 0));
  }

  initial(): Int32Array {
    return Int32Array.from(this.petri.places, (p) => p.initial);
  }

  /** Whether the tests of a transition hold. O(its arcs). */
  enabled(t: number, marking: Int32Array): boolean {
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

  /** Fires an enabled transition: `into` becomes the marking after it. */
  fire(t: number, marking: Int32Array, into: Int32Array): void {
    into.set(marking);
    const { changes, resets } = this;
    for (let k = changes.start[t]!, end = changes.start[t + 1]!; k < end; k += 2)
      into[changes.items[k]!]! += changes.items[k + 1]!;
    for (let k = resets.start[t]!, end = resets.start[t + 1]!; k < end; k += 2)
      into[resets.items[k]!] = resets.items[k + 1]!;
  }

  /** The enabled transitions, ascending, at the start of `into`; returns how many. */
  allEnabled(marking: Int32Array, into: Int32Array): number {
    let count = 0;
    for (let t = 0; t < this.transitions; t++) if (this.enabled(t, marking)) into[count++] = t;
    return count;
  }

  /** The marking after a sequence of transitions; undefined where one of them is not possible. */
  play(sequence: readonly number[]): Int32Array | undefined {
    return this.playFrom(this.initial(), sequence);
  }

  /** The same from another marking, which stays as it is. */
  playFrom(from: Int32Array, sequence: readonly number[]): Int32Array | undefined {
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
