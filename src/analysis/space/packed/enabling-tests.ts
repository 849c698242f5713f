import type { Petri } from '../../petri/petri.ts';
import { maxOf, type PackedLayout } from './layout.ts';
import { testsOf } from './step-code.ts';

/** Integers per test of a field: word, shift, mask, minimum. */
const TEST = 4;

/**
 * The enabling tests of all transitions on packed markings, in one flat array. Closures or objects per transition cost more
 * than the tests themselves in nets of 10⁵ transitions.
 */
export class EnablingTests {
  readonly #petri: Petri;
  readonly #layout: PackedLayout;
  /** The tests of transition t are the entries `start[t]` … `start[t + 1]` − 1 of `items`. */
  readonly #start: Int32Array;
  readonly #items: Int32Array;
  /** By transition: 1 if constant places never enable it. */
  readonly #never: Uint8Array;

  constructor(petri: Petri, layout: PackedLayout) {
    this.#petri = petri;
    this.#layout = layout;
    const { transitions } = petri;
    this.#start = new Int32Array(transitions.length + 1);
    this.#items = new Int32Array(TEST * transitions.reduce((sum, t) => sum + t.needs.length, 0));
    this.#never = new Uint8Array(transitions.length);
    let at = 0;
    transitions.forEach((transition, t) => {
      const tests = testsOf(layout, transition);
      if (tests === undefined) this.#never[t] = 1;
      for (const { field, least } of tests ?? []) {
        this.#items.set([field.word, field.shift, maxOf(field), least], at);
        at += TEST;
      }
      this.#start[t + 1] = at;
    });
  }

  /** True if transition `t` is enabled in the marking that begins at `ints[a]`, ignoring priorities. */
  holds(t: number, ints: Int32Array<ArrayBufferLike>, a: number): boolean {
    if (this.#never[t] === 1) return false;
    const items = this.#items;
    for (let k = this.#start[t]!, end = this.#start[t + 1]!; k < end; k += TEST)
      if (((ints[a + items[k]!]! >>> items[k + 1]!) & items[k + 2]!) < items[k + 3]!) return false;
    const { limits } = this.#petri.transitions[t]!;
    return limits.length === 0 || limits.every(({ sum, most }) => this.#total(sum, ints, a) <= most);
  }

  #total(sum: Petri['transitions'][number]['needs'], ints: Int32Array<ArrayBufferLike>, a: number): number {
    const { fields, constant } = this.#layout;
    let total = 0;
    for (const [p, weight] of sum) {
      const f = fields[p];
      total += weight * (f === undefined ? constant[p]! : (ints[a + f.word]! >>> f.shift) & maxOf(f));
    }
    return total;
  }
}
