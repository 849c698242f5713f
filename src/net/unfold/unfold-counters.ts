import type { Column } from '../colour.ts';
import type { TextTerms } from '../text/text-terms.ts';
import { type Key, keyOf, type PossibleColours } from './unfold-colours.ts';

/** An auxiliary place that counts the tokens of several colours of one folded place. */
export interface Counter {
  readonly name: string;
  readonly colours: readonly number[];
}

/**
 * The counters of one place. An inhibitor with a threshold above 1 over several colours tests a counter of these
 * colours. Every transition that moves a token also updates the counters of its colour.
 */
export class Counters {
  readonly #place: string;
  readonly #colours: PossibleColours;
  readonly #terms: TextTerms;
  readonly #unique: (name: string) => string;
  /** By columns, then by their values. */
  readonly #by = new Map<string, { readonly columns: readonly number[]; readonly byKey: Map<Key, Counter> }>();

  constructor(place: string, colours: PossibleColours, terms: TextTerms, unique: (name: string) => string) {
    this.#place = place;
    this.#colours = colours;
    this.#terms = terms;
    this.#unique = unique;
  }

  /** The counter of the colours with these values in these columns, named `place[red,*]`; created if missing. */
  of(columns: readonly number[], values: readonly number[], colours: readonly number[]): Counter {
    const group = this.#by.get(columns.join()) ?? { columns, byKey: new Map<Key, Counter>() };
    this.#by.set(columns.join(), group);
    const key = keyOf(values);
    let counter = group.byKey.get(key);
    if (counter === undefined) {
      const word = (c: Column, k: number): string => {
        const at = columns.indexOf(k);
        return at < 0 ? '*' : this.#terms.value(c.colour, values[at]!);
      };
      // A counter of all colours has one `*`, like the counter of a capacity.
      const words = columns.length === 0 ? ['*'] : this.#colours.columns.map(word);
      counter = { name: this.#unique(`${this.#place}[${words.join(',')}]`), colours };
      group.byKey.set(key, counter);
    }
    return counter;
  }

  get all(): Counter[] {
    return [...this.#by.values()].flatMap(({ byKey }) => [...byKey.values()]);
  }

  /** The names of the counters that include a colour. */
  namesFor(colour: number): string[] {
    return [...this.#by.values()].flatMap(({ columns, byKey }) => {
      const found = byKey.get(keyOf(columns.map((c) => this.#colours.value(colour, c))));
      return found === undefined ? [] : [found.name];
    });
  }
}
