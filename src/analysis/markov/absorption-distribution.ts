import type { MarkovChain } from './chain.ts';
import { ROUNDING } from './elimination.ts';
import type { BoundedMean } from './mean-bounds.ts';
import { poissonWeights, Uniformised } from './uniformisation.ts';

/** Jumps end when the rest of the probability is smaller. */
const LEFT = 1e-14;
const MAX_JUMPS = 2_000_000;
/** Maximum rates that all jumps together follow. */
const MAX_WORK = 3e9;
/** Absolute loss by underflow. */
const UNDERFLOW = 1e-300;

/**
 * The distribution of the time until the chain enters some states that are never left, by uniformisation: the probability to have entered
 * them after each number of jumps, and the distribution of the number of jumps until a time.
 */
export class AbsorptionDistribution {
  /** By number of jumps: probability to be absorbed. Extended on demand. */
  readonly #absorbed: number[] = [];
  /**
   * By number of jumps: probability of all other states. Its error is in proportion to itself: late in the distribution, where the
   * probability to be absorbed is nearly 1, it is many times as precise.
   */
  readonly #outside: number[] = [];
  readonly #jumping: Uniformised;
  readonly #final: Int32Array;
  readonly #others: Int32Array;
  /** All states that are not final. */
  readonly #outer: Int32Array;
  readonly #stop: () => boolean;
  readonly #most: number;
  #stopped = false;

  /**
   * @param final the states to enter; none of them is left
   * @param others all other states that are not left; none if `final` is entered with certainty
   */
  constructor(chain: MarkovChain, final: Int32Array, others: Int32Array, stop: () => boolean) {
    this.#jumping = new Uniformised(chain);
    this.#final = final;
    this.#others = others;
    const isFinal = new Uint8Array(chain.states);
    for (const s of final) isFinal[s] = 1;
    this.#outer = Int32Array.from(isFinal.keys()).filter((s) => isFinal[s] === 0);
    this.#stop = stop;
    this.#most = Math.min(MAX_JUMPS, MAX_WORK / (chain.states + chain.target.length));
    this.#note();
  }

  #note(): void {
    this.#absorbed.push(this.#sum(this.#final));
    this.#outside.push(this.#sum(this.#outer));
  }

  #sum(states: Int32Array): number {
    const { probability } = this.#jumping;
    let sum = 0;
    for (const s of states) sum += probability[s]!;
    return sum;
  }

  /** Maximum probability to be absorbed ever: that of not being in other states. */
  get #possible(): number {
    const off = this.#errorOf(this.#others);
    return off < 0.1 ? 1 - this.#sum(this.#others) * (1 - 1.1 * off) + ROUNDING : 1;
  }

  /** Error of the sum of probabilities of states. */
  #errorOf(states: Int32Array): number {
    return this.#jumping.error + (states.length + 4) * ROUNDING;
  }

  /** Jumps until `jumps` are known; false if the rest is small, or the work was ended. */
  #known(jumps: number): boolean {
    while (this.#absorbed.length <= jumps) {
      this.#stopped ||= this.#stop();
      if (this.#stopped || this.#absorbed.length > this.#most || this.#isEnded) return false;
      this.#jumping.jump();
      this.#note();
    }
    return true;
  }

  get #isEnded(): boolean {
    const last = this.#absorbed.at(-1)!;
    return last >= 1 - LEFT || (this.#others.length > 0 && last + this.#sum(this.#others) >= 1 - LEFT);
  }

  probability(seconds: number): BoundedMean {
    const { rate } = this.#jumping;
    if (rate === 0 && this.#others.length === 0) return { mean: 1, lower: 1, upper: 1 };
    if (rate * seconds > 4 * this.#most) return this.#afterAll();
    const { first, weights, error: ofWeights, rest } = poissonWeights(rate * seconds);
    this.#known(first + weights.length - 1);
    const last = this.#absorbed.at(-1)!;
    const lastOutside = this.#outside.at(-1)!;
    const possible = this.#possible;
    let [mean, outside, beyond] = [0, 0, 0];
    weights.forEach((weight, k) => {
      const absorbed = this.#absorbed[first + k];
      mean += weight * (absorbed ?? last);
      outside += weight * (this.#outside[first + k] ?? 0);
      if (absorbed === undefined) beyond += weight;
    });
    const rounding = ofWeights + weights.length * ROUNDING;
    const error = rounding + this.#errorOf(this.#final);
    const outsideError = rounding + this.#errorOf(this.#outer);
    if (!(Math.max(error, outsideError) < 0.1)) return { mean: Math.min(1, mean), lower: 0, upper: 1 };
    const least = outside * (1 - 1.1 * outsideError) - UNDERFLOW;
    const most = (outside + beyond * lastOutside) * (1 + 1.1 * outsideError) + rest + UNDERFLOW;
    const lower = Math.max(0, mean * (1 - 1.1 * error) - UNDERFLOW, 1 - most - ROUNDING);
    const upper = Math.min(
      1,
      (mean + beyond * Math.max(0, possible - last)) * (1 + 1.1 * error) + rest + UNDERFLOW,
      1 - least + ROUNDING,
    );
    return { mean: Math.min(Math.max(mean, lower), upper), lower, upper };
  }

  /** The probability when all jumps that are ever computed have happened, but for a share below 2⁻¹⁰⁷⁴. */
  #afterAll(): BoundedMean {
    this.#known(Math.ceil(this.#most));
    const last = this.#absorbed.at(-1)!;
    const { error } = this.#jumping;
    const upper = Math.max(last, this.#possible);
    return { mean: last, lower: error < 0.1 ? last * (1 - 1.1 * error - 4 * ROUNDING) : 0, upper };
  }

  /**
   * The time by which a share of the probability `of` absorption is reached. By bisection on both ends of the interval of the
   * probability, which grow with the time.
   */
  quantile(share: number, of: BoundedMean): BoundedMean | undefined {
    const { rate } = this.#jumping;
    // No rounding if absorption is certain.
    const off = of.lower === 1 && of.upper === 1 ? 0 : 2 * ROUNDING;
    const goal = { lower: share * of.lower * (1 - off), upper: share * of.upper * (1 + off) };
    if (this.probability(0).lower >= goal.upper) return { mean: 0, lower: 0, upper: 0 };
    if (rate === 0) return undefined;
    let most = 1 / rate;
    for (; this.probability(most).lower < goal.upper; most *= 2) {
      // All known jumps have happened by then.
      if (most * rate > 4 * this.#absorbed.length + 100) return undefined;
    }
    const least = bisected(0, most, (t) => this.probability(t).upper < goal.lower).below;
    const { above } = bisected(least, most, (t) => this.probability(t).lower < goal.upper);
    return { mean: (least + above) / 2, lower: least, upper: above };
  }
}

/** Neighbouring times between which a condition ends to hold. */
function bisected(from: number, to: number, holds: (t: number) => boolean): { below: number; above: number } {
  let [below, above] = [from, to];
  for (let step = 0; step < 60 && above - below > 1e-12 * above; step++) {
    const middle = (below + above) / 2;
    if (holds(middle)) below = middle;
    else above = middle;
  }
  return { below, above };
}
