import { MemoryFull } from '../../kernel/memory.ts';
import { type Components, components } from '../petri/components.ts';
import { graphOf, type MarkovChain } from './chain.ts';
import { ROUNDING } from './elimination.ts';
import { type BoundedMean, isFound, meansOf, type Reward, smallChange, unprovedMean } from './mean-bounds.ts';
import { passages } from './passage.ts';
import { RateList, rateAt } from './rows.ts';
import { eliminate, MAX_ELIMINATED, residual, type Stationary } from './stationary.ts';
import { type Generator, Sweeps } from './sweeps.ts';

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

/** A stationary distribution of a bottom component. */
class Component implements BottomComponent {
  readonly probability: BoundedMean;
  readonly states: Int32Array;
  readonly stationary: Stationary;
  readonly #generator: Generator;
  #sweeps: Sweeps | undefined;

  constructor(probability: BoundedMean, states: Int32Array, generator: Generator, stop: () => boolean) {
    this.probability = probability;
    this.states = states;
    this.#generator = generator;
    this.stationary = this.isEliminated
      ? eliminate(generator)
      : {
          probability: this.sweeps().stationary(smallChange(states.length), stop),
          error: Number.POSITIVE_INFINITY,
        };
  }

  get isEliminated(): boolean {
    return this.states.length <= MAX_ELIMINATED;
  }

  readonly sweeps = (): Sweeps => {
    this.#sweeps ??= new Sweeps(this.#generator);
    return this.#sweeps;
  };

  get residual(): number {
    return residual(this.#generator, this.stationary.probability);
  }

  /** A reward of the states of the chain, as one of these states. */
  own({ reward, isExact }: Reward): Reward {
    if (reward.length === this.states.length) return { reward, isExact };
    return { reward: Float64Array.from(this.states, (s) => reward[s]!), isExact };
  }
}

/** A reward is `factor` times the reward `of` those that are solved. */
interface Multiple {
  readonly of: number;
  readonly factor: number;
}

/** The long-run behaviour of a chain: its bottom components with the stationary distribution in each. */
export class SteadyState {
  readonly components: readonly BottomComponent[];
  /** Largest difference of the flows into and out of a state, per second. */
  readonly residual: number;
  /** How the stationary distributions were found. */
  readonly solver: 'elimination' | 'iteration';
  readonly #chain: MarkovChain;
  readonly #solved: readonly Component[];
  readonly #stop: () => boolean;

  /** Undefined if a component needs more than 4 GiB, or more memory than is available. */
  static of(chain: MarkovChain, stop: () => boolean = () => false): SteadyState | undefined {
    try {
      return new SteadyState(chain, stop);
    } catch (error) {
      if (error instanceof MemoryFull) return undefined;
      throw error;
    }
  }

  private constructor(chain: MarkovChain, stop: () => boolean) {
    const parts = components(graphOf(chain));
    const states = bottomStates(parts);
    const probabilities = endProbabilities(chain, parts, [...states.keys()], stop);
    const position = new Int32Array(chain.states);
    this.#chain = chain;
    this.#stop = stop;
    this.#solved = [...states.values()].map(
      (own, k) => new Component(probabilities[k]!, own, restricted(chain, own, position), stop),
    );
    this.components = this.#solved;
    this.residual = this.#solved.reduce((most, s) => Math.max(most, s.residual), 0);
    this.solver = this.#solved.every((s) => s.isEliminated) ? 'elimination' : 'iteration';
  }

  /** Mean of a reward of the states, in the long run. */
  mean(reward: Reward): SteadyFigure {
    return this.means([reward])[0]!;
  }

  /** Means of rewards of the states, in the long run. Many together take less time than one after the other. */
  means(rewards: readonly Reward[]): SteadyFigure[] {
    const most = rewards.map(() => 0);
    const byComponent = this.#solved.map((component) => {
      const own = rewards.map((reward) => component.own(reward));
      own.forEach(({ reward }, k) => {
        most[k] = reward.reduce((a, b) => Math.max(a, b), most[k]!);
      });
      return this.#within(component, own);
    });
    return rewards.map((_, k) => {
      const found = byComponent.map((means) => means[k]!);
      const { mean, lower, upper } = found.length === 1 ? found[0]! : this.#mixed(found);
      return { mean, lower, upper, isFound: isFound({ mean, lower, upper }, most[k]!) };
    });
  }

  /** The mean of a reward without an interval, which takes one sum. */
  unproved(reward: Reward): number {
    return this.#solved.reduce((sum, c) => sum + c.probability.mean * unprovedMean(c.stationary, c.own(reward)), 0);
  }

  /** Means in a component. Often one reward is a multiple of another, as the throughput of a single server is of its busy time. */
  #within(component: Component, rewards: readonly Reward[]): BoundedMean[] {
    const { error } = this.#chain;
    const solved: Reward[] = [];
    const multiples = rewards.map((reward): Multiple => {
      const known = multipleOf(reward, solved);
      return known ?? { of: solved.push(reward) - 1, factor: 1 };
    });
    const found: BoundedMean[] = [];
    for (let k = 0; k < solved.length; k += 2)
      found.push(...meansOf(component.sweeps, component.stationary, solved.slice(k, k + 2), error, this.#stop));
    return multiples.map(({ of, factor }, k) => {
      const { mean, lower, upper } = found[of]!;
      // The error of the chain covers that of a reward which is computed from rates.
      const off = rewards[k] === solved[of] || (factor === 1 && rewards[k]!.isExact) ? 0 : 2 * error + 4 * ROUNDING;
      return { mean: factor * mean, lower: factor * lower * (1 - off), upper: factor * upper * (1 + off) };
    });
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
  if (n === chain.states) return { ...chain, exit: exitRates(chain) };
  states.forEach((s, k) => {
    position[s] = k;
  });
  const start = new Uint32Array(n + 1);
  states.forEach((s, k) => {
    start[k + 1] = start[k]! + chain.start[s + 1]! - chain.start[s]!;
  });
  const target = new Int32Array(start[n]!);
  const rates = new RateList(start[n]!);
  states.forEach((s, k) => {
    let at = start[k]!;
    for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++, at++) {
      target[at] = position[chain.target[e]!]!;
      rates.set(at, rateAt(chain.rates, e));
    }
  });
  const generator = { states: n, start, target, rates: rates.first(start[n]!) };
  return { ...generator, exit: exitRates(generator) };
}

export function exitRates({ states, start, rates }: Omit<Generator, 'exit'>): Float64Array {
  const exit = new Float64Array(states);
  for (let k = 0; k < states; k++) for (let e = start[k]!; e < start[k + 1]!; e++) exit[k]! += rateAt(rates, e);
  return exit;
}

/** Which of `solved` a reward is a multiple of. */
function multipleOf({ reward }: Reward, solved: readonly Reward[]): Multiple | undefined {
  const first = reward.findIndex((r) => r > 0);
  if (first < 0) return undefined;
  for (const [of, { reward: other }] of solved.entries()) {
    const factor = reward[first]! / other[first]!;
    if (factor > 0 && factor < Number.POSITIVE_INFINITY && reward.every((r, s) => r === factor * other[s]!))
      return { of, factor };
  }
  return undefined;
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
