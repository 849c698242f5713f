import { type Endless, whyEndless } from '../../analysis/coverability/boundedness.ts';
import { reaching } from '../../analysis/first-passage/reaching.ts';
import { graphOf, type MarkovChain, markovChain, type NetChain } from '../../analysis/markov/chain.ts';
import { type LumpedChain, lumpedChain } from '../../analysis/markov/lumped/lumped-chain.ts';
import { cappedNet, type OpenPlaces, openPlaces } from '../../analysis/markov/open/open-places.ts';
import { OpenSteadyState } from '../../analysis/markov/open/open-steady-state.ts';
import { type RestartedChain, restartedChain } from '../../analysis/markov/restarted-chain.ts';
import { rewardsOf } from '../../analysis/markov/rewards.ts';
import { SteadyState } from '../../analysis/markov/steady-state.ts';
import { StepRates } from '../../analysis/markov/step-rates.ts';
import { TransientDistribution } from '../../analysis/markov/uniformisation.ts';
import { components } from '../../analysis/petri/components.ts';
import { processRange } from '../../analysis/processes.ts';
import type { Budget } from '../../analysis/space/budget.ts';
import { exploration } from '../../analysis/space/explore.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { absorptionOf } from '../exact/absorption.ts';
import { withoutInstants } from '../exact/instant-transfers.ts';
import { accumulatedRewards } from './accumulated-rewards.ts';
import { chainParts } from './chain-parts.ts';
import { runTimeOf, withResponse } from './derived-figures.ts';
import { reachOf } from './reach-figures.ts';
import { componentsOf, figuresOf } from './steady-figures.ts';
import type { Question, SteadyOptions } from './steady-options.ts';
import type { OpenFigures, SteadyFindings } from './steady-result.ts';

/** Number of states explored between two checks for cancellation and progress. */
const SLICE = 1 << 14;
/** Shares of time and memory for exploring; the rest is for the chain and its solution. */
const EXPLORING = 0.5;
const EXPLORING_MEMORY = 0.5;
/** A simulation refuses options of the chain. */
const LONG_RUN_ONLY = 'Only figures of the long run can be estimated: foretoken steady --method simulate';
const UNCUT = 'capacity: nothing is cut, because every place has a proved maximum of tokens';
const HOW =
  'Or cut it with proved intervals, foretoken steady --capacity N, or estimate the figures: foretoken steady --method simulate';

/**
 * The figures of a net from its Markov chain, with proved intervals.
 *
 * @throws InputError CTMC001 … CTMC007
 */
export function byChain(asGiven: Question): SteadyFindings {
  const question = withoutInstants(asGiven);
  const { net, rewards: asked, reach, options, budget } = question;
  // Refuses delays before exploring.
  void new StepRates(net);
  const open = openOf(question);
  const { capacity = 0 } = options;
  const space = explored(open === undefined ? net : cappedNet(net, open.places, capacity), budget, options);
  const { maxStates = Number.POSITIVE_INFINITY } = options;
  let full: 'states' | 'memory' | undefined;
  const isFull = (states: number): boolean => {
    if (states > maxStates) full = 'states';
    else if (budget.exceeded === 'memory') full = 'memory';
    return full !== undefined;
  };
  const chain = space.complete ? markovChain(space, budget.stop, { isFull }) : undefined;
  const cut = (states: number, because = full): SteadyFindings => {
    const none = { places: [], transitions: [], components: [], ...(asked.length === 0 ? {} : { rewards: [] }) };
    const truncation = because ?? space.truncation ?? budget.late ?? 'time';
    return { method: 'ctmc', solver: null, complete: false, truncation, states, vanishing: 0, residual: null, ...none };
  };
  if (chain === undefined) return cut(space.states);
  const solving = budget.keeping(secondsOfFigures(net, chain) * 1000);
  const ended = options.absorption === true ? absorptionOf(chain, solving.stop) : undefined;
  const { at } = options;
  const first = reach === undefined ? undefined : reaching(space, reach, solving.stop, { isFull });
  if (reach !== undefined && first === undefined) return cut(space.states);
  const reached = first === undefined ? undefined : reachOf(first, options, solving.stop);
  const { restarted, deadlocks = [] } = restartedOf(question, chain, space);
  const lumped =
    open === undefined && restarted === undefined ? lumpedOf(question, chain, space, solving.stop) : undefined;
  const solved = restarted ?? lumped ?? chain;
  const means =
    at === undefined ? SteadyState.of(solved, solving.stop) : TransientDistribution.at(chain, at, solving.stop);
  if (means === undefined) return cut(space.states, at === undefined ? 'memory' : undefined);
  const state = means instanceof SteadyState ? means : undefined;
  const infinite =
    open === undefined || state === undefined
      ? undefined
      : new OpenSteadyState(chain, space, open, capacity, state, solving.stop);
  const parts = chainParts(question, solved, space);
  const further = [
    ...(restarted === undefined ? [] : [{ reward: restarted.restarts, isExact: false }]),
    ...parts.rewards,
  ];
  const figures = figuresOf(net, solved, infinite ?? means, space, asked, further);
  const restarts = restarted === undefined ? undefined : figures.further[0];
  const ends = restarts !== undefined && restarts.value > 0;
  const remarks = [
    ...deadlocks,
    ...(restarts === undefined || ends ? [] : [ENDLESS]),
    ...(open !== undefined || options.capacity === undefined ? [] : [UNCUT]),
  ];
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
    // Little's law holds in one long run, not in a mixture of several.
    places:
      state?.components.length === 1
        ? withResponse(net, figures.places, figures.transitions, restarts)
        : figures.places,
    transitions: figures.transitions,
    ...(asked.length === 0 ? {} : { rewards }),
    ...(ends ? { runTime: runTimeOf(restarts) } : {}),
    ...parts.figures(figures.further.slice(restarts === undefined ? 0 : 1)),
    ...(ended === undefined ? {} : { absorption: ended.absorption }),
    ...(reached === undefined ? {} : { reach: reached.reach }),
    ...(open === undefined ? {} : { open: openFigures(open, capacity, infinite?.because) }),
    ...(lumped === undefined
      ? {}
      : { lumped: { states: lumped.states, factor: Math.round((100 * chain.states) / lumped.states) / 100 } }),
    components: state === undefined || ends || open !== undefined ? [] : componentsOf(state, lumped?.stateOf),
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

/** The places whose chain is cut at the capacity of the options; undefined if the net has none. @throws InputError CTMC004, CTMC007 */
function openOf({ net, options: { capacity } }: Question): OpenPlaces | undefined {
  if (capacity === undefined) return undefined;
  const open = openPlaces(net);
  for (const { place, name } of open.places) {
    const initial = net.places[place]!.initial.reduce((sum, { count }) => sum + count, 0);
    if (initial > capacity) fail('CTMC007', `capacity: expected at least the ${initial} initial tokens of ${name}`);
  }
  return open.places.length === 0 ? undefined : open;
}

/** The quotient by symmetric colours, of figures that do not tell them apart. */
function lumpedOf(
  { options, activity, rewards }: Question,
  chain: NetChain,
  space: StateSpace,
  stop: () => boolean,
): LumpedChain | undefined {
  if (options.at !== undefined || options.absorption === true || activity !== undefined) return undefined;
  // Equivalent ends would become one.
  if (components(graphOf(chain)).bottom.reduce((sum, is) => sum + is, 0) !== 1) return undefined;
  const lumped = lumpedChain(chain, space, stop);
  const isRespected = rewards.every(
    ([, expression]) => expression.kind === 'firings' || lumped?.respects(rewardsOf(expression, chain, space).reward),
  );
  return isRespected ? lumped : undefined;
}

function openFigures({ places }: OpenPlaces, capacity: number, because: string | undefined): OpenFigures {
  return { capacity, places: places.map(({ name }) => name), ...(because === undefined ? {} : { because }) };
}

const ENDLESS = 'the net may run for ever, and in the long run it does: its run time has no mean';

/** The chain that begins anew at each end, if the net is restarted and has any. Where it may also run for ever, it does so in the long run. */
function restartedOf(
  { net, options, isRestarted }: Question,
  chain: MarkovChain,
  space: StateSpace,
): { readonly restarted?: RestartedChain; readonly deadlocks?: readonly string[] } {
  if (!isRestarted || options.at !== undefined) return {};
  const ended = chain.ended();
  if (!ended.includes(1)) return {};
  const restarted = restartedChain(chain, ended);
  if (restarted === undefined) fail('CTMC006', 'the net ends at once, in no time: there is no long run');
  // Of a program, every end in which a process is left is a deadlock.
  const place = net.places.findIndex(({ name }) => name === net.processes?.ended);
  const tokens = place < 0 ? undefined : space.tokens([place], 0, space.states);
  const stuck = ended.reduce(
    (sum, end, s) =>
      sum + (end === 1 && tokens !== undefined && tokens[chain.markings[s]!]! < processRange(net).count ? 1 : 0),
    0,
  );
  if (stuck === 0) return { restarted };
  return {
    restarted,
    deadlocks: [`the program is also restarted where it ends in a deadlock: ${stuck} of its markings`],
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
    const { at, absorption, reach } = options;
    const how = at === undefined && absorption !== true && reach === undefined ? HOW : LONG_RUN_ONLY;
    if (endless?.sure === true) fail('CTMC004', `the chain has infinitely many states: ${endless.because} ${how}`);
  }
  return space;
}
