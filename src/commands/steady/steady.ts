import { type Endless, whyEndless } from '../../analysis/coverability/boundedness.ts';
import { type MarkovChain, markovChain } from '../../analysis/markov/chain.ts';
import type { BoundedMean } from '../../analysis/markov/mean-bounds.ts';
import { type SteadyFigure, SteadyState } from '../../analysis/markov/steady-state.ts';
import { StepRates } from '../../analysis/markov/step-rates.ts';
import { Budget } from '../../analysis/space/budget.ts';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { exploration } from '../../analysis/space/explore.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { checkOptions } from '../inputs/check-options.ts';
import type { FigureError } from '../inputs/document-parts.ts';
import { givenInput, type InputOf } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput } from '../inputs/local-modules.ts';
import { aboutFile } from '../inputs/net-file.ts';
import { STEADY_ROWS, type SteadyOptions, type SteadyOptionsOf } from './steady-options.ts';
import type { SteadyComponent, SteadyDocument, SteadyPlace, SteadyTransition } from './steady-result.ts';

/** Number of states explored between two checks for cancellation and progress. */
const SLICE = 1 << 14;
/** Shares of time and memory for exploring; the rest is for the chain and its solution. */
const EXPLORING = 0.5;
const EXPLORING_MEMORY = 0.5;

/**
 * The long-run behaviour of a net with immediate and exponential delays, from its Markov chain: mean tokens of places,
 * throughput of transitions, and the probability that a transition is enabled, each with an interval that is proved to contain
 * the exact value. The net is given directly, or as a file.
 *
 * If a limit is reached or an interval stays wide, `complete` is false.
 *
 * @throws InputError CTMC001 … CTMC005 for nets that are not Markov chains with finitely many states, EXPL005, and all problems of
 * reading
 */
export function steady<I extends string | Net>(input: I, options?: SteadyOptionsOf<I>): SteadyDocument;
export function steady(input: string | Net, options: SteadyOptions = {}): SteadyDocument {
  return steadyInput(givenInput('steady', input), options);
}

/** As {@link steady}, for a file: a net, or a module that exports one. */
export async function steadyFile(path: string, options: SteadyOptions, load?: Import): Promise<SteadyDocument> {
  return steadyInput(await openInput('steady', path, load), options);
}

function steadyInput(input: InputOf<'net'>, options: SteadyOptions): SteadyDocument {
  checkOptions('steady', STEADY_ROWS, input, options);
  checkLimits(options);
  const begun = options.begun ?? performance.now();
  const { maxStates, memory, seconds } = options;
  const { net, warnings } = input.read();
  const found = aboutFile(input.path ?? net.name, () => solved(net, { ...options, begun }));
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'steady',
    product: PRODUCT,
    method: 'ctmc',
    ...found,
    inputs: filesOfInput(input.path, {}),
    options: { net: net.name, ...given({ maxStates, memory, seconds }, ['maxStates', 'memory', 'seconds']) },
    seconds: (performance.now() - begun) / 1000,
    warnings,
  });
}

type Found = Pick<
  SteadyDocument,
  'solver' | 'complete' | 'truncation' | 'states' | 'vanishing' | 'residual' | 'places' | 'transitions' | 'components'
>;

function solved(net: Net, options: SteadyOptions): Found {
  const budget = Budget.of(options);
  assertValid(net);
  // Refuses delays before exploring.
  void new StepRates(net);
  const space = explored(net, budget, options);
  const chain = space.complete ? markovChain(space, budget.stop) : undefined;
  if (chain === undefined) {
    const truncation = space.truncation ?? budget.late ?? 'time';
    const none = { places: [], transitions: [], components: [] };
    return { solver: null, complete: false, truncation, states: space.states, vanishing: 0, residual: null, ...none };
  }
  const solving = budget.keeping(secondsOfFigures(net, chain) * 1000);
  const state = new SteadyState(chain, solving.stop);
  const figures = figuresOf(net, chain, state);
  const late = solving.late;
  return {
    solver: state.solver,
    complete: figures.complete,
    ...(figures.complete || late === undefined ? {} : { truncation: late }),
    states: chain.states,
    vanishing: chain.vanishing,
    residual: state.residual,
    places: figures.places,
    transitions: figures.transitions,
    components: componentsOf(state),
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

/** @throws InputError CTMC004 */
function explored(net: Net, budget: Budget, options: SteadyOptions): StateSpace {
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
    if (endless?.sure === true) fail('CTMC004', `the chain has infinitely many states: ${endless.because}`);
  }
  return space;
}

function figuresOf(
  net: Net,
  chain: MarkovChain,
  state: SteadyState,
): Pick<Found, 'complete' | 'places' | 'transitions'> {
  let complete = true;
  const mean = (reward: Float64Array, isExact: boolean): SteadyFigure => {
    const figure = state.mean({ reward, isExact });
    complete &&= figure.isFound;
    return figure;
  };
  const places = net.places.map(({ name }, k): SteadyPlace => {
    const figure = mean(chain.tokens(k), true);
    return { name, mean: figure.mean, ...errorOf(figure) };
  });
  const transitions = net.transitions.map(({ name }, k): SteadyTransition => {
    // Often the throughput is a multiple of it.
    const enabled = mean(chain.enabled(k), true);
    const throughput = mean(chain.throughput(k), false);
    return {
      name,
      throughput: throughput.mean,
      ...errorOf(throughput),
      enabledProbability: enabled.mean,
      enabled: { value: enabled.mean, unit: '1', ...errorOf(enabled) },
    };
  });
  return { complete, places, transitions };
}

function componentsOf(state: SteadyState): SteadyComponent[] {
  return state.components
    .map(({ probability, states }) => ({
      probability: probability.mean,
      ...errorOf(probability),
      states: states.length,
    }))
    .sort((a, b) => b.states - a.states);
}

/** Intervals are proved, however wide they are. */
const errorOf = ({ lower, upper }: BoundedMean): FigureError => ({ lower, upper, certainty: 1 });
