import { type Endless, whyEndless } from '../../analysis/coverability/boundedness.ts';
import { type MarkovChain, markovChain } from '../../analysis/markov/chain.ts';
import { SteadyState } from '../../analysis/markov/steady-state.ts';
import { StepRates } from '../../analysis/markov/step-rates.ts';
import { TransientDistribution } from '../../analysis/markov/uniformisation.ts';
import { parseReward, type RewardExpression } from '../../analysis/properties/parse-property.ts';
import { Budget } from '../../analysis/space/budget.ts';
import { checkLimits } from '../../analysis/space/check-limits.ts';
import { exploration } from '../../analysis/space/explore.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { fail, quote, shown } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { givenInput, type InputOf } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput } from '../inputs/local-modules.ts';
import { aboutFile } from '../inputs/net-file.ts';
import { absorptionOf, componentsOf, figuresOf } from './steady-figures.ts';
import { STEADY_ROWS, type SteadyOptions, type SteadyOptionsOf } from './steady-options.ts';
import type { SteadyDocument } from './steady-result.ts';

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
 * @throws InputError CTMC001 … CTMC007 for nets that are not Markov chains with finitely many states, EXPL005, and all problems of
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
  checkFigures(options);
  const begun = options.begun ?? performance.now();
  const { maxStates, memory, seconds, at, absorption, rewards = {} } = options;
  const { net, warnings } = input.read();
  const asked = Object.entries(rewards).map(([name, text]) => [name, parseReward(text, net)] as const);
  const found = aboutFile(input.path ?? net.name, () => solved(net, asked, { ...options, begun }));
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'steady',
    product: PRODUCT,
    method: 'ctmc',
    ...found,
    inputs: filesOfInput(input.path, {}),
    options: {
      net: net.name,
      ...given({ maxStates, memory, seconds, at }, ['maxStates', 'memory', 'seconds', 'at']),
      ...(absorption === true ? { absorption: 1 } : {}),
      ...Object.fromEntries(Object.entries(rewards).map(([name, text]) => [`reward.${name}`, text])),
    },
    seconds: (performance.now() - begun) / 1000,
    warnings,
  });
}

type Found = Pick<
  SteadyDocument,
  | 'solver'
  | 'complete'
  | 'truncation'
  | 'states'
  | 'vanishing'
  | 'residual'
  | 'places'
  | 'transitions'
  | 'rewards'
  | 'absorption'
  | 'components'
>;

function solved(
  net: Net,
  asked: readonly (readonly [name: string, RewardExpression])[],
  options: SteadyOptions,
): Found {
  const budget = Budget.of(options);
  assertValid(net);
  // Refuses delays before exploring.
  void new StepRates(net);
  const space = explored(net, budget, options);
  const chain = space.complete ? markovChain(space, budget.stop) : undefined;
  const cut = (states: number): Found => {
    const none = { places: [], transitions: [], components: [], ...(asked.length === 0 ? {} : { rewards: [] }) };
    const truncation = space.truncation ?? budget.late ?? 'time';
    return { solver: null, complete: false, truncation, states, vanishing: 0, residual: null, ...none };
  };
  if (chain === undefined) return cut(space.states);
  const solving = budget.keeping(secondsOfFigures(net, chain) * 1000);
  const ended = options.absorption === true ? absorptionOf(chain, solving.stop) : undefined;
  const state = options.at === undefined ? new SteadyState(chain, solving.stop) : undefined;
  const means = state ?? TransientDistribution.at(chain, options.at!, solving.stop);
  if (means === undefined) return cut(space.states);
  const figures = figuresOf(net, chain, means, space, asked);
  const complete = figures.complete && ended?.complete !== false;
  const late = solving.late;
  return {
    solver: state?.solver ?? 'uniformisation',
    complete,
    ...(complete || late === undefined ? {} : { truncation: late }),
    states: chain.states,
    vanishing: chain.vanishing,
    residual: state?.residual ?? null,
    places: figures.places,
    transitions: figures.transitions,
    ...(asked.length === 0 ? {} : { rewards: figures.rewards }),
    ...(ended === undefined ? {} : { absorption: ended.absorption }),
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

/** @throws InputError CTMC007 for options that have no meaning */
function checkFigures({ at, rewards, absorption }: SteadyOptions): void {
  const wrong = (part: string, expected: string, got: unknown): never =>
    fail('CTMC007', `${part}: expected ${expected}, got ${shown(got)}`);
  if (at !== undefined && !(typeof at === 'number' && at >= 0 && at < Number.POSITIVE_INFINITY))
    wrong('at', 'seconds >= 0', at);
  if (absorption !== undefined && typeof absorption !== 'boolean') wrong('absorption', 'true or false', absorption);
  if (rewards === undefined) return;
  if (typeof rewards !== 'object' || rewards === null) wrong('rewards', 'an object of texts', rewards);
  for (const [name, text] of Object.entries(rewards))
    if (typeof text !== 'string') wrong(`reward ${quote(name)}`, 'a text', text);
}
