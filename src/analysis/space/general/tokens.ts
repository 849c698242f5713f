import type { Net } from '../../../net/net.ts';
import type { Edits } from './edits.ts';
import type { Marking } from './marking.ts';
import type { Rule } from './rule.ts';
import type { Section } from './sections.ts';

/** Capacity reserved by timed firings that will produce tokens in a place. */
interface Reservation {
  readonly section: Section;
  readonly count: (slots: Float64Array) => number;
  readonly slots: Float64Array;
  /** Tokens by binding number; −1: not computed yet. */
  counts: Int32Array;
}

/** Tokens produced by firings, and capacity checks (S8a). */
export class Tokens {
  readonly #marking: Marking;
  /** By place with a capacity: its sections, and its reservations. */
  readonly #stored: ReadonlyMap<number, readonly Section[]>;
  readonly #reserved: ReadonlyMap<number, readonly Reservation[]>;
  /** Buffers for one firing: target sections, colours and numbers of its tokens. */
  readonly #sections: Section[] = [];
  readonly #colours: number[] = [];
  readonly #counts: number[] = [];

  constructor(net: Net, rules: readonly Rule[], marking: Marking) {
    this.#marking = marking;
    const limited = [...net.places.keys()].filter((p) => net.places[p]!.capacity !== undefined);
    this.#stored = new Map(limited.map((p) => [p, marking.sections.filter((s) => s.kind !== 'busy' && s.node === p)]));
    this.#reserved = new Map(
      limited.map((p) => [
        p,
        rules.flatMap((rule): Reservation[] => {
          const room = rule.rooms.find((r) => r.place === p);
          if (rule.busy === undefined || room === undefined) return [];
          return [
            {
              section: rule.busy,
              count: (slots) => room.outputs.reduce((sum, o) => sum + o.count(slots), 0),
              slots: new Float64Array(rule.folded.slots.length),
              counts: new Int32Array(0),
            },
          ];
        }),
      ]),
    );
  }

  /** True if every place with a capacity has room for the tokens produced. @throws EvaluationFailure RUN005 */
  fit(rule: Rule, slots: Float64Array): boolean {
    const { rooms } = rule;
    // All counts are evaluated before any comparison.
    for (let k = 0; k < rooms.length; k++) {
      let brings = 0;
      for (const output of rooms[k]!.outputs) brings += output.count(slots);
      this.#counts[k] = brings;
    }
    for (let k = 0; k < rooms.length; k++) {
      const { place, capacity, takes } = rooms[k]!;
      const brings = this.#counts[k]!;
      if (brings > 0 && this.#held(place) - takes + brings > capacity) return false;
    }
    return true;
  }

  /**
   * Adds the tokens produced by a firing to `edits`. Tokens of one step arrive in the order of their colours (S11). If `learn`
   * is false, returns false at the first colour without a number.
   *
   * @throws EvaluationFailure RUN002, RUN005
   */
  produce(rule: Rule, slots: Float64Array, edits: Edits, learn: boolean): boolean {
    let n = 0;
    for (const output of rule.outputs) {
      const count = output.count(slots);
      if (count === 0) continue;
      const { section } = output;
      const row = output.row(slots);
      const colour = learn ? section.colours.add(row) : section.colours.find(row);
      if (colour < 0) return false;
      let k = n++;
      if (rule.sorts)
        for (; k > 0 && comesLater(this.#sections[k - 1]!, this.#colours[k - 1]!, section, colour); k--) {
          this.#sections[k] = this.#sections[k - 1]!;
          this.#colours[k] = this.#colours[k - 1]!;
          this.#counts[k] = this.#counts[k - 1]!;
        }
      this.#sections[k] = section;
      this.#colours[k] = colour;
      this.#counts[k] = count;
    }
    for (let k = 0; k < n; k++) edits.add(this.#sections[k]!, this.#colours[k]!, this.#counts[k]!);
    return true;
  }

  /** Tokens and reservations that count against the capacity of a place. */
  #held(place: number): number {
    const marking = this.#marking;
    let held = 0;
    for (const section of this.#stored.get(place)!) held += marking.sum(section.number);
    for (const reservation of this.#reserved.get(place)!) {
      const { number } = reservation.section;
      for (let run = marking.start[number]!; run < marking.end[number]!; run++)
        held += marking.counts[run]! * reservedBy(reservation, marking.ids[run]!);
    }
    return held;
  }
}

function comesLater(section: Section, colour: number, than: Section, other: number): boolean {
  return section === than && section.colours.compare(colour, other) > 0;
}

function reservedBy(r: Reservation, binding: number): number {
  if (binding >= r.counts.length) {
    const counts = new Int32Array(2 * binding + 2).fill(-1);
    counts.set(r.counts);
    r.counts = counts;
  }
  if (r.counts[binding]! < 0) {
    r.section.colours.copy(binding, r.slots);
    r.counts[binding] = r.count(r.slots);
  }
  return r.counts[binding]!;
}
