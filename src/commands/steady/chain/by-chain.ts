import { type MarkovChain, markovChain, type NetChain } from '../../../analysis/markov/chain.ts';
import { cappedNet } from '../../../analysis/markov/open/open-places.ts';
import { OpenSteadyState } from '../../../analysis/markov/open/open-steady-state.ts';
import { SteadyState } from '../../../analysis/markov/steady-state.ts';
import { StepRates } from '../../../analysis/markov/step-rates.ts';
import { roomForRows } from '../../../analysis/markov/sweeping/row-room.ts';
import { TransientDistribution } from '../../../analysis/markov/uniformisation.ts';
import type { Truncation } from '../../../analysis/space/budget.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import { fail, quote } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { StateLimit } from '../../exact/explored-space.ts';
import { withoutInstants } from '../../exact/instant-transfers.ts';
import { accumulatedRewards } from '../accumulated-rewards.ts';
import { runTimeOf, withResponse } from '../derived-figures.ts';
import { chainParts } from '../part-figures.ts';
import { passagesOf } from '../passage-figures.ts';
import { loadRemarks } from '../simulated/load-remarks.ts';
import { componentsOf, figuresOf } from '../steady-figures.ts';
import type { Question } from '../steady-options.ts';
import type { SteadyFindings } from '../steady-result.ts';
import { type CutPlaces, cutPlaces, explored, openFigures } from './chain-space.ts';
import { type SolvedChain, solvedChain } from './solved-chain.ts';

const UNCUT = 'capacity: nothing is cut, because every place has a proved maximum of tokens';
/** From this number of edges on, a chain is built in the memory in which it is solved. */
const MANY_EDGES = 2 ** 20;
const ENDLESS = 'the net may run forever, and in the long run it does: its run time has no mean';

/**
 * The figures of a net from its Markov chain, with proved intervals. Without figures and incomplete, if a limit ended the work before the
 * chain was solved.
 *
 * @throws InputError CTMC001 … CTMC007
 */
export function byChain(asGiven: Question): SteadyFindings {
  const question = withoutInstants(asGiven);
  const { net, rewards: asked, options, budget } = question;
  // Refuses delays before exploring.
  void new StepRates(net);
  const cut = cutPlaces(question);
  if (cut !== undefined) refuseFunctions(asked);
  const isLimited = question.isLimited || question.ended !== undefined;
  const capped = cut === undefined ? net : cappedNet(net, cut, cut.capacity);
  const space = explored(capped, budget, options, isLimited);
  const limit = new StateLimit(budget, options.maxStates);
  const unsolved = (because?: Truncation): SteadyFindings =>
    withoutFigures(question, space.states, because ?? limit.reached ?? space.truncation ?? budget.late ?? 'time');
  const isSwept = cut === undefined && options.at === undefined && space.edges >= MANY_EDGES;
  const memory = isSwept ? roomForRows(space) : undefined;
  const chain = space.complete ? markovChain(space, budget.stop, { isFull: limit.isFull, memory }) : undefined;
  if (chain === undefined) return unsolved();
  const solving = budget.keeping(secondsOfFigures(net, chain) * 1000);
  const { stop } = solving;
  const passages = passagesOf(question, chain, space, limit, stop);
  if (passages === undefined) return unsolved();
  const solved = solvedChain(question, chain, space, cut !== undefined, stop);
  const means = meansOf(question, solved.chain, stop);
  if (means === undefined) return unsolved(options.at === undefined ? 'memory' : undefined);
  const figures = chainFigures(question, { chain, space, cut, solved, means }, stop);
  const totals = accumulatedRewards(asked, { chain, space, reaching: passages.reaching }, options, stop);
  const rewards = figures.rewards.map((reward, k) => {
    const accumulated = totals?.of[k] ?? [];
    return accumulated.length === 0 ? reward : { ...reward, accumulated };
  });
  const complete = totals?.complete === true && figures.complete && passages.complete;
  const late = solving.late;
  const { lumped } = solved;
  return {
    method: 'ctmc',
    solver: means instanceof SteadyState ? means.solver : 'uniformisation',
    complete,
    ...(complete || late === undefined ? {} : { truncation: late }),
    states: chain.states,
    vanishing: chain.vanishing,
    residual: means instanceof SteadyState ? means.residual : null,
    places: figures.places,
    transitions: figures.transitions,
    ...(asked.length === 0 ? {} : { rewards }),
    ...figures.parts,
    ...passages.figures,
    ...(cut === undefined ? {} : { open: openFigures(cut, figures.because) }),
    ...(lumped === undefined
      ? {}
      : { lumped: { states: lumped.states, factor: Math.round((100 * chain.states) / lumped.states) / 100 } }),
    components: figures.components,
    ...(figures.remarks.length === 0 ? {} : { remarks: figures.remarks }),
  };
}

/**
 * Refuses rewards that are functions: their values in markings beyond the capacity are unknown.
 *
 * @throws InputError CTMC007
 */
function refuseFunctions(rewards: Question['rewards']): void {
  const called = rewards.find(([, { kind }]) => kind === 'function');
  if (called !== undefined)
    fail(
      'CTMC007',
      `reward ${quote(called[0])} is a function, and the net has infinitely many markings: give it in text form, or give the open places a capacity`,
    );
}

/** The result of a chain that was not solved. */
function withoutFigures({ rewards }: Question, states: number, truncation: Truncation): SteadyFindings {
  return {
    method: 'ctmc',
    solver: null,
    complete: false,
    truncation,
    states,
    vanishing: 0,
    residual: null,
    places: [],
    transitions: [],
    components: [],
    ...(rewards.length === 0 ? {} : { rewards: [] }),
  };
}

type Means = SteadyState | TransientDistribution;

/** The distribution over the states in the long run, or at the time of the option `at`. Undefined without memory or time for it. */
function meansOf({ options: { at } }: Question, chain: MarkovChain, stop: () => boolean): Means | undefined {
  return at === undefined ? SteadyState.of(chain, stop) : TransientDistribution.at(chain, at, stop);
}

/** The chain of a net, and its solution. */
interface Solution {
  readonly chain: NetChain;
  readonly space: StateSpace;
  readonly cut: CutPlaces | undefined;
  readonly solved: SolvedChain;
  readonly means: Means;
}

/** Figures by places, transitions, rewards, and parts. */
interface ChainFigures extends Pick<SteadyFindings, 'places' | 'transitions' | 'components'> {
  readonly complete: boolean;
  readonly rewards: NonNullable<SteadyFindings['rewards']>;
  readonly parts: Pick<SteadyFindings, 'runTime' | 'parallelism' | 'fragments' | 'nodes' | 'balance' | 'resources'>;
  /** Why no figure of a net with infinitely many states has an interval. */
  readonly because: string | undefined;
  readonly remarks: readonly string[];
}

function chainFigures(
  question: Question,
  { chain, space, cut, solved, means }: Solution,
  stop: () => boolean,
): ChainFigures {
  const { net, rewards, options } = question;
  const { restarted, lumped } = solved;
  const state = means instanceof SteadyState ? means : undefined;
  const infinite =
    cut === undefined || state === undefined
      ? undefined
      : new OpenSteadyState(chain, space, cut, cut.capacity, state, stop);
  const parts = chainParts(question, solved.chain, space);
  const restarting = restarted === undefined ? [] : [{ reward: restarted.restarts, isExact: false }];
  const further = [...restarting, ...parts.rewards];
  const figures = figuresOf(net, solved.chain, infinite ?? means, space, rewards, further);
  const restarts = restarted === undefined ? undefined : figures.further[0];
  const ends = restarts !== undefined && restarts.value > 0;
  return {
    complete: figures.complete,
    // Little's law holds in one long run, not in a mixture of several.
    places:
      state?.components.length === 1
        ? withResponse(net, figures.places, figures.transitions, restarts)
        : figures.places,
    transitions: figures.transitions,
    rewards: figures.rewards,
    parts: {
      ...(ends ? { runTime: runTimeOf(restarts) } : {}),
      ...parts.figures(figures.further.slice(restarting.length)),
    },
    because: infinite?.because,
    components: state === undefined || ends || cut !== undefined ? [] : componentsOf(state, lumped?.stateOf),
    remarks: [
      ...solved.remarks,
      ...(restarts === undefined || ends ? [] : [ENDLESS]),
      ...(infinite?.because === undefined ? [] : loadRemarks(net, stop)),
      ...(cut !== undefined || options.capacity === undefined ? [] : [UNCUT]),
    ],
  };
}

/**
 * Seconds for intervals of all figures after the iterations have been stopped, estimated from the time that two rewards of the first
 * transition take.
 */
function secondsOfFigures({ places, transitions }: Net, chain: MarkovChain): number {
  if (transitions.length === 0) return 0;
  const begun = performance.now();
  chain.throughput(0);
  chain.enabled(0);
  return ((performance.now() - begun) / 1000) * (places.length + 2 * transitions.length);
}
