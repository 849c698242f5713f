import { absorbingStates, absorptionTime } from '../../analysis/markov/absorption-time.ts';
import type { MarkovChain } from '../../analysis/markov/chain.ts';
import { type BoundedMean, isFound, type Reward } from '../../analysis/markov/mean-bounds.ts';
import type { OpenSteadyState } from '../../analysis/markov/open/open-steady-state.ts';
import { lowered, rewardsOf } from '../../analysis/markov/rewards.ts';
import type { SteadyFigure, SteadyState } from '../../analysis/markov/steady-state.ts';
import { TransientDistribution } from '../../analysis/markov/uniformisation.ts';
import type { RewardExpression } from '../../analysis/properties/parse-property.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type {
  Absorption,
  Interval,
  SteadyComponent,
  SteadyPlace,
  SteadyReward,
  SteadyTransition,
} from './steady-result.ts';

/** Probabilities whose times are printed. */
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
/** Times from 0 to the last quantile at which the distribution is printed. */
const TIMES = 20;

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
  const error = (figure: BoundedMean): Interval => (because === undefined ? errorOf(figure) : { ...UNPROVED, because });
  const figures = found.map((figure): Valued => ({ value: figure.mean, ...error(figure) }));
  if (!isAtTime && isLarge) for (const reward of other()) figures.push({ value: means.unproved(reward), ...UNPROVED });
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

const UNPROVED: Interval = { halfWidth: null, lower: null, upper: null, certainty: 0 };

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

/**
 * The time until the net ends.
 *
 * @throws InputError CTMC006 if it may run for ever
 */
export function absorptionOf(
  chain: MarkovChain,
  stop: () => boolean,
): { readonly complete: boolean; readonly absorption: Absorption } {
  const { parts, endless } = absorbingStates(chain);
  if (endless >= 0) {
    const size = parts.sizes[parts.of[endless]!]!;
    fail('CTMC006', `the net may run for ever: ${size} of its ${chain.states} states form a set that is never left`);
  }
  const time = absorptionTime(chain, parts, stop);
  const quantiles = QUANTILES.flatMap((probability) => {
    const found = time.quantile(probability);
    return found === undefined ? [] : [{ probability, time: found.mean, ...errorOf(found), isFound: found.isFound }];
  });
  const complete =
    time.mean.isFound &&
    time.variance.isFound &&
    quantiles.length === QUANTILES.length &&
    quantiles.every((q) => q.isFound);
  const last = quantiles.at(-1)?.time ?? time.mean.mean;
  const points = last > 0 ? Array.from({ length: TIMES + 1 }, (_, k) => (last * k) / TIMES) : [0];
  return {
    complete,
    absorption: {
      mean: time.mean.mean,
      ...errorOf(time.mean),
      variance: time.variance.mean,
      varianceInterval: errorOf(time.variance),
      quantiles: quantiles.map(({ isFound: _, ...quantile }) => quantile),
      distribution: points.map((seconds) => {
        const reached = time.probability(seconds);
        return { time: seconds, probability: reached.mean, ...errorOf(reached) };
      }),
    },
  };
}

/** Intervals are proved, however wide they are; an end at infinity is none. */
function errorOf({ mean, lower, upper }: BoundedMean): Interval {
  const isBounded = upper < Number.POSITIVE_INFINITY;
  const halfWidth = isBounded ? Math.max(mean - lower, upper - mean) : null;
  return { halfWidth, lower, upper: isBounded ? upper : null, certainty: 1 };
}
