import type { Closure } from './closure.ts';
import { type Condition, holdsIn, sumOf } from './condition.ts';
import type { PetriMoves, Tokens } from './petri-moves.ts';

/**
 * Adds an _up-set_ to a closure: transitions of which every path from a marking to one where the condition holds contains at
 * least one (Schmidt, Stubborn sets for standard properties, ICATPN 1999; Kristensen, Schmidt & Valmari, Question-guided
 * stubborn set methods for state properties, 2006). The condition must not hold in the marking. O(size of the condition ×
 * transitions).
 *
 * - sum that must grow: transitions that may increase it; that must shrink: transitions that may decrease it; resets may do both
 * - `and`: the up-set of one part that does not hold; `or`: the up-sets of all parts
 * - `dead`: the transitions that could disable one enabled transition; `alive`: none, because no path leaves a dead marking
 */
export class UpSet {
  readonly #moves: PetriMoves;
  readonly #closure: Closure;
  readonly #sizes = new WeakMap<Condition, number>();

  constructor(moves: PetriMoves, closure: Closure) {
    this.#moves = moves;
    this.#closure = closure;
  }

  put(condition: Condition, marking: Tokens, enabled: Int32Array, count: number): void {
    const left = [condition];
    for (let c = left.pop(); c !== undefined; c = left.pop())
      switch (c.op) {
        case 'sum':
          this.#sum(c, marking);
          break;
        case 'dead':
          this.#dead(enabled, count);
          break;
        case 'or':
          left.push(...c.of);
          break;
        case 'and':
          left.push(this.#cheapest(c.of, marking));
          break;
        case 'true':
          throw new Error('internal error: up-set of a condition that already holds');
        default:
      }
  }

  /** The smallest part that does not hold. */
  #cheapest(parts: readonly Condition[], marking: Tokens): Condition {
    let best: Condition | undefined;
    for (const part of parts) {
      if (holdsIn(part, marking, this.#moves)) continue;
      if (best === undefined || this.#size(part) < this.#size(best)) best = part;
    }
    return best!;
  }

  #size(condition: Condition): number {
    let size = this.#sizes.get(condition);
    if (size !== undefined) return size;
    size = 0;
    const left = [condition];
    for (let c = left.pop(); c !== undefined; c = left.pop()) {
      if (c.op === 'sum') size += c.sum.length;
      else if (c.op === 'dead') size += 4;
      else if ('of' in c) left.push(...c.of);
    }
    this.#sizes.set(condition, size);
    return size;
  }

  #sum({ sum, relation, than }: Condition & { op: 'sum' }, marking: Tokens): void {
    const value = sumOf(sum, marking);
    const grow = relation === '>' || relation === '>=' || (relation === '=' && value < than);
    const shrink = relation === '<' || relation === '<=' || (relation === '=' && value > than);
    const either = relation === '!=';
    for (const [p, n] of sum) {
      if (either || grow === n > 0) this.#closure.increasers(p);
      if (either || shrink === n > 0) this.#closure.decreasers(p);
    }
  }

  #dead(enabled: Int32Array, count: number): void {
    let best = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      const size = this.#closure.countDisablers(enabled[k]!);
      if (size >= fewest) continue;
      fewest = size;
      best = enabled[k]!;
    }
    if (best >= 0) this.#closure.disablers(best);
  }
}
