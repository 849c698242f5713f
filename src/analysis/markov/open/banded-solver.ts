import type { MarkovChain } from '../chain.ts';
import { rateAt } from '../rows.ts';

/** Maximum numbers of multiplications of a factorisation, and of its entries. */
const MAX_WORK = 2e9;
const MAX_NUMBERS = 3e7;

/** A mean, and h with Qh = mean − r. Neither carries a guarantee. */
interface Solution {
  readonly mean: number;
  readonly h: Float64Array;
}

/**
 * Solves Qh = g − r directly, by factors of −Q in a band around its diagonal: chains of queues lead to few more or fewer tokens, and sweeps
 * over long ones converge slowly. One state, to which all others lead, has h = 0; its row decides g.
 */
export class BandedSolver {
  readonly #chain: MarkovChain;
  readonly #exit: Float64Array;
  readonly #width: number;
  readonly #zero: number;
  /** By position in the band: the state; by state: its position. */
  readonly #order: Int32Array;
  readonly #at: Int32Array;
  /** Row i has the columns i − width … i + width. */
  readonly #factors: Float64Array;
  readonly #ones: Float64Array;

  /**
   * Undefined if the band is too wide.
   *
   * @param tokens by state: states with similar numbers are neighbours
   * @param zero a state to which all others lead
   */
  static of(chain: MarkovChain, exit: Float64Array, tokens: Float64Array, zero: number): BandedSolver | undefined {
    const order = Int32Array.from(tokens.keys()).sort((a, b) => tokens[a]! - tokens[b]! || a - b);
    const at = new Int32Array(chain.states);
    order.forEach((s, i) => {
      at[s] = i;
    });
    let width = 0;
    for (let s = 0; s < chain.states; s++)
      for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++)
        width = Math.max(width, Math.abs(at[s]! - at[chain.target[e]!]!));
    const numbers = chain.states * (2 * width + 1);
    if (numbers > MAX_NUMBERS || chain.states * width * width > MAX_WORK) return undefined;
    return new BandedSolver(chain, exit, { order, at, width, zero });
  }

  private constructor(
    chain: MarkovChain,
    exit: Float64Array,
    { order, at, width, zero }: { order: Int32Array; at: Int32Array; width: number; zero: number },
  ) {
    this.#chain = chain;
    this.#exit = exit;
    this.#order = order;
    this.#at = at;
    this.#width = width;
    this.#zero = zero;
    const row = 2 * width + 1;
    const a = new Float64Array(chain.states * row);
    for (let s = 0; s < chain.states; s++) {
      const middle = at[s]! * row + width;
      a[middle] = s === zero ? 1 : exit[s]!;
      if (s === zero) continue;
      for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++)
        if (chain.target[e] !== zero) a[middle + at[chain.target[e]!]! - at[s]!]! -= rateAt(chain.rates, e);
    }
    // An M-matrix needs no pivots.
    for (let k = 0; k < chain.states; k++) {
      const last = Math.min(chain.states - 1, k + width);
      const pivot = k * row + width;
      for (let i = k + 1; i <= last; i++) {
        const own = i * row + width + k - i;
        if (a[own] === 0) continue;
        a[own]! /= a[pivot]!;
        for (let j = 1; j <= last - k; j++) a[own + j]! -= a[own]! * a[pivot + j]!;
      }
    }
    this.#factors = a;
    this.#ones = this.#solved(new Float64Array(chain.states).fill(1));
  }

  solution(reward: Float64Array): Solution {
    const x = this.#solved(reward);
    const mean = Math.max(0, (reward[this.#zero]! + this.#flow(x)) / (1 + this.#flow(this.#ones)));
    return { mean, h: x.map((value, s) => value - mean * this.#ones[s]!) };
  }

  /** (Qx) of the state with x = 0. */
  #flow(x: Float64Array): number {
    const { start, target, rates } = this.#chain;
    let sum = -this.#exit[this.#zero]! * x[this.#zero]!;
    for (let e = start[this.#zero]!; e < start[this.#zero + 1]!; e++) sum += rateAt(rates, e) * x[target[e]!]!;
    return sum;
  }

  #solved(right: Float64Array): Float64Array {
    const n = right.length;
    const width = this.#width;
    const row = 2 * width + 1;
    const a = this.#factors;
    const y = Float64Array.from(this.#order, (s) => (s === this.#zero ? 0 : right[s]!));
    for (let i = 0; i < n; i++)
      for (let k = Math.max(0, i - width); k < i; k++) y[i]! -= a[i * row + width + k - i]! * y[k]!;
    for (let i = n - 1; i >= 0; i--) {
      for (let k = Math.min(n - 1, i + width); k > i; k--) y[i]! -= a[i * row + width + k - i]! * y[k]!;
      y[i]! /= a[i * row + width]!;
    }
    return Float64Array.from(this.#at, (i) => y[i]!);
  }
}
