import type { MarkovChain } from '../markov/chain.ts';
import { ROUNDING } from '../markov/elimination.ts';
import type { BoundedMean } from '../markov/mean-bounds.ts';
import { type PoissonWeights, poissonWeights, Uniformised } from '../markov/uniformisation.ts';

/** Absolute loss by underflow. */
const UNDERFLOW = 1e-300;

/** Below this number of expected jumps, the distribution stays the initial one in every digit. */
const NO_JUMP = 1e-100;
/** Number of Poisson weights if at most one jump is expected: all further ones together are below rounding. */
const FEW = 25;

/** Poisson weights for a mean of at most 1, each exact to rounding, also where the next ones are smaller by orders. */
function fewJumps(mean: number): PoissonWeights {
  const weights = new Float64Array(FEW);
  weights[0] = Math.exp(-mean);
  for (let k = 1; k < FEW; k++) weights[k] = (weights[k - 1]! * mean) / k;
  return { first: 0, weights, error: (3 * FEW + 10) * ROUNDING, rest: (2 * weights[FEW - 1]! * mean) / FEW };
}

/**
 * The expected time in each state until a time t: Σₖ P(N > k) / Λ · π(0)Pᵏ, N being the number of jumps until t. All terms are positive, so
 * that their errors add up (src/analysis/markov/README.md).
 */
export class ExpectedTimes {
  readonly #seconds: Float64Array;
  readonly #error: number;
  /** Seconds in all states together that may be missing. */
  readonly #rest: number;

  private constructor(seconds: Float64Array, error: number, rest: number) {
    this.#seconds = seconds;
    this.#error = error;
    this.#rest = rest;
  }

  /**
   * Undefined if `stop` ended the work. O(rates × (largest rate × t)).
   *
   * @param t in seconds
   */
  static until(chain: MarkovChain, t: number, stop: () => boolean): ExpectedTimes | undefined {
    const jumping = new Uniformised(chain);
    const { rate } = jumping;
    const seconds = new Float64Array(chain.states);
    if (rate * t < NO_JUMP) {
      for (const [s, p] of chain.initial.to) seconds[s] = t * p;
      return new ExpectedTimes(seconds, chain.initial.error + ROUNDING + 2 * rate * t, 2 * rate * t * t);
    }
    const { first, weights, error, rest } = rate * t > 1 ? poissonWeights(rate * t) : fewJumps(rate * t);
    const most = first + weights.length;
    const later = new Float64Array(weights.length);
    for (let k = weights.length - 2; k >= 0; k--) later[k] = later[k + 1]! + weights[k + 1]!;
    for (let k = 0; k < most; k++) {
      if (k > 0) {
        if (stop()) return undefined;
        jumping.jump();
      }
      // Before the first weight, the probability of more jumps is 1, up to the rest.
      const weight = (k < first ? 1 : later[k - first]!) / rate;
      const { probability } = jumping;
      for (let s = 0; s < seconds.length; s++) seconds[s]! += weight * probability[s]!;
    }
    // The rest may be missing in each P(N > k), and beyond the last k, where P falls faster than a geometric series.
    const missing = (rest * (weights.length + most / (most - rate * t))) / rate;
    const off = error + jumping.error + 1.1 * rest + (most + weights.length + 4) * ROUNDING;
    return new ExpectedTimes(seconds, off, 1.01 * missing + UNDERFLOW);
  }

  /**
   * The expected gain until the time.
   *
   * @param gain by state: the gain per second, at least 0
   * @param gainError bound on the logarithm of the ratio of each gain and its exact value
   */
  gain(gain: Float64Array, gainError: number): BoundedMean {
    let [mean, most] = [0, 0];
    for (let s = 0; s < gain.length; s++) {
      mean += this.#seconds[s]! * gain[s]!;
      most = Math.max(most, gain[s]!);
    }
    const off = 1.1 * (this.#error + gainError + (gain.length + 2) * ROUNDING);
    if (!(off < 0.1)) return { mean, lower: 0, upper: Number.POSITIVE_INFINITY };
    const upper = mean * (1 + off) + this.#rest * most * (1 + off);
    return { mean, lower: Math.max(0, mean * (1 - off) - this.#rest * most), upper };
  }
}
