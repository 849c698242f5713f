import { fail } from '../../base/problem.ts';
import type { MarkovChain } from './chain.ts';
import { ROUNDING } from './elimination.ts';
import type { BoundedMean } from './mean-bounds.ts';
import { rateAt } from './rows.ts';

/** The rate of the jumps exceeds all rates of the chain by this factor, so that staying has a positive probability everywhere. */
const ABOVE = 1.1;
/** Bound on the error of the probability to stay over that of the rates: q / (Λ − q) for q ≤ Λ / 1.1, rounded up. */
const STAYING = 11;
/** Absolute loss by underflow in all sums. */
const UNDERFLOW = 1e-300;
const MAX_JUMPS = 1e9;
/** Share of the Poisson distribution that may be left out. */
const LEFT_OUT = 1e-17;

/** Poisson probabilities of `first`, `first` + 1, …, with a bound on the logarithm of their errors, and on the rest. */
export interface PoissonWeights {
  readonly first: number;
  readonly weights: Float64Array;
  readonly error: number;
  /** Probability of all other numbers, at most. */
  readonly rest: number;
}

/**
 * Poisson probabilities by the recursion from the mode (Fox & Glynn 1988), with bounds: every step multiplies and divides, the
 * rest is below a geometric series. O(√mean).
 */
export function poissonWeights(mean: number): PoissonWeights {
  if (mean === 0) return { first: 0, weights: Float64Array.of(1), error: 0, rest: 0 };
  const mode = Math.floor(mean);
  const up = [1];
  let sum = 1;
  let rest = 0;
  for (let k = mode + 1, weight = 1; ; k++) {
    const ratio = mean / k;
    weight *= ratio;
    if (ratio < 1) {
      rest = weight / (1 - ratio);
      if (rest < LEFT_OUT * sum) break;
    }
    up.push(weight);
    sum += weight;
  }
  const down: number[] = [];
  for (let k = mode, weight = 1; k > 0; k--) {
    const ratio = k / mean;
    weight *= ratio;
    const below = ratio < 1 ? weight / (1 - ratio) : Number.POSITIVE_INFINITY;
    if (below < LEFT_OUT * sum) {
      rest += below;
      break;
    }
    down.push(weight);
    sum += weight;
  }
  const weights = Float64Array.from([...down.reverse(), ...up], (weight) => weight / sum);
  const share = (1.001 * rest) / sum;
  // Ratios with two roundings each, the rounding of the mean itself once a step, the sum.
  return {
    first: mode - down.length,
    weights,
    error: (5 * weights.length + 10) * ROUNDING + 1.001 * share,
    rest: share,
  };
}

/**
 * A chain at the jumps of a Poisson process whose rate Λ exceeds all its rates (Jensen 1953): P = I + Q / Λ has no negative
 * entries, so that no digits cancel.
 */
export class Uniformised {
  /** Λ, jumps per second. */
  readonly rate: number;
  /** By state: probability after the jumps so far. */
  probability: Float64Array;
  /** Jumps so far. */
  jumps = 0;
  /** Bound on the logarithm of the ratio of each computed probability and its exact one. */
  error: number;
  readonly #chain: MarkovChain;
  readonly #stay: Float64Array;
  readonly #perJump: number;
  #next: Float64Array;

  constructor(chain: MarkovChain) {
    const { states, start, target, rates, initial } = chain;
    this.#chain = chain;
    const exit = new Float64Array(states);
    const incoming = new Uint32Array(states);
    let [most, widest] = [0, 0];
    for (let s = 0; s < states; s++) {
      for (let e = start[s]!; e < start[s + 1]!; e++) {
        exit[s]! += rateAt(rates, e);
        incoming[target[e]!]!++;
      }
      most = Math.max(most, exit[s]!);
      widest = Math.max(widest, start[s + 1]! - start[s]!);
    }
    this.rate = ABOVE * most;
    this.#stay = exit.map((q) => (this.rate - q) / this.rate);
    // A product and its factor, then as many sums as there are ways into a state.
    const staying = STAYING * (chain.error + widest * ROUNDING) + 3 * ROUNDING;
    const moving = chain.error + 3 * ROUNDING;
    const sums = incoming.reduce((a, b) => Math.max(a, b), 0) + 1;
    this.#perJump = Math.max(staying, moving) + sums * ROUNDING;
    this.probability = new Float64Array(states);
    for (const [s, p] of initial.to) this.probability[s] = p;
    this.error = initial.error;
    this.#next = new Float64Array(states);
  }

  /** One jump. O(rates). */
  jump(): void {
    const { states, start, target, rates } = this.#chain;
    const [from, to] = [this.probability, this.#next];
    for (let s = 0; s < states; s++) to[s] = from[s]! * this.#stay[s]!;
    for (let s = 0; s < states; s++) {
      const p = from[s]! / this.rate;
      if (p > 0) for (let e = start[s]!, end = start[s + 1]!; e < end; e++) to[target[e]!]! += p * rateAt(rates, e);
    }
    [this.probability, this.#next] = [to, from];
    this.jumps++;
    this.error += this.#perJump;
  }
}

/** The distribution of a chain at one time. */
export class TransientDistribution {
  readonly #probability: Float64Array;
  readonly #error: number;
  readonly #rest: number;

  private constructor(probability: Float64Array, error: number, rest: number) {
    this.#probability = probability;
    this.#error = error;
    this.#rest = rest;
  }

  /**
   * Undefined if `stop` ended the work. O(rates × (largest rate × seconds)).
   *
   * @throws InputError CTMC007 for more than 10⁹ jumps
   */
  static at(chain: MarkovChain, seconds: number, stop: () => boolean = () => false): TransientDistribution | undefined {
    const jumping = new Uniformised(chain);
    const jumps = jumping.rate * seconds;
    if (!(jumps <= MAX_JUMPS)) {
      const message = `at ${seconds} s: ${jumps.toPrecision(3)} jumps of the chain, at most ${MAX_JUMPS} can be followed. Ask for the long run`;
      fail('CTMC007', message);
    }
    const { first, weights, error, rest } = poissonWeights(jumps);
    const sum = new Float64Array(chain.states);
    for (let k = 0; k < first + weights.length; k++) {
      if (k > 0) {
        if (stop()) return undefined;
        jumping.jump();
      }
      if (k >= first) {
        const weight = weights[k - first]!;
        jumping.probability.forEach((p, s) => {
          sum[s]! += weight * p;
        });
      }
    }
    return new TransientDistribution(sum, error + jumping.error + (weights.length + 2) * ROUNDING, rest);
  }

  /** Mean of a reward of the states, at least 0. */
  mean(reward: Float64Array, rewardError = 0): BoundedMean {
    let [mean, most, least] = [0, 0, Number.POSITIVE_INFINITY];
    for (let s = 0; s < reward.length; s++) {
      mean += this.#probability[s]! * reward[s]!;
      most = Math.max(most, reward[s]!);
      least = Math.min(least, reward[s]!);
    }
    const off = this.#error + rewardError + (reward.length + 2) * ROUNDING;
    if (!(off < 0.1)) return { mean, lower: 0, upper: Math.max(mean, most * (1 + rewardError)) };
    const lower = Math.max(0, mean * (1 - 1.1 * off) - UNDERFLOW * most);
    const upper = mean * (1 + 1.1 * off) + (this.#rest + UNDERFLOW) * most * (1 + 2 * rewardError);
    if (rewardError > 0) return { mean, lower, upper };
    const bounds = { lower: Math.max(lower, least), upper: Math.min(upper, most) };
    return { mean: Math.min(Math.max(mean, bounds.lower), bounds.upper), ...bounds };
  }
}
