import { MAX_TOKENS, tooManyTokens } from '../check-limits.ts';
import type { Edits } from './edits.ts';
import type { Marking } from './marking.ts';
import type { Section } from './sections.ts';

/** Maximum number of tokens in a marking, and of one colour in one place, over the markings visited. */
export class Maxima {
  tokensPerMarking = 0;
  tokensInPlace = 0;
  readonly #net: string;
  readonly #marking: Marking;
  readonly #edits: Edits;
  /** By place: its sections. */
  readonly #parts: readonly (readonly Section[])[];
  #tally: Int32Array = new Int32Array(64);

  constructor(net: string, marking: Marking, edits: Edits) {
    this.#net = net;
    this.#marking = marking;
    this.#edits = edits;
    const parts: Section[][] = [];
    for (const s of marking.sections) {
      if (s.kind === 'place') parts[s.node] = [s];
      else if (s.kind === 'service') parts[s.node]!.push(s);
    }
    this.#parts = parts;
  }

  /** Updates the maxima for the edited marking; visits only changed places. @throws InputError RUN013 */
  update(): void {
    const { touched, touchedCount } = this.#edits;
    let tokens = this.#marking.tokens;
    for (let k = 0; k < touchedCount; k++) {
      const section = this.#marking.sections[touched[k]!]!;
      if (section.kind === 'busy') continue;
      const { counts, length } = this.#edits.get(section.number)!;
      tokens -= this.#marking.sum(section.number);
      let max = 0;
      for (let run = 0; run < length; run++) {
        tokens += counts[run]!;
        if (counts[run]! > max) max = counts[run]!;
      }
      const parts = this.#parts[section.node]!;
      if (section.queue !== undefined || parts.length > 1) max = this.#ofColour(parts);
      if (max > this.tokensInPlace) this.tokensInPlace = max;
    }
    if (tokens > MAX_TOKENS) tooManyTokens(`net ${this.#net}`);
    if (tokens > this.tokensPerMarking) this.tokensPerMarking = tokens;
  }

  /** Adds up tokens of equal colour, which may be in several runs or sections of a place. */
  #ofColour(parts: readonly Section[]): number {
    const { count } = parts[0]!.colours;
    if (this.#tally.length < count) this.#tally = new Int32Array(2 * count);
    let max = 0;
    for (const clear of [false, true])
      for (const { number } of parts) {
        const edit = this.#edits.get(number);
        const { ids, counts } = edit ?? this.#marking;
        const from = edit === undefined ? this.#marking.start[number]! : 0;
        const to = edit === undefined ? this.#marking.end[number]! : edit.length;
        for (let run = from; run < to; run++) {
          const id = ids[run]!;
          const sum = clear ? 0 : this.#tally[id]! + counts[run]!;
          this.#tally[id] = sum;
          if (sum > max) max = sum;
        }
      }
    return max;
  }
}
