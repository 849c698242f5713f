import { given } from '../../../net/bindings/folded-transition.ts';
import type { Column } from '../../../net/colour.ts';
import { type Evaluate, evaluator, type Surroundings } from '../../../net/evaluate.ts';
import type { InputArc } from '../../../net/net.ts';
import type { Marking } from './marking.ts';
import type { Section } from './sections.ts';

/** An inhibitor or reset arc: tests which tokens match its pattern. */
export class TokenTest {
  readonly arc: InputArc;
  readonly section: Section;
  readonly #columns: readonly number[];
  readonly #terms: readonly Evaluate[];
  readonly #values: Float64Array;
  /** Number of terms evaluated for the current binding; terms are evaluated lazily, when a token needs them (S7). */
  #known = 0;
  #slots: Float64Array = new Float64Array(0);

  constructor(
    arc: InputArc,
    section: Section,
    columns: readonly Column[],
    slotOf: ReadonlyMap<string, number>,
    around: Surroundings,
  ) {
    this.arc = arc;
    this.section = section;
    this.#columns = columns.flatMap((c, k) => (given(arc, c.name) === undefined ? [] : [k]));
    this.#terms = this.#columns.map((k) => evaluator(given(arc, columns[k]!.name)!, slotOf, around));
    this.#values = new Float64Array(this.#columns.length);
  }

  /** Sets the binding for the following tests. */
  bind(slots: Float64Array): void {
    this.#slots = slots;
    this.#known = 0;
  }

  /** @throws EvaluationFailure */
  readonly matches = (colour: number): boolean => {
    const { colours } = this.section;
    for (let k = 0; k < this.#columns.length; k++) {
      if (k === this.#known) {
        this.#values[k] = this.#terms[k]!(this.#slots);
        this.#known++;
      }
      if (this.#values[k] !== colours.value(colour, this.#columns[k]!)) return false;
    }
    return true;
  };

  /** True if enough tokens match to inhibit the transition. */
  inhibits(marking: Marking): boolean {
    const { number } = this.section;
    let matching = 0;
    for (let run = marking.start[number]!; run < marking.end[number]!; run++) {
      if (!this.matches(marking.ids[run]!)) continue;
      matching += marking.counts[run]!;
      if (matching >= this.arc.count) return true;
    }
    return false;
  }
}
