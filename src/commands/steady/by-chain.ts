import { type Endless, whyEndless } from '../../analysis/coverability/boundedness.ts';
import { reaching } from '../../analysis/first-passage/reaching.ts';
import { type MarkovChain, markovChain } from '../../analysis/markov/chain.ts';
import { SteadyState } from '../../analysis/markov/steady-state.ts';
import { StepRates } from '../../analysis/markov/step-rates.ts';
import { TransientDistribution } from '../../analysis/markov/uniformisation.ts';
import type { Budget } from '../../analysis/space/budget.ts';
import { exploration } from '../../analysis/space/explore.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { accumulatedRewards } from './accumulated-rewards.ts';
import { reachOf } from './reach-figures.ts';
import { absorptionOf, componentsOf, figuresOf } from './steady-figures.ts';
import type { Question, SteadyOptions } from './steady-options.ts';
import type { SteadyFindings } from './steady-result.ts';

/** Number of states explored between two checks for cancellation and progress. */
const SLICE = 1 << 14;
/** Shares of time and memory for exploring; the rest is for the chain and its solution. */
const EXPLORING = 0.5;
const EXPLORING_MEMORY = 0.5;
const HOW = 'Or estimate the figures by simulation: foretoken steady --method simulate';

/**
 * The figures of a net from its Markov chain, with proved intervals.
 *
 * @throws InputError CTMC001 … CTMC007
 */
export function byChain({ net, rewards: asked, reach, options, budget }: Question): SteadyFindings {
  // Refuses delays before exploring.
  void new StepRates(net);
  const space = explored(net, budget, options);
  const chain = space.complete ? markovChain(space, budget.stop) : undefined;
  const cut = (states: number, because?: 'memory'): SteadyFindings => {
    const none = { places: [], transitions: [], components: [], ...(asked.length === 0 ? {} : { rewards: [] }) };
    const truncation = because ?? space.truncation ?? budget.late ?? 'time';
    return { method: 'ctmc', solver: null, complete: false, truncation, states, vanishing: 0, residual: null, ...none };
  };
  if (chain === undefined) return cut(space.states);
  const solving = budget.keeping(secondsOfFigures(net, chain) * 1000);
  const ended = options.absorption === true ? absorptionOf(chain, solving.stop) : undefined;
  const { at } = options;
  const first = reach === undefined ? undefined : reaching(space, reach, solving.stop);
  if (reach !== undefined && first === undefined) return cut(space.states);
  const reached = first === undefined ? undefined : reachOf(first, options, solving.stop);
  const means =
    at === undefined ? SteadyState.of(chain, solving.stop) : TransientDistribution.at(chain, at, solving.stop);
  if (means === undefined) return cut(space.states, at === undefined ? 'memory' : undefined);
  const state = means instanceof SteadyState ? means : undefined;
  const figures = figuresOf(net, chain, means, space, asked);
  const found = { chain, space, ...(first === undefined ? {} : { reaching: first }) };
  const totals = accumulatedRewards(asked, found, options, solving.stop);
  const rewards = figures.rewards.map((reward, k) => {
    const accumulated = totals?.of[k] ?? [];
    return accumulated.length === 0 ? reward : { ...reward, accumulated };
  });
  const complete =
    totals?.complete === true && figures.complete && ended?.complete !== false && reached?.complete !== false;
  const late = solving.late;
  return {
    method: 'ctmc',
    solver: state?.solver ?? 'uniformisation',
    complete,
    ...(complete || late === undefined ? {} : { truncation: late }),
    states: chain.states,
    vanishing: chain.vanishing,
    residual: state?.residual ?? null,
    places: figures.places,
    transitions: figures.transitions,
    ...(asked.length === 0 ? {} : { rewards }),
    ...(ended === undefined ? {} : { absorption: ended.absorption }),
    ...(reached === undefined ? {} : { reach: reached.reach }),
    components: state === undefined ? [] : componentsOf(state),
  };
}

/** Time for intervals of all figures after the iterations have been stopped, estimated by that of two of its rewards. */
function secondsOfFigures({ places, transitions }: Net, chain: MarkovChain): number {
  if (transitions.length === 0) return 0;
  const begun = performance.now();
  chain.throughput(0);
  chain.enabled(0);
  return ((performance.now() - begun) / 1000) * (places.length + 2 * transitions.length);
}

/** The states of a net. @throws InputError CTMC004 */
export function explored(net: Net, budget: Budget, options: SteadyOptions): StateSpace {
  const running = exploration(net, {
    ...given(options, ['maxStates', 'memory', 'cancelled']),
    budget: budget.before(EXPLORING, EXPLORING_MEMORY),
  });
  const { space } = running;
  let endless: Endless | undefined;
  for (let first = true; running.advance(SLICE); first = false) {
    const { states, expanded, seconds } = space;
    options.progress?.({ states, expanded, seconds });
    if (!first) continue;
    endless = whyEndless(net, budget.stop);
    if (endless?.sure === true) fail('CTMC004', `the chain has infinitely many states: ${endless.because} ${HOW}`);
  }
  return space;
}
