import { type Expression, variablesOf, withOperands } from '../expression.ts';
import type { TokenCount } from '../net.ts';
import { constant } from './unfold-place.ts';

/** The counts of an unfolded transition: by count of the transition, the new ones that add up to it. */
export class UnfoldedCounts {
  readonly all: TokenCount[] = [];
  readonly #parts = new Map<string, readonly string[]>();

  /** Replaces a count by one for each of these places. */
  add(name: string, places: readonly string[]): void {
    const parts = places.map((place, k) => {
      const own = { name: this.#unique(k === 0 ? name : `${name}.${k + 1}`), place, pattern: {} };
      this.all.push(own);
      return own.name;
    });
    this.#parts.set(name, parts);
  }

  /** The expression over the new counts; `value` evaluates what depends on the binding alone. */
  term(e: Expression, value: (e: Expression) => number): Expression {
    if (![...variablesOf(e)].some((v) => this.#parts.has(v))) return constant(value(e));
    if (e.op !== 'var') return withOperands(e, (x) => this.term(x, value));
    const parts = this.#parts.get(e.name)!.map((name): Expression => ({ op: 'var', name }));
    return parts.length === 0 ? constant(0) : parts.reduce((a, b) => ({ op: 'add', a, b }));
  }

  #unique(name: string): string {
    return this.all.some((c) => c.name === name) ? this.#unique(`${name}'`) : name;
  }
}
