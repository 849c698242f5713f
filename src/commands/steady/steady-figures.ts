import type { MarkovChain } from '../../analysis/markov/chain.ts';
import { type BoundedMean, isFound, type Reward } from '../../analysis/markov/mean-bounds.ts';
import type { OpenSteadyState } from '../../analysis/markov/open/open-steady-state.ts';
import { lowered, rewardsOf } from '../../analysis/markov/rewards.ts';
import type { SteadyFigure, SteadyState } from '../../analysis/markov/steady-state.ts';
import { TransientDistribution } from '../../analysis/markov/uniformisation.ts';
import type { RewardExpression } from '../../analysis/reward.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import type { Net } from '../../net/net.ts';
import { errorOf, NO_INTERVAL } from '../exact/absorption.ts';
import type { Interval } from '../exact/exact-parts.ts';
import type { SteadyComponent, SteadyPlace, SteadyReward, SteadyTransition } from './steady-result.ts';

interface Figures {
  readonly complete: boolean;
  readonly places: readonly SteadyPlace[];
  readonly transitions: readonly SteadyTransition[];
  readonly rewards: readonly SteadyReward[];
  /** Means of the further rewards. */
  readonly further: readonly Valued[];
}

/**
 * Figures of a net in the long run, or at one time.
 *
 * @param further rewards whose means are wanted, too; of a large chain only the first one gets an interval
 */
export function figuresOf(
  net: Net,
  chain: MarkovChain,
  means: SteadyState | OpenSteadyState | TransientDistribution,
  space: StateSpace,
  asked: readonly (readonly [name: string, RewardExpression])[],
  further: readonly Reward[],
): Figures {
  const isAtTime = means instanceof TransientDistribution;
  const isLarge = !isAtTime && chain.states > MAX_PROVED;
  const because = 'because' in means ? means.because : undefined;
  const own = asked.map(([, expression]) => rewardsOf(expression, chain, space));
  const count = { places: net.places.length, transitions: net.transitions.length };
  const other = function* (): Generator<Reward> {
    for (let k = 0; k < count.places; k++) yield { reward: chain.tokens(k), isExact: true, slopes: new Map([[k, 1]]) };
    for (let k = 0; k < count.transitions; k++) yield { reward: chain.enabled(k), isExact: true };
    for (let k = 0; k < count.transitions; k++) yield { reward: chain.throughput(k), isExact: false };
    yield* isLarge ? further.slice(1) : further;
  };
  const bounded = isLarge ? [...own, ...further.slice(0, 1)] : [...own, ...other()];
  const found = isAtTime ? bounded.map((reward) => atTime(means, reward, chain)) : means.means(bounded);
  const error = (figure: BoundedMean): Interval =>
    because === undefined ? errorOf(figure) : { ...NO_INTERVAL, because };
  const figures = found.map((figure): Valued => ({ value: figure.mean, ...error(figure) }));
  if (!isAtTime && isLarge)
    for (const reward of other()) figures.push({ value: means.unproved(reward), ...NO_INTERVAL });
  const from = isLarge ? bounded.length : own.length;
  const places = net.places.map(({ name }, k): SteadyPlace => {
    const { value, ...own } = figures[from + k]!;
    return { name, mean: value, ...own };
  });
  const transitions = net.transitions.map(({ name }, k): SteadyTransition => {
    const { value: share, ...shareError } = figures[from + count.places + k]!;
    const { value, ...own } = figures[from + count.places + count.transitions + k]!;
    return {
      name,
      throughput: value,
      ...own,
      enabledProbability: share,
      enabled: { value: share, unit: '1', ...shareError },
    };
  });
  const rewards = asked.map(([name], k): SteadyReward => {
    const figure = lowered(found[k]!, own[k]!.raisedBy);
    return { name, mean: figure.mean, ...error(figure) };
  });
  const after = from + count.places + 2 * count.transitions;
  return {
    complete: found.every((figure) => figure.isFound),
    places,
    transitions,
    rewards,
    further: [...figures.slice(own.length, from), ...figures.slice(after)],
  };
}

/** Up to this number of states, every figure has an interval; above, those that are asked for. */
const MAX_PROVED = 100_000;

/** A figure with its interval. */
export type Valued = Interval & { readonly value: number };

function atTime(means: TransientDistribution, { reward, isExact }: Reward, { error }: MarkovChain): SteadyFigure {
  // The error of the chain covers that of a reward which is computed from rates.
  const figure = means.mean(reward, isExact ? 0 : 2 * error);
  const most = reward.reduce((a, b) => Math.max(a, b), 0);
  return { ...figure, isFound: isFound(figure, most) };
}

/** @param stateOf of a quotient, by state of the chain: its set of states */
export function componentsOf(state: SteadyState, stateOf?: Int32Array): SteadyComponent[] {
  const sizeOf = (states: Int32Array): number => {
    if (stateOf === undefined) return states.length;
    const own = new Set(states);
    return stateOf.reduce((sum, k) => sum + (own.has(k) ? 1 : 0), 0);
  };
  return state.components
    .map(({ probability, states }) => ({
      probability: probability.mean,
      ...errorOf(probability),
      states: sizeOf(states),
    }))
    .sort((a, b) => b.states - a.states);
}
