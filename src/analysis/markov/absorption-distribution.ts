import type { Components } from '../petri/components.ts';
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

/** The distribution of the time until absorption: the probability of each number of jumps, and when they happen. */
export class AbsorptionDistribution {
  /** By number of jumps: probability to be absorbed. Extended on demand. */
  readonly #absorbed: number[] = [];
  readonly #jumping: Uniformised;
  readonly #final: Int32Array;
  readonly #stop: () => boolean;
  readonly #most: number;
  #stopped = false;

  constructor(chain: MarkovChain, { of, bottom }: Components, stop: () => boolean) {
    this.#jumping = new Uniformised(chain);
    this.#final = Int32Array.from(of.keys()).filter((s) => bottom[of[s]!] === 1);
    this.#stop = stop;
    this.#most = Math.min(MAX_JUMPS, MAX_WORK / (chain.states + chain.target.length));
    this.#note();
  }

  #note(): void {
    const { probability } = this.#jumping;
    let sum = 0;
    for (const s of this.#final) sum += probability[s]!;
    this.#absorbed.push(sum);
  }

  /** Jumps until `jumps` are known; false if the rest is small, or the work was ended. */
  #known(jumps: number): boolean {
    while (this.#absorbed.length <= jumps) {
      this.#stopped ||= this.#stop();
      if (this.#stopped || this.#absorbed.length > this.#most || this.#absorbed.at(-1)! >= 1 - LEFT) return false;
      this.#jumping.jump();
      this.#note();
    }
    return true;
  }

  probability(seconds: number): BoundedMean {
    const { rate } = this.#jumping;
    if (rate === 0) return { mean: 1, lower: 1, upper: 1 };
    if (rate * seconds > 4 * this.#most) return this.#afterAll();
    const { first, weights, error: ofWeights, rest } = poissonWeights(rate * seconds);
    this.#known(first + weights.length - 1);
    const last = this.#absorbed.at(-1)!;
    let [mean, beyond] = [0, 0];
    weights.forEach((weight, k) => {
      const absorbed = this.#absorbed[first + k];
      mean += weight * (absorbed ?? last);
      if (absorbed === undefined) beyond += weight;
    });
    const error = ofWeights + this.#jumping.error + (weights.length + this.#final.length + 4) * ROUNDING;
    if (!(error < 0.1)) return { mean: Math.min(1, mean), lower: 0, upper: 1 };
    const lower = Math.max(0, mean * (1 - 1.1 * error) - UNDERFLOW);
    const upper = Math.min(1, (mean + beyond * (1 - last)) * (1 + 1.1 * error) + rest + UNDERFLOW);
    return { mean: Math.min(Math.max(mean, lower), upper), lower, upper };
  }

  /** The probability when all jumps that are ever computed have happened, but for a share below 2⁻¹⁰⁷⁴. */
  #afterAll(): BoundedMean {
    this.#known(Math.ceil(this.#most));
    const last = this.#absorbed.at(-1)!;
    const { error } = this.#jumping;
    return { mean: last, lower: error < 0.1 ? last * (1 - 1.1 * error - 4 * ROUNDING) : 0, upper: 1 };
  }

  /** By bisection on both ends of the interval of the probability, which grow with the time. */
  quantile(probability: number): BoundedMean | undefined {
    const { rate } = this.#jumping;
    if (rate === 0) return { mean: 0, lower: 0, upper: 0 };
    let most = 1 / rate;
    for (; this.probability(most).lower < probability; most *= 2) {
      // All known jumps have happened by then.
      if (most * rate > 4 * this.#absorbed.length + 100) return undefined;
    }
    const least = bisected(0, most, (t) => this.probability(t).upper < probability).below;
    const { above } = bisected(least, most, (t) => this.probability(t).lower < probability);
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
