import { colourBounds } from '../../../net/colour.ts';
import { type Evaluate, EvaluationFailure, evaluator, type Surroundings } from '../../../net/evaluate.ts';
import type { OutputArc } from '../../../net/net.ts';
import type { Section, Sections } from './sections.ts';

/** Maximum number of tokens produced by one arc (S7). */
const MAX_TOKENS = 1e6;

/** The tokens that an output arc produces for a binding. */
export class Output {
  readonly arc: OutputArc;
  readonly place: number;
  /** Section that receives its tokens: the service of the place if it has one. */
  readonly section: Section;
  readonly #count: Evaluate;
  readonly #columns: readonly {
    readonly name: string;
    readonly colour: string;
    readonly low: number;
    readonly high: number;
    readonly value: Evaluate;
  }[];
  readonly #row: Float64Array;

  constructor(
    arc: OutputArc,
    place: number,
    sections: Sections,
    slotOf: ReadonlyMap<string, number>,
    around: Surroundings,
  ) {
    this.arc = arc;
    this.place = place;
    this.section = sections.entry(place);
    this.#count = evaluator(arc.count, slotOf, around);
    this.#columns = sections.columns[place]!.map((c) => ({
      name: c.name,
      colour: c.colour.name,
      ...colourBounds(c.colour),
      value: evaluator(arc.values[c.name]!, slotOf, around),
    }));
    this.#row = new Float64Array(this.#columns.length);
  }

  /** Number of tokens. @throws EvaluationFailure RUN005 */
  count(slots: Float64Array): number {
    const count = this.#count(slots);
    if (!(Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS))
      throw new EvaluationFailure(
        'RUN005',
        `count of the arc to ${this.arc.place}: expected an integer from 0 to ${MAX_TOKENS}, got ${count}`,
      );
    return count;
  }

  /** Colour of the tokens, in an array that later calls overwrite. @throws EvaluationFailure RUN002 */
  row(slots: Float64Array): Float64Array {
    for (let k = 0; k < this.#columns.length; k++) {
      const { name, colour, low, high, value } = this.#columns[k]!;
      const v = value(slots);
      if (!(Number.isInteger(v) && v >= low && v <= high))
        throw new EvaluationFailure(
          'RUN002',
          `field "${name}" of place "${this.arc.place}" would be ${v}, outside ${colour} (${low} … ${high})`,
        );
      this.#row[k] = v;
    }
    return this.#row;
  }
}
