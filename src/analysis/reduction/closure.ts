import type { Petri } from '../petri/petri.ts';
import { type PetriMoves, type Rows, rowsOf, type Tokens } from './petri-moves.ts';

/**
 * Extra condition on a set of transitions that represents all transitions at one marking.
 *
 * - `commute` (sufficient if every path to a goal must contain a transition of the set): if transitions outside the set are
 *   followed by one of the set, that one can fire first with the same result
 * - `persist` (for dead markings): in addition, transitions outside disable none of the enabled ones of the set
 */
export type Demand = 'commute' | 'persist';

/**
 * Closes sets of transitions at a marking (strong stubborn sets: Valmari, _The State Explosion Problem_, LNCS 1491, 1998,
 * §7.4; inhibitors and resets are covered by the same conditions on every transition that adds to or removes from a place):
 *
 * - for a disabled member, choose one failing test and add every transition that could help to satisfy it
 * - for an enabled member, add every transition that it could disable, or whose reset of a place does not commute with it; for
 *   `persist`, also every transition that could disable it
 *
 * One closure costs O(arcs of the transitions in the set and of the neighbours of their places).
 */
export class Closure {
  readonly #moves: PetriMoves;
  readonly #relations: Relations;
  readonly #member: Int32Array;
  /** By kind (increasers, decreasers, needers, limiters, resetters) and place: the closure in which the whole row was added. */
  readonly #whole: readonly Int32Array[];
  readonly #stack: Int32Array;
  #top = 0;
  #now = 0;
  #marking!: Tokens;
  /** Enabled transitions of the last closed set, in the order added; the first `enabled` entries are valid. */
  readonly found: Int32Array;
  enabled = 0;
  readonly #isEnabled: Uint8Array;

  constructor(moves: PetriMoves, relations: Relations) {
    this.#moves = moves;
    this.#relations = relations;
    this.#member = new Int32Array(moves.transitions);
    this.#whole = Array.from({ length: 5 }, () => new Int32Array(moves.places));
    this.#stack = new Int32Array(moves.transitions);
    this.found = new Int32Array(moves.transitions);
    this.#isEnabled = new Uint8Array(moves.transitions);
  }

  /** Starts an empty set at a marking; `isEnabled[t]` is 1 if transition t is enabled there. */
  begin(marking: Tokens, isEnabled: Uint8Array): void {
    this.#isEnabled.set(isEnabled);
    this.#marking = marking;
    this.again();
  }

  /** Starts an empty set at the same marking. */
  again(): void {
    this.#now++;
    this.#top = 0;
    this.enabled = 0;
  }

  add(t: number): void {
    if (this.#member[t] === this.#now) return;
    this.#member[t] = this.#now;
    this.#stack[this.#top++] = t;
    if (this.#isEnabled[t] === 1) this.found[this.enabled++] = t;
  }

  increasers(p: number): void {
    this.#addAll(0, this.#relations.increasers, p);
  }

  decreasers(p: number): void {
    this.#addAll(1, this.#relations.decreasers, p);
  }

  resetters(p: number): void {
    this.#addAll(4, this.#relations.resetters, p);
  }

  /** Closes the set; stops and returns false once it has more than `max` enabled transitions. */
  close(demand: Demand, max: number): boolean {
    while (this.#top > 0) {
      if (this.enabled > max) return false;
      const t = this.#stack[--this.#top]!;
      if (this.#isEnabled[t] === 0) this.help(t);
      else this.#commute(t, demand);
    }
    return this.enabled <= max;
  }

  /** Adds all transitions that could satisfy one failing test of a disabled transition: the test with the fewest of them. */
  help(t: number): void {
    const { needs, petri } = this.#moves;
    const marking = this.#marking;
    let best = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (let k = needs.start[t]!, end = needs.start[t + 1]!; k < end; k += 2) {
      const p = needs.items[k]!;
      if (marking[p]! >= needs.items[k + 1]!) continue;
      const count = this.#missing(0, this.#relations.increasers, p);
      if (count < fewest) {
        fewest = count;
        best = p;
      }
    }
    let limit: readonly (readonly [number, number])[] | undefined;
    if (fewest > 0)
      for (const { sum, most } of petri.transitions[t]!.limits) {
        let total = 0;
        let count = 0;
        for (const [p, n] of sum) {
          total += n * marking[p]!;
          count += this.#missing(1, this.#relations.decreasers, p);
        }
        if (total <= most || count >= fewest) continue;
        fewest = count;
        limit = sum;
      }
    if (limit !== undefined) for (const [p] of limit) this.decreasers(p);
    else if (best >= 0) this.increasers(best);
  }

  /** Adds every transition that could disable an enabled one. */
  disablers(t: number): void {
    const { needs, petri } = this.#moves;
    for (let k = needs.start[t]!, end = needs.start[t + 1]!; k < end; k += 2) this.decreasers(needs.items[k]!);
    for (const { sum } of petri.transitions[t]!.limits) for (const [p] of sum) this.increasers(p);
  }

  /** Number of transitions that could disable an enabled one, counted once per test. */
  countDisablers(t: number): number {
    const { needs, petri } = this.#moves;
    let count = 0;
    for (let k = needs.start[t]!, end = needs.start[t + 1]!; k < end; k += 2)
      count += this.#missing(1, this.#relations.decreasers, needs.items[k]!);
    for (const { sum } of petri.transitions[t]!.limits)
      for (const [p] of sum) count += this.#missing(0, this.#relations.increasers, p);
    return count;
  }

  #commute(t: number, demand: Demand): void {
    const { increasers, decreasers, needers, limiters } = this.#relations;
    const { changes, resets } = this.#moves;
    if (demand === 'persist') this.disablers(t);
    for (let k = changes.start[t]!, end = changes.start[t + 1]!; k < end; k += 2) {
      const p = changes.items[k]!;
      if (changes.items[k + 1]! < 0) this.#addAll(2, needers, p);
      else this.#addAll(3, limiters, p);
      this.#addAll(4, this.#relations.resetters, p);
    }
    for (let k = resets.start[t]!, end = resets.start[t + 1]!; k < end; k += 2) {
      const p = resets.items[k]!;
      this.#addAll(2, needers, p);
      this.#addAll(3, limiters, p);
      this.#addAll(0, increasers, p);
      this.#addAll(1, decreasers, p);
    }
  }

  /** Number of transitions that a row would add; 0 if the row was already added. */
  #missing(kind: number, { start }: Rows, p: number): number {
    return this.#whole[kind]![p] === this.#now ? 0 : start[p + 1]! - start[p]!;
  }

  #addAll(kind: number, { start, items }: Rows, p: number): void {
    const whole = this.#whole[kind]!;
    if (whole[p] === this.#now) return;
    whole[p] = this.#now;
    for (let k = start[p]!, end = start[p + 1]!; k < end; k++) this.add(items[k]!);
  }
}

/** Transitions related to each place, as rows by place. */
interface Relations {
  /** Transitions that may increase its tokens. */
  readonly increasers: Rows;
  /** Transitions that may decrease its tokens: consumers and resetters. */
  readonly decreasers: Rows;
  /** Transitions that need a minimum number of tokens there. */
  readonly needers: Rows;
  /** Transitions that limit its tokens (inhibitors, capacities). */
  readonly limiters: Rows;
  /** Transitions that reset the place. */
  readonly resetters: Rows;
}

/** O(size of the net). */
export function relationsOf({ places, transitions }: Petri): Relations {
  const empty = (): number[][] => places.map(() => []);
  const [increasers, decreasers, needers, limiters, resetters] = [empty(), empty(), empty(), empty(), empty()];
  for (const [k, t] of transitions.entries()) {
    const resets = new Set(t.resets);
    for (const [p, n] of t.change)
      if (n > 0) increasers[p]!.push(k);
      else if (!resets.has(p)) decreasers[p]!.push(k);
    for (const p of resets) {
      decreasers[p]!.push(k);
      resetters[p]!.push(k);
    }
    for (const [p] of t.needs) needers[p]!.push(k);
    for (const p of new Set(t.limits.flatMap(({ sum }) => sum.map(([q]) => q)))) limiters[p]!.push(k);
  }
  return {
    increasers: rowsOf(increasers),
    decreasers: rowsOf(decreasers),
    needers: rowsOf(needers),
    limiters: rowsOf(limiters),
    resetters: rowsOf(resetters),
  };
}
