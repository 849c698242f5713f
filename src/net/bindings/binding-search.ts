import { EvaluationFailure } from '../evaluate.ts';
import type { FoldedTransition } from './folded-transition.ts';
import {
  type ArcStep,
  type Check,
  type Estimate,
  type FreeStep,
  SearchPlan,
  type SearchStep,
  type Source,
} from './search-plan.ts';

/**
 * Enumerates the bindings of a transition that match its patterns and guard. Subclasses supply the tokens: of a marking,
 * or the possible colours of places during unfolding. Iterative; O(tokens and values tried).
 */
export abstract class BindingSearch<Index> implements Estimate<Index> {
  readonly folded: FoldedTransition;
  /** Variable values of the current binding. */
  readonly slots: Float64Array;
  /** By arc: the number of the colour of its current token. */
  readonly colours: Int32Array;
  readonly #before: readonly Check[];
  /** By step: candidates if they are listed; cursor and end are positions in the list, else candidates or values. */
  readonly #lists: Int32Array[] = [];
  readonly #cursor: Float64Array;
  readonly #end: Float64Array;
  readonly #listed: Uint8Array;
  /** By step: the first evaluation failure so far; it counts only if no other check excludes the binding (S7). */
  readonly #failures: (EvaluationFailure | undefined)[];
  /** Reused rows by length. */
  readonly #rows: Float64Array[] = [];

  constructor(folded: FoldedTransition) {
    const steps = folded.arcs.length + folded.free.length;
    this.folded = folded;
    this.slots = new Float64Array(folded.slots.length);
    this.colours = new Int32Array(folded.arcs.length);
    this.#before = SearchPlan.before(folded);
    this.#cursor = new Float64Array(steps);
    this.#end = new Float64Array(steps);
    this.#listed = new Uint8Array(steps);
    this.#failures = new Array<EvaluationFailure | undefined>(steps + 1).fill(undefined);
  }

  abstract triesOf(step: ArcStep<Index>): number;
  abstract valuesOf(slot: number): number;
  /** Sets the candidates of an arc by {@link range} or {@link list}. */
  protected abstract enterArc(step: ArcStep<Index>, k: number): void;
  /** Number of the colour of a candidate; −1 to skip it. */
  protected abstract colourOf(step: ArcStep<Index>, candidate: number): number;
  protected abstract valueOf(arc: number, colour: number, column: number): number;
  /** Called with a complete binding for which a pattern or the guard has no value. */
  protected abstract failed(failure: EvaluationFailure): void;
  /** Called for each candidate and value tried. */
  protected tried(): void {}

  /** Calls `found` for every binding of a complete plan until it returns true; returns whether it did. */
  protected search({ steps }: SearchPlan<Index>, found: () => boolean): boolean {
    this.#failures[0] = undefined;
    if (!this.#passes(this.#before, 0)) return false;
    if (steps.length === 0) return this.#complete(0, found);
    let k = 0;
    this.#enter(steps[0]!, 0);
    while (k >= 0) {
      if (!this.#next(steps[k]!, k)) k--;
      else if (k + 1 < steps.length) {
        k++;
        this.#enter(steps[k]!, k);
      } else if (this.#complete(k + 1, found)) return true;
    }
    return false;
  }

  #complete(k: number, found: () => boolean): boolean {
    const failure = this.#failures[k];
    if (failure === undefined) return found();
    this.failed(failure);
    return false;
  }

  /** Sets the candidates of step `k` to `from` … `to` − 1. */
  protected range(k: number, from: number, to: number): void {
    this.#cursor[k] = from;
    this.#end[k] = to;
  }

  /** A list of at least `length` candidates for step `k`, to be filled; {@link range} then sets the positions used. */
  protected list(k: number, length: number): Int32Array {
    let list = this.#lists[k];
    if (list === undefined || list.length < length) {
      list = new Int32Array(2 * length);
      this.#lists[k] = list;
    }
    this.#listed[k] = 1;
    return list;
  }

  #enter(step: SearchStep<Index>, k: number): void {
    this.#listed[k] = 0;
    if ('arc' in step) this.enterArc(step, k);
    else this.#enterFree(step, k);
  }

  #enterFree({ low, high, value }: FreeStep, k: number): void {
    this.range(k, low, high + 1);
    if (value === undefined) return;
    try {
      const only = value(this.slots);
      const inside = Number.isInteger(only) && only >= low && only <= high;
      this.range(k, inside ? only : 0, inside ? only + 1 : 0);
    } catch (e) {
      // The guard check meets the same failure again and decides whether it counts.
      if (!(e instanceof EvaluationFailure)) throw e;
    }
  }

  /** Advances this step to the next matching token or value; false if none is left. */
  #next(step: SearchStep<Index>, k: number): boolean {
    while (this.#cursor[k]! < this.#end[k]!) {
      const at = this.#cursor[k]!++;
      this.tried();
      if ('arc' in step) {
        const candidate = this.#listed[k] === 1 ? this.#lists[k]![at]! : at;
        if (!this.#fits(step, candidate)) continue;
      } else this.slots[step.slot] = at;
      this.#failures[k + 1] = this.#failures[k];
      if (this.#passes(step.checks, k + 1)) return true;
    }
    return false;
  }

  #fits(step: ArcStep<Index>, candidate: number): boolean {
    const colour = this.colourOf(step, candidate);
    if (colour < 0) return false;
    const { arc, slots } = step;
    for (let k = 0; k < slots.length; k++) {
      const { column, slot, bound } = slots[k]!;
      const value = this.valueOf(arc, colour, column);
      if (!bound) this.slots[slot] = value;
      else if (this.slots[slot] !== value) return false;
    }
    this.colours[arc] = colour;
    return true;
  }

  /** A failure counts only if nothing excludes the binding (S7), so it is kept until the binding is complete. */
  #passes(checks: readonly Check[], k: number): boolean {
    for (let c = 0; c < checks.length; c++) {
      const { evaluate, column } = checks[c]!;
      try {
        const value = evaluate(this.slots);
        if (column === undefined ? value === 0 : value !== this.#column(column.arc, column.column)) return false;
      } catch (e) {
        if (!(e instanceof EvaluationFailure)) throw e;
        this.#failures[k] ??= e;
      }
    }
    return true;
  }

  #column(arc: number, column: number): number {
    return this.valueOf(arc, this.colours[arc]!, column);
  }

  /** Evaluates the sources into a reused row; undefined if one has no value. */
  protected row(length: number, sourceOf: (k: number) => Source): Float64Array | undefined {
    let row = this.#rows[length];
    if (row === undefined) {
      row = new Float64Array(length);
      this.#rows[length] = row;
    }
    try {
      for (let k = 0; k < length; k++) {
        const source = sourceOf(k);
        row[k] = 'evaluate' in source ? source.evaluate(this.slots) : this.#column(source.arc, source.column);
      }
      return row;
    } catch (e) {
      // A check meets the same failure again and decides whether it counts.
      if (e instanceof EvaluationFailure) return undefined;
      throw e;
    }
  }
}
