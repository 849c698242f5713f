import { fail, InputError, type Problem } from '../../base/problem.ts';
import { type FoldedTransition, foldedTransition } from '../bindings/folded-transition.ts';
import { type ColourSet, type Column, colourBounds, columnsOf } from '../colour.ts';
import { type Evaluate, EvaluationFailure, evaluator, type Surroundings, surroundingsOf } from '../evaluate.ts';
import type { Net, OutputArc, Place } from '../net.ts';
import { PossibleColours } from './unfold-colours.ts';
import { type Finder, UnfoldingSearch } from './unfold-search.ts';

/** Over-approximation of a net's behaviour: its possible colours, and the bindings over them. */
export interface Possible {
  readonly around: Surroundings;
  readonly colours: ReadonlyMap<string, PossibleColours>;
  readonly transitions: readonly PossibleTransition[];
  /** Bindings left out because an expression has no value. Absent if empty. */
  readonly omitted?: OmittedBindings;
}

/** Bindings with an expression without a value: a run ends with an error where one of them is enabled. */
export interface OmittedBindings {
  readonly bindings: number;
  /** The first of them, with its expression. */
  readonly first: string;
}

export interface PossibleTransition {
  readonly folded: FoldedTransition;
  readonly count: number;
  /** The slot values, one binding after the other. */
  readonly bindings: readonly number[];
}

/** Maximum tokens and values tried by searches, for each node of the limit. */
const TRIES = 50;

/**
 * The possible colours of a net without composite fields, and the bindings of its transitions over them.
 *
 * `reachableOnly`: the least set that contains the initial tokens and is closed under the outputs of bindings.
 * Otherwise all colours of the colour sets. Rejects more than `limit` colours and bindings together (UNF002), searches
 * that take too long (UNF003), and bindings with an expression without a value (UNF009) unless they are left out. Indexes
 * ensure that every binding is found once: O(tokens and bindings tried).
 *
 * @param omitFailing leaves out bindings without a value: the result has all markings that a run reaches without an error
 */
export function possibleIn(net: Net, limit: number, reachableOnly: boolean, omitFailing = false): Possible {
  return new Exploration(net, limit, reachableOnly, omitFailing).run();
}

class Exploration {
  readonly #net: Net;
  readonly #limit: number;
  readonly #reachableOnly: boolean;
  readonly #around: Surroundings;
  readonly #colours = new Map<string, PossibleColours>();
  readonly #queue: string[] = [];
  readonly #problems = new Map<string, Problem>();
  /** Number of places. Places without columns are kept even if they can never be marked. */
  #places = 0;
  #bindings = 0;
  #tries = 0;
  readonly #omitFailing: boolean;
  #omitted = 0;

  constructor(net: Net, limit: number, reachableOnly: boolean, omitFailing: boolean) {
    this.#omitFailing = omitFailing;
    this.#net = net;
    this.#limit = limit;
    this.#reachableOnly = reachableOnly;
    this.#around = surroundingsOf(net);
  }

  run(): Possible {
    const sets = new Map<string, ColourSet>(this.#net.colours.map((c) => [c.name, c]));
    for (const p of this.#net.places) {
      const colours = new PossibleColours(columnsOf(p.fields, sets));
      this.#colours.set(p.name, colours);
      if (colours.columns.length === 0) this.#places++;
    }
    if (!this.#reachableOnly) this.#countColours();
    for (const p of this.#net.places) this.#seed(p);
    const searches = this.#net.transitions.map((t) => this.#search(t, sets));
    const readers = new Map<string, { readonly search: UnfoldingSearch; readonly arc: number }[]>();
    for (const { search, folded } of searches) {
      if (folded.arcs.length === 0) search.run();
      folded.arcs.forEach(({ arc }, k) => {
        readers.set(arc.place, [...(readers.get(arc.place) ?? []), { search, arc: k }]);
      });
    }
    for (let head = 0; head < this.#queue.length; head++) {
      const place = this.#queue[head]!;
      const token = this.#colours.get(place)!.reveal();
      for (const { search, arc } of readers.get(place) ?? []) search.run(arc, token);
    }
    const [first] = this.#problems.values();
    if (first !== undefined && !this.#omitFailing) throw new InputError([...this.#problems.values()]);
    return {
      around: this.#around,
      colours: this.#colours,
      transitions: searches.map(({ folded, bindings, counted }) => ({ folded, bindings, count: counted.count })),
      ...(first === undefined ? {} : { omitted: { bindings: this.#omitted, first: withoutAdvice(first) } }),
    };
  }

  /** Checks the limit before anything is enumerated. */
  #countColours(): void {
    const sizes = this.#net.places.map((p) => this.#colours.get(p.name)!.size);
    const all = sizes.reduce((a, b) => a + b, 0);
    if (all <= this.#limit) return;
    const largest = sizes.indexOf(Math.max(...sizes));
    fail(
      'UNF002',
      `unfolds to ${all} places (place "${this.#net.places[largest]!.name}" alone to ${sizes[largest]}); the limit is ${this.#limit}. Unfold only the reachable part (reachableOnly), or raise the limit.`,
      { part: `net ${this.#net.name}` },
    );
  }

  #seed(p: Place): void {
    if (this.#reachableOnly) {
      for (const { values, count } of p.initial) if (count > 0) this.#mark(p.name, values);
      return;
    }
    const bounds = this.#colours.get(p.name)!.columns.map((c) => colourBounds(c.colour));
    const row = bounds.map((b) => b.low);
    for (;;) {
      this.#mark(p.name, row);
      let k = row.length - 1;
      while (k >= 0 && row[k] === bounds[k]!.high) {
        row[k] = bounds[k]!.low;
        k--;
      }
      if (k < 0) return;
      row[k]!++;
    }
  }

  #mark(place: string, values: ArrayLike<number>): boolean {
    const colours = this.#colours.get(place)!;
    const added = colours.add(values);
    if (added === true) {
      this.#queue.push(place);
      if (colours.columns.length > 0) this.#places++;
      this.#count();
    }
    return added !== undefined;
  }

  #count(): void {
    if (this.#places + this.#bindings <= this.#limit) return;
    fail(
      'UNF002',
      `unfolds to more than ${this.#limit} nodes: ${this.#places} places and ${this.#bindings} transitions were found before the search stopped. Raise the limit, or reduce the colour sets.`,
      { part: `net ${this.#net.name}` },
    );
  }

  #search(t: Net['transitions'][number], sets: ReadonlyMap<string, ColourSet>) {
    const columns = (place: string): readonly Column[] => this.#colours.get(place)!.columns;
    const folded = foldedTransition(t, columns, sets, this.#around);
    const outputs = t.outputs.map((arc) => new Output(arc, columns(arc.place), folded, this.#around));
    const bindings: number[] = [];
    const counted = { count: 0 };
    const problem = (slots: Float64Array, e: EvaluationFailure): void => {
      this.#omitted++;
      if (!this.#problems.has(t.name)) this.#problems.set(t.name, noValue(folded, slots, e));
    };
    const finder: Finder = {
      found: (slots) => {
        for (const value of slots) bindings.push(value);
        counted.count++;
        this.#bindings++;
        this.#count();
        try {
          for (const output of outputs) {
            const row = output.token(slots);
            if (row !== undefined && !this.#mark(output.arc.place, row))
              throw new EvaluationFailure(
                'RUN002',
                `(${[...row].join(', ')}) is not a colour of place ${output.arc.place}`,
              );
          }
        } catch (e) {
          if (!(e instanceof EvaluationFailure)) throw e;
          bindings.length -= slots.length;
          counted.count--;
          this.#bindings--;
          problem(slots, e);
        }
      },
      failed: problem,
      tried: () => {
        if (++this.#tries > TRIES * this.#limit + 1e6) this.#tooLong(t.name);
      },
    };
    const coloursOf = (arc: number): PossibleColours => this.#colours.get(folded.arcs[arc]!.arc.place)!;
    return { folded, bindings, counted, search: new UnfoldingSearch(folded, coloursOf, finder) };
  }

  #tooLong(transition: string): never {
    fail(
      'UNF003',
      `${this.#tries} tokens and values were tried, and ${this.#bindings} bindings found: the guard excludes most combinations only when complete. Relate the tokens by patterns or by equations in the guard, or raise the limit.`,
      { part: `transition ${transition}` },
    );
  }
}

/** The tokens of an output arc for a binding. */
export class Output {
  readonly arc: OutputArc;
  readonly #count: Evaluate;
  readonly #values: readonly Evaluate[];
  readonly #row: Float64Array;

  constructor(arc: OutputArc, columns: readonly Column[], folded: FoldedTransition, around: Surroundings) {
    this.arc = arc;
    this.#count = evaluator(arc.count, folded.slotOf, around);
    this.#values = columns.map((c) => evaluator(arc.values[c.name]!, folded.slotOf, around));
    this.#row = new Float64Array(columns.length);
  }

  /** The number of tokens. */
  count(slots: Float64Array): number {
    const count = this.#count(slots);
    if (!(Number.isInteger(count) && count >= 0 && count <= 1e6))
      throw new EvaluationFailure('RUN005', `a count of ${count} tokens for place ${this.arc.place}`);
    return count;
  }

  /** Colour of the tokens, in an array that later calls overwrite; undefined if the count is 0. */
  token(slots: Float64Array): Float64Array | undefined {
    if (this.count(slots) === 0) return undefined;
    this.#values.forEach((value, k) => {
      this.#row[k] = value(slots);
    });
    return this.#row;
  }
}

const ADVICE =
  '. A run would end with an error here, which a place/transition net cannot express: exclude this binding by the guard.';

const withoutAdvice = ({ message, place }: Problem): string =>
  `${place?.part ?? ''} ${message.endsWith(ADVICE) ? message.slice(0, -ADVICE.length) : message}`;

/** The problem of a binding with an expression that has no value. */
export function noValue(folded: FoldedTransition, slots: Float64Array, e: EvaluationFailure): Problem {
  const binding = folded.slots.map((s, k) => `${s.name} = ${slots[k]}`).join(', ');
  const given = binding === '' ? '' : `with ${binding}: `;
  return {
    code: 'UNF009',
    message: `${given}${e.message} (${e.code})${ADVICE}`,
    place: { part: `transition ${folded.transition.name}` },
  };
}
