import { type Components, components } from '../petri/components.ts';
import { graphOf, type MarkovChain } from './chain.ts';
import { ROUNDING } from './elimination.ts';
import { type BoundedMean, isFound, meanOf, type Reward } from './mean-bounds.ts';
import { passages } from './passage.ts';
import { eliminate, type Generator, iterate, MAX_ELIMINATED, residual, type Stationary } from './stationary.ts';

/** A bottom component: a set of states that is never left once it is entered. */
export interface BottomComponent {
  /** Probability that the chain ends in it, with an interval. */
  readonly probability: BoundedMean;
  /** Its states, ascending. */
  readonly states: Int32Array;
}

/** A stationary figure; `isFound` is false if its interval is wide. */
export interface SteadyFigure extends BoundedMean {
  readonly isFound: boolean;
}

interface Solved extends BottomComponent {
  /** Rewards of its states whose means are known. */
  readonly known: { readonly reward: Float64Array; readonly found: BoundedMean }[];
  readonly generator: Generator;
  readonly stationary: Stationary;
}

/** The long-run behaviour of a chain: its bottom components with the stationary distribution in each. */
export class SteadyState {
  readonly components: readonly BottomComponent[];
  /** Largest difference of the flows into and out of a state, per second. */
  readonly residual: number;
  /** How the stationary distributions were found. */
  readonly solver: 'elimination' | 'iteration';
  readonly #chain: MarkovChain;
  readonly #solved: readonly Solved[];
  readonly #stop: () => boolean;

  constructor(chain: MarkovChain, stop: () => boolean = () => false) {
    const parts = components(graphOf(chain));
    const states = bottomStates(parts);
    const probabilities = endProbabilities(chain, parts, [...states.keys()], stop);
    const position = new Int32Array(chain.states);
    this.#chain = chain;
    this.#stop = stop;
    this.#solved = [...states.values()].map((own, k): Solved => {
      const generator = restricted(chain, own, position);
      const stationary = own.length <= MAX_ELIMINATED ? eliminate(generator) : iterate(generator, stop);
      return { probability: probabilities[k]!, states: own, generator, stationary, known: [] };
    });
    this.components = this.#solved;
    this.residual = this.#solved.reduce(
      (most, s) => Math.max(most, residual(s.generator, s.stationary.probability)),
      0,
    );
    this.solver = this.#solved.some((s) => s.states.length > MAX_ELIMINATED) ? 'iteration' : 'elimination';
  }

  /** Mean of a reward of the states, in the long run. */
  mean({ reward, isExact }: Reward): SteadyFigure {
    const found = this.#solved.map((component) => {
      const own = { reward: Float64Array.from(component.states, (s) => reward[s]!), isExact };
      const most = own.reward.reduce((a, b) => Math.max(a, b), 0);
      return { most, ...(this.#multiple(component, own) ?? this.#new(component, own)) };
    });
    const most = found.reduce((sofar, f) => Math.max(sofar, f.most), 0);
    const within = found.length === 1 ? found[0]! : this.#mixed(found);
    return { mean: within.mean, lower: within.lower, upper: within.upper, isFound: isFound(within, most) };
  }

  #new({ generator, stationary, known }: Solved, own: Reward): BoundedMean {
    const found = meanOf(generator, stationary, own, this.#chain.error, this.#stop);
    known.push({ reward: own.reward, found });
    return found;
  }

  /** The mean of a multiple of a known reward, as the throughput of a single server is of its busy time. */
  #multiple({ known }: Solved, { reward, isExact }: Reward): BoundedMean | undefined {
    const first = reward.findIndex((r) => r > 0);
    if (first < 0) return undefined;
    for (const { reward: other, found } of known) {
      const factor = reward[first]! / other[first]!;
      if (!(factor > 0 && factor < Number.POSITIVE_INFINITY && reward.every((r, s) => r === factor * other[s]!)))
        continue;
      // The error of the chain covers that of a reward which is computed from rates.
      const off = factor === 1 && isExact ? 0 : 2 * this.#chain.error + 4 * ROUNDING;
      const { mean, lower, upper } = found;
      return { mean: factor * mean, lower: factor * lower * (1 - off), upper: factor * upper * (1 + off) };
    }
    return undefined;
  }

  /** The mean over the bottom components, which lies between the least and the largest of them. */
  #mixed(found: readonly BoundedMean[]): BoundedMean {
    let [mean, lower, upper] = [0, 0, 0];
    for (const [k, one] of found.entries()) {
      const { probability } = this.#solved[k]!;
      mean += probability.mean * one.mean;
      lower += probability.lower * one.lower;
      upper += probability.upper * one.upper;
    }
    const off = (2 * found.length + 2) * ROUNDING;
    const least = Math.max(
      lower * (1 - off),
      found.reduce((all, f) => Math.min(all, f.lower), Number.POSITIVE_INFINITY),
    );
    const largest = Math.min(
      upper * (1 + off),
      found.reduce((all, f) => Math.max(all, f.upper), 0),
    );
    return { mean: Math.min(Math.max(mean, least), largest), lower: least, upper: largest };
  }
}

/** The states of each bottom component, by its number. */
function bottomStates({ bottom, of, sizes }: Components): Map<number, Int32Array> {
  const states = new Map<number, Int32Array>();
  for (const [c, isBottom] of bottom.entries()) if (isBottom === 1) states.set(c, new Int32Array(sizes[c]!));
  const filled = new Map<number, number>();
  for (const [s, c] of of.entries()) {
    const own = states.get(c);
    if (own === undefined) continue;
    const at = filled.get(c) ?? 0;
    own[at] = s;
    filled.set(c, at + 1);
  }
  return states;
}

/**
 * The generator among the states of a bottom component, which has no other rates.
 *
 * @param position scratch memory, one number per state
 */
function restricted(chain: MarkovChain, states: Int32Array, position: Int32Array): Generator {
  const n = states.length;
  states.forEach((s, k) => {
    position[s] = k;
  });
  const start = new Uint32Array(n + 1);
  states.forEach((s, k) => {
    start[k + 1] = start[k]! + chain.start[s + 1]! - chain.start[s]!;
  });
  const target = new Int32Array(start[n]!);
  const rate = new Float64Array(start[n]!);
  const exit = new Float64Array(n);
  states.forEach((s, k) => {
    let at = start[k]!;
    for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++, at++) {
      target[at] = position[chain.target[e]!]!;
      rate[at] = chain.rate[e]!;
      exit[k]! += rate[at]!;
    }
  });
  return { states: n, start, target, rate, exit };
}

/** The probabilities that the chain ends in each of the bottom components. */
function endProbabilities(
  chain: MarkovChain,
  parts: Components,
  bottoms: readonly number[],
  stop: () => boolean,
): BoundedMean[] {
  if (bottoms.length === 1) return [{ mean: 1, lower: 1, upper: 1 }];
  const end = passages(chain, parts, stop)?.from(chain.initial);
  return bottoms.map((c): BoundedMean => {
    const mean = end?.to.get(c) ?? (end === undefined ? 1 / bottoms.length : 0);
    const off = end !== undefined && end.error < 0.1 ? 1.1 * end.error + 4 * ROUNDING : 1;
    if (end === undefined || off === 1) return { mean, lower: 0, upper: 1 };
    return { mean: Math.min(mean, 1), lower: Math.max(0, mean * (1 - off)), upper: Math.min(1, mean * (1 + off)) };
  });
}
