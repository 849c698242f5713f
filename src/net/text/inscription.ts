import type { Expression } from '../expression.ts';
import type { InputArc, Net, OutputArc, Place } from '../net.ts';
import { scalarNet } from '../scalar.ts';
import { TextTerms } from './text-terms.ts';

/** Arc inscriptions for display: `(x, y)`, `2 × (red)`. */
export class Inscriptions {
  readonly #terms: TextTerms;
  readonly #places: ReadonlyMap<string, Place>;
  readonly #coloured: ReadonlySet<string>;

  constructor(net: Net, terms: TextTerms = new TextTerms(net)) {
    this.#terms = terms;
    this.#places = new Map(net.places.map((p) => [p.name, p]));
    this.#coloured = new Set(scalarNet(net).places.flatMap((p) => (p.fields.length === 0 ? [] : [p.name])));
  }

  /** The values of a token, `_` for an omitted field; '' for a place without columns. */
  tokens(place: string, given: Readonly<Record<string, Expression>>): string {
    if (!this.#coloured.has(place)) return '';
    return `(${this.#terms.values(this.#places.get(place)!, given).join(', ')})`;
  }

  input(arc: InputArc): string {
    return times(arc.count === 1 ? '' : String(arc.count), this.tokens(arc.place, arc.pattern));
  }

  output(arc: OutputArc): string {
    const { count } = arc;
    const one = count.op === 'const' && count.value === 1;
    const number = one ? '' : count.op === 'const' ? String(count.value) : `(${this.#terms.expression(count)})`;
    return times(number, this.tokens(arc.place, arc.values));
  }
}

function times(number: string, tokens: string): string {
  return number === '' || tokens === '' ? `${number}${tokens}` : `${number} × ${tokens}`;
}
