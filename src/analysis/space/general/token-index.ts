import type { Term } from '../../../net/bindings/folded-transition.ts';
import type { KeyPart } from '../../../net/bindings/search-plan.ts';
import { EvaluationFailure } from '../../../net/evaluate.ts';
import { Colours } from './colours.ts';
import type { Marking } from './marking.ts';
import type { Section } from './sections.ts';

const UNKNOWN = -2;
const NONE = -1;

/**
 * Index of the visible tokens of a section by a computed key. Rebuilt for every marking that is queried: O(runs); the key of
 * each colour is computed once.
 */
export class TokenIndex {
  readonly #section: Section;
  readonly #parts: readonly KeyPart[];
  readonly #terms: readonly Term[];
  readonly #keys: Colours;
  readonly #row: Float64Array;
  readonly #slots: Float64Array;
  #keyOf: Int32Array = new Int32Array(16).fill(UNKNOWN);
  /** Linked lists of runs: head by key, next by run; valid if the key's stamp is the serial number of the marking. */
  #head: Int32Array = new Int32Array(16);
  #stamps: Int32Array = new Int32Array(16);
  #before: Int32Array = new Int32Array(16);
  #withoutKey = NONE;
  #serial = 0;

  constructor(section: Section, slots: number, terms: readonly Term[], parts: readonly KeyPart[]) {
    this.#section = section;
    this.#parts = parts;
    this.#terms = terms;
    this.#keys = new Colours(parts.length);
    this.#row = new Float64Array(parts.length);
    this.#slots = new Float64Array(slots);
  }

  /** Writes the visible runs with this key, and those whose key has no value, to `runs`; returns their number. */
  find(marking: Marking, key: Float64Array, runs: Int32Array): number {
    if (this.#serial !== marking.serial(this.#section)) this.#build(marking);
    let n = 0;
    const number = this.#keys.find(key);
    if (number >= 0 && this.#stamps[number] === this.#serial)
      for (let run = this.#head[number]!; run !== NONE; run = this.#before[run]!) runs[n++] = run;
    for (let run = this.#withoutKey; run !== NONE; run = this.#before[run]!) runs[n++] = run;
    return n;
  }

  #build(marking: Marking): void {
    this.#serial = marking.serial(this.#section);
    this.#withoutKey = NONE;
    const { number } = this.#section;
    if (this.#before.length < marking.ids.length) this.#before = new Int32Array(marking.ids.length);
    // Backwards, so that lists are in the order of runs.
    for (let run = marking.end[number]! - 1; run >= marking.start[number]!; run--) {
      if (!marking.visible(this.#section, run)) continue;
      const key = this.#key(marking.ids[run]!);
      if (key === NONE) {
        this.#before[run] = this.#withoutKey;
        this.#withoutKey = run;
        continue;
      }
      this.#before[run] = this.#stamps[key] === this.#serial ? this.#head[key]! : NONE;
      this.#stamps[key] = this.#serial;
      this.#head[key] = run;
    }
  }

  /** The key number of a colour; NONE if a part of its key has no value. */
  #key(colour: number): number {
    if (colour >= this.#keyOf.length) {
      const longer = new Int32Array(2 * colour).fill(UNKNOWN);
      longer.set(this.#keyOf);
      this.#keyOf = longer;
    }
    const known = this.#keyOf[colour]!;
    if (known !== UNKNOWN) return known;
    const key = this.#computed(colour);
    this.#keyOf[colour] = key;
    if (key >= this.#head.length) {
      const head = new Int32Array(2 * key);
      head.set(this.#head);
      this.#head = head;
      const stamps = new Int32Array(2 * key);
      stamps.set(this.#stamps);
      this.#stamps = stamps;
    }
    return key;
  }

  #computed(colour: number): number {
    const { colours } = this.#section;
    this.#terms.forEach((term, column) => {
      if ('slot' in term) this.#slots[term.slot] = colours.value(colour, column);
    });
    try {
      this.#parts.forEach(({ own }, k) => {
        this.#row[k] = typeof own === 'number' ? colours.value(colour, own) : own.evaluate(this.#slots);
      });
    } catch (e) {
      if (e instanceof EvaluationFailure) return NONE;
      throw e;
    }
    return this.#keys.add(this.#row);
  }
}
