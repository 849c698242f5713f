import { expectedGain } from '../first-passage/expected-gain.ts';
import { stoppedIn } from '../first-passage/reaching.ts';
import { graphOf, type MarkovChain, type NetChain } from '../markov/chain.ts';
import { ROUNDING } from '../markov/elimination.ts';
import type { BoundedMean, Reward } from '../markov/mean-bounds.ts';
import { rateAt } from '../markov/rows.ts';
import type { SteadyState } from '../markov/steady-state.ts';
import { components } from '../petri/components.ts';

/** A rate of the net by which figures are differentiated. */
interface VariedRate {
  /** Index of a timed transition. */
  readonly transition: number;
  /** Firings per second of one clock. */
  readonly rate: number;
}

/** A figure of the net: the mean of a reward. */
export interface Sensitive extends Reward {
  /** Transitions whose firings it counts; none if it is a function of the marking. */
  readonly counts: readonly number[];
}

/**
 * Derivatives of long-run means by rates: d(πr)/dλ = π (dr/dλ + (dQ/dλ) h), with Qh = πr − r. Both dr/dλ and dQ/dλ are the parts of r and Q
 * that the transition contributes, over its rate. Proof of the intervals: README.md.
 */
export class Derivatives {
  readonly #chain: NetChain;
  readonly #state: SteadyState;
  readonly #stop: () => boolean;
  /** The chain that stops in one state, and the expected times until then. */
  readonly #until: { readonly chain: MarkovChain; readonly times: Float64Array; readonly longest: number };

  /**
   * Undefined if the chain can end in several sets of states: then h does not exist.
   *
   * @param chain made with `last`, so that it keeps its steps
   */
  static of(chain: NetChain, state: SteadyState, stop: () => boolean): Derivatives | undefined {
    return state.components.length === 1 ? new Derivatives(chain, state, stop) : undefined;
  }

  private constructor(chain: NetChain, state: SteadyState, stop: () => boolean) {
    this.#chain = chain;
    this.#state = state;
    this.#stop = stop;
    const keeps = new Uint8Array(chain.states).fill(1);
    keeps[state.components[0]!.states[0]!] = 0;
    const until = stoppedIn(chain, keeps);
    const { of, error } = this.#gain(until, new Float64Array(chain.states).fill(1));
    const most = of.reduce((a, b) => Math.max(a, b), 0);
    this.#until = {
      chain: until,
      times: of,
      longest: error < 0.1 ? most * (1 + 1.1 * error) : Number.POSITIVE_INFINITY,
    };
  }

  #gain(until: MarkovChain, gain: Float64Array) {
    return expectedGain(until, components(graphOf(until)), gain, 0, this.#stop);
  }

  /**
   * The derivatives of one figure by several rates, with proved intervals; in the unit of the figure times seconds.
   *
   * @param mean of the figure
   */
  of(figure: Sensitive, mean: BoundedMean, rates: readonly VariedRate[]): BoundedMean[] {
    const { chain, times, longest } = this.#until;
    const gained = this.#gain(chain, figure.reward);
    const h = gained.of.map((r, s) => r - mean.mean * times[s]!);
    const errorRange = 2 * longest * this.#residualWidth(figure, h);
    return rates.map((rate) => this.#by(rate, figure, h, errorRange));
  }

  /** The width of r + Qh over all states, widened by rounding and the errors of rates. The error of h is at most this width times a time. */
  #residualWidth({ reward, isExact }: Reward, h: Float64Array): number {
    const { states, start, target, rates, error } = this.#chain;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let s = 0; s < states; s++) {
      const [from, end] = [start[s]!, start[s + 1]!];
      let [sum, size] = [reward[s]!, isExact ? 0 : 2 * Math.abs(reward[s]!)];
      for (let e = from; e < end; e++) {
        const term = rateAt(rates, e) * (h[target[e]!]! - h[s]!);
        sum += term;
        size += Math.abs(term);
      }
      const off = 2 * error * size + (end - from + 8) * ROUNDING * (size + Math.abs(reward[s]!));
      low = Math.min(low, sum - off);
      high = Math.max(high, sum + off);
    }
    return high - low;
  }

  /** @param errorRange maximum difference of two entries of the error of h */
  #by({ transition, rate }: VariedRate, { counts }: Sensitive, h: Float64Array, errorRange: number): BoundedMean {
    const { states, error, start } = this.#chain;
    const part = this.#chain.part(transition);
    const { sum, size } = part.drift(h);
    for (const other of counts)
      part.throughput(other).forEach((own, s) => {
        sum[s]! += own;
        size[s]! += own;
      });
    let [least, most, off] = [0, 0, 0];
    for (let s = 0; s < states; s++) {
      least = Math.min(least, sum[s]!);
      most = Math.max(most, Math.abs(sum[s]!));
      off = Math.max(off, (2 * error + (start[s + 1]! - start[s]! + counts.length + 12) * ROUNDING) * size[s]!);
    }
    const raised = { reward: sum.map((x) => x - least), isExact: true };
    const { mean, lower, upper } = this.#state.mean(raised);
    const flow = this.#state.mean({ reward: part.throughput(transition), isExact: false }).upper;
    const wide = off + 4 * ROUNDING * (most - least) + errorRange * flow * (1 + 4 * ROUNDING);
    const scaled = (x: number, by: number): number => {
      const y = (x + least + by) / rate;
      return y + Math.sign(by) * 4 * ROUNDING * ((Math.abs(x) - least) / rate);
    };
    return { mean: scaled(mean, 0), lower: scaled(lower, -wide), upper: scaled(upper, wide) };
  }
}
