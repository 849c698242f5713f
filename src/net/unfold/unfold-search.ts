import { BindingSearch } from '../bindings/binding-search.ts';
import type { Computed, FoldedTransition } from '../bindings/folded-transition.ts';
import { type ArcStep, type KeyPart, SearchPlan } from '../bindings/search-plan.ts';
import { colourBounds } from '../colour.ts';
import { EvaluationFailure } from '../evaluate.ts';
import { type ColourIndex, type Key, keyOf, type PossibleColours } from './unfold-colours.ts';

/** Callbacks of a search. `slots` is reused for the next binding. */
export interface Finder {
  found(slots: Float64Array): void;
  /** A binding with a pattern or guard that has no value, and that no other conjunct of the guard excludes. */
  failed(slots: Float64Array, failure: EvaluationFailure): void;
  /** Called for every token and value tried. */
  tried(): void;
}

/** Creates the index of a step when it is first needed, since an index is updated with every new colour. */
type LateIndex = () => ColourIndex;

/**
 * Finds the bindings of one transition over the known possible colours. It is called for every token that becomes known
 * and finds each binding once: with its newest token, at the first arc that has this token (semi-naive evaluation:
 * Bancilhon & Ramakrishnan, SIGMOD 1986). Candidates are numbers of colours.
 */
export class UnfoldingSearch extends BindingSearch<LateIndex> {
  readonly #places: readonly PossibleColours[];
  readonly #finder: Finder;
  readonly #sizes: readonly number[];
  /** Complete plans by their first arc. */
  readonly #plans = new Map<number | undefined, SearchPlan<LateIndex>>();
  readonly #expressions = new Map<Computed, number>();
  /** The arc with the given token, and that token. */
  #first: number | undefined;
  #given = -1;

  constructor(folded: FoldedTransition, coloursOf: (arc: number) => PossibleColours, finder: Finder) {
    super(folded);
    this.#places = folded.arcs.map((_, arc) => coloursOf(arc));
    this.#finder = finder;
    this.#sizes = folded.slots.map(({ colour }) => sizeOf(colour));
  }

  /**
   * Finds all bindings in which the arc has this token, which must be the newest. Call without an arc for a transition
   * without binding arcs.
   */
  run(arc?: number, token = -1): void {
    let plan = this.#plans.get(arc);
    if (plan === undefined) {
      const root = SearchPlan.root<LateIndex>({
        folded: this.folded,
        arcs: [...this.folded.arcs.keys()],
        indexOf: (of, parts) => this.#indexBy(of, parts),
        maxPlans: Number.POSITIVE_INFINITY,
      });
      plan = (arc === undefined ? root : root.after(arc)).complete(this);
      this.#plans.set(arc, plan);
    }
    this.#first = arc;
    this.#given = token;
    this.search(plan, () => {
      this.#finder.found(this.slots);
      return false;
    });
  }

  /** By colour-set sizes: each part of the key fixes a column or one of its slots. */
  triesOf({ arc, parts, slots }: ArcStep<LateIndex>): number {
    const columns = new Set<number>();
    const fixed = new Set<number>(slots.filter(({ bound }) => bound).map(({ slot }) => slot));
    for (const { own } of parts) {
      if (typeof own === 'number') columns.add(own);
      else {
        const open = own.uses.find((slot) => !fixed.has(slot));
        if (open !== undefined) fixed.add(open);
      }
    }
    return this.folded.arcs[arc]!.terms.reduce((product, term, column) => {
      if (columns.has(column)) return product;
      if (!('slot' in term)) return product * sizeOf(this.#places[arc]!.columns[column]!.colour);
      return fixed.has(term.slot) ? product : product * this.#sizes[term.slot]!;
    }, 1);
  }

  valuesOf(slot: number): number {
    return this.#sizes[slot]!;
  }

  protected enterArc({ arc, exact, index, parts }: ArcStep<LateIndex>, k: number): void {
    const colours = this.#places[arc]!;
    if (arc === this.#first) {
      this.range(k, this.#given, this.#given + 1);
      return;
    }
    this.range(k, 0, colours.known);
    if (exact !== undefined) {
      const row = this.row(exact.length, (n) => exact[n]!);
      if (row === undefined) return;
      const token = colours.find(row);
      this.range(k, token ?? 0, token === undefined ? 0 : token + 1);
    } else if (index !== undefined) {
      const row = this.row(parts.length, (n) => parts[n]!.source);
      if (row === undefined) return;
      const { buckets, others } = index();
      const bucket = buckets.get(keyOf(row)) ?? [];
      const list = this.list(k, bucket.length + others.length);
      list.set(bucket);
      list.set(others, bucket.length);
      this.range(k, 0, bucket.length + others.length);
    }
  }

  /** An arc before the given one must not have the given token: that binding is found from the earlier arc. */
  protected colourOf({ arc }: ArcStep<LateIndex>, token: number): number {
    const first = this.#first!;
    return token === this.#given && arc < first && this.#places[arc] === this.#places[first] ? -1 : token;
  }

  protected valueOf(arc: number, token: number, column: number): number {
    return this.#places[arc]!.value(token, column);
  }

  protected failed(failure: EvaluationFailure): void {
    this.#finder.failed(this.slots, failure);
  }

  protected override tried(): void {
    this.#finder.tried();
  }

  /** An index of the arc's tokens. A token whose key cannot be evaluated is returned by every lookup. */
  #indexBy(arc: number, parts: readonly KeyPart[]): LateIndex {
    const colours = this.#places[arc]!;
    const columns = parts.flatMap(({ own }) => (typeof own === 'number' ? [own] : []));
    if (columns.length === parts.length) return () => colours.indexByColumns(columns);
    const slots = new Float64Array(this.folded.slots.length);
    const { terms } = this.folded.arcs[arc]!;
    const key = (number: number): Key | undefined => {
      terms.forEach((term, column) => {
        if ('slot' in term) slots[term.slot] = colours.value(number, column);
      });
      try {
        return keyOf(
          parts.map(({ own }) => (typeof own === 'number' ? colours.value(number, own) : own.evaluate(slots))),
        );
      } catch (e) {
        if (e instanceof EvaluationFailure) return undefined;
        throw e;
      }
    };
    const names = parts.map(({ own }) => (typeof own === 'number' ? `c${own}` : `e${this.#numberOf(own)}`));
    const name = `${arc} ${names.join()} ${this.folded.transition.name}`;
    return () => colours.index(name, key);
  }

  #numberOf(expression: Computed): number {
    const number = this.#expressions.get(expression) ?? this.#expressions.size;
    this.#expressions.set(expression, number);
    return number;
  }
}

function sizeOf(colour: FoldedTransition['slots'][number]['colour']): number {
  const { low, high } = colourBounds(colour);
  return high - low + 1;
}
