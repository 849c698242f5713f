import { EvaluationFailure } from '../evaluate.ts';
import { type Key, keyOf, type PossibleColours } from './unfold-colours.ts';
import { type ArcStep, type Check, type FreeStep, type Plan, planOf, type Source } from './unfold-plan.ts';
import type { FoldedTransition } from './unfold-transition.ts';

/** Callbacks of a search. `slots` is reused for the next binding. */
export interface Finder {
  found(slots: Float64Array): void;
  /** A binding with a pattern or guard that has no value, and that no other conjunct of the guard excludes. */
  failed(slots: Float64Array, failure: EvaluationFailure): void;
  /** Called for every token and value tried. */
  tried(): void;
}

/**
 * Finds the bindings of one transition over the known possible colours, arc by arc through indexes. It is called for
 * every token that becomes known and finds each binding once: with its newest token, at the first arc that has this
 * token (semi-naive evaluation: Bancilhon & Ramakrishnan, SIGMOD 1986).
 */
export class BindingSearch {
  readonly #folded: FoldedTransition;
  readonly #coloursOf: (arc: number) => PossibleColours;
  readonly #finder: Finder;
  readonly #slots: Float64Array;
  readonly #tokens: Int32Array;
  readonly #plans = new Map<number | undefined, Plan>();
  #plan: Plan = { before: [], steps: [] };
  /** The arc with the given token, and that token. */
  #first: number | undefined;
  #given = -1;
  #failure: EvaluationFailure | undefined;

  constructor(folded: FoldedTransition, coloursOf: (arc: number) => PossibleColours, finder: Finder) {
    this.#folded = folded;
    this.#coloursOf = coloursOf;
    this.#finder = finder;
    this.#slots = new Float64Array(folded.slots.length);
    this.#tokens = new Int32Array(folded.arcs.length);
  }

  /**
   * Finds all bindings in which the arc has this token, which must be the newest. Call without an arc for a transition
   * without binding arcs.
   */
  run(arc?: number, token = -1): void {
    let plan = this.#plans.get(arc);
    if (plan === undefined) {
      plan = planOf(this.#folded, this.#coloursOf, arc);
      this.#plans.set(arc, plan);
    }
    this.#plan = plan;
    this.#first = arc;
    this.#given = token;
    this.#failure = undefined;
    if (this.#passes(plan.before)) this.#extend(0);
  }

  #extend(k: number): void {
    const step = this.#plan.steps[k];
    if (step === undefined) {
      if (this.#failure === undefined) this.#finder.found(this.#slots);
      else this.#finder.failed(this.#slots, this.#failure);
    } else if ('arc' in step) this.#extendByArc(step, k);
    else this.#extendByValue(step, k);
  }

  #extendByArc(step: ArcStep, k: number): void {
    const colours = this.#coloursOf(step.arc);
    if (step.arc === this.#first) {
      this.#try(step, k, this.#given);
      return;
    }
    // An arc before the given one must not have the given token: that binding is found from the earlier arc.
    const except = step.arc < this.#first! && colours === this.#coloursOf(this.#first!) ? this.#given : -1;
    const { index } = step;
    const key = index === undefined ? undefined : this.#keyOf(step);
    if (index === undefined || key === undefined) {
      for (let token = 0; token < colours.known; token++) if (token !== except) this.#try(step, k, token);
      return;
    }
    for (const token of index.buckets.get(key) ?? []) if (token !== except) this.#try(step, k, token);
    for (const token of index.others) if (token !== except) this.#try(step, k, token);
  }

  /** The required key of the arc's tokens; undefined if it has no value. */
  #keyOf(step: ArcStep): Key | undefined {
    try {
      return keyOf(step.key.map((source) => this.#value(source)));
    } catch (e) {
      // A later check meets the same failure and decides whether it matters.
      if (e instanceof EvaluationFailure) return undefined;
      throw e;
    }
  }

  #value(source: Source): number {
    if ('evaluate' in source) return source.evaluate(this.#slots);
    return this.#coloursOf(source.arc).value(this.#tokens[source.arc]!, source.column);
  }

  #try(step: ArcStep, k: number, token: number): void {
    this.#finder.tried();
    const colours = this.#coloursOf(step.arc);
    for (const { column, slot, bound } of step.slots) {
      const value = colours.value(token, column);
      if (!bound) this.#slots[slot] = value;
      else if (this.#slots[slot] !== value) return;
    }
    this.#tokens[step.arc] = token;
    this.#goOn(step.checks, k);
  }

  #extendByValue(step: FreeStep, k: number): void {
    let { low, high } = step;
    if (step.value !== undefined) {
      try {
        const value = step.value(this.#slots);
        if (!(Number.isInteger(value) && value >= low && value <= high)) return;
        low = high = value;
      } catch (e) {
        if (!(e instanceof EvaluationFailure)) throw e;
      }
    }
    for (let value = low; value <= high; value++) {
      this.#finder.tried();
      this.#slots[step.slot] = value;
      this.#goOn(step.checks, k);
    }
  }

  /** A failure counts only if nothing excludes the binding (S7), so it is kept until the binding is complete. */
  #goOn(checks: readonly Check[], k: number): void {
    const before = this.#failure;
    if (this.#passes(checks)) this.#extend(k + 1);
    this.#failure = before;
  }

  #passes(checks: readonly Check[]): boolean {
    for (const { evaluate, column } of checks) {
      try {
        const value = evaluate(this.#slots);
        if (column === undefined) {
          if (value === 0) return false;
        } else if (value !== this.#value(column)) return false;
      } catch (e) {
        if (!(e instanceof EvaluationFailure)) throw e;
        this.#failure ??= e;
      }
    }
    return true;
  }
}
