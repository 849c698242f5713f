import { absorbingStates } from '../../analysis/markov/absorption-time.ts';
import { type MarkovChain, markovChain } from '../../analysis/markov/chain.ts';
import { StepRates } from '../../analysis/markov/step-rates.ts';
import { Budget } from '../../analysis/space/budget.ts';
import type { FinalMarkings } from '../../analysis/space/degrees.ts';
import type { StateSpace, Truncation } from '../../analysis/space/state-space.ts';
import { whyNotConstant } from '../../analysis/space/timed/timing.ts';
import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { absorptionOf } from './absorption.ts';
import type { Absorption, ExactFigures } from './exact-parts.ts';
import type { Explorable } from './explorable.ts';
import { exploredSpace, StateLimit } from './explored-space.ts';
import { withoutInstants } from './instant-transfers.ts';
import { spaceParallelism } from './space-parallelism.ts';
import { RESTING, rests, spaceRunTime } from './space-run-time.ts';

/** Maximum numbers of markings, of states of a chain, and of timed states: each is a matter of seconds. */
const MARKINGS = 1e6;
const TIMED_STATES = 2e5;

/** A part of the figures; the limit that kept it from being known, or another reason. */
type Part<T> = { readonly found?: T; readonly because?: string; readonly truncation?: Truncation };

/**
 * Run times over all orders, parallelism over all markings, and the distribution of the run time of a valid net. Parts that
 * the net does not have, or that are not found within the limits, are absent, with the reason.
 */
export function exactFigures(subject: Explorable, cancelled?: () => boolean): ExactFigures {
  const { net, final, activity } = subject;
  const budget = Budget.of(cancelled === undefined ? {} : { cancelled });
  const { runTime, truncation } = spaceRunTime(net, true, {
    ...(final === undefined ? {} : { final }),
    maxStates: TIMED_STATES,
    exceeded: () => budget.exceeded,
  });
  let space: Part<StateSpace> | undefined;
  const explored = (): Part<StateSpace> => {
    space ??= attempt(() => markingsOf(net, budget));
    return space;
  };
  const active =
    activity === undefined
      ? undefined
      : attempt(() => {
          const { found, ...why } = explored();
          if (found === undefined) return why;
          const own = { space: found, named: undefined, graph: undefined, memory: budget.bytesLeft, stop: budget.stop };
          return { found: spaceParallelism(activity, own), ...why };
        });
  const ended = whyNotConstant(net) === undefined ? undefined : attempt(() => distribution(subject, explored, budget));
  const parts = [active, ended].filter((part) => part !== undefined);
  return {
    complete: truncation === undefined && parts.every((part) => part.truncation === undefined),
    runTime,
    ...active?.found,
    ...(ended?.found === undefined ? {} : { distribution: ended.found }),
    because: {
      ...(active?.because === undefined ? {} : { parallelism: active.because }),
      ...(ended?.because === undefined ? {} : { distribution: ended.because }),
    },
  };
}

/** Finds a part of the figures; an InputError is the reason why it is absent. */
function attempt<T>(find: () => Part<T>): Part<T> {
  try {
    return find();
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    const { message, place } = e.problems[0]!;
    return { because: place?.part === undefined ? message : `${place.part}: ${message}` };
  }
}

const LIMITS: Readonly<Record<Truncation, string>> = {
  states: `the limit of ${MARKINGS} states was reached`,
  memory: 'the memory limit was reached',
  time: 'the time limit was reached',
  interrupted: 'it was interrupted',
};

const limited = (truncation: Truncation): Part<never> => ({ because: LIMITS[truncation], truncation });

/** All reachable markings, or those within the limits. */
function markingsOf(net: Net, budget: Budget): Part<StateSpace> {
  const explored = exploredSpace(net, { maxStates: MARKINGS, budget }, budget.stop, true);
  if ('endless' in explored) return { because: explored.endless };
  const { space } = explored;
  return space.complete ? { found: space } : { found: space, ...limited(space.truncation ?? 'interrupted') };
}

/**
 * The distribution of the run time of a net with random delays, from its reachable markings. Without it, the reason why it is not known.
 */
export function runTimeDistribution(
  subject: Explorable,
  space: StateSpace,
  budget: Budget,
): { readonly found?: Absorption; readonly because?: string } {
  const { found, because } = attempt(() =>
    distribution(
      subject,
      () => (space.complete ? { found: space } : limited(space.truncation ?? 'interrupted')),
      budget,
    ),
  );
  return because === undefined ? { ...(found === undefined ? {} : { found }) } : { because };
}

/** @throws InputError CTMC001 … CTMC007 */
function distribution(
  subject: Explorable,
  explored: () => Part<StateSpace>,
  budget: Budget,
): Part<NonNullable<ExactFigures['distribution']>> {
  if (rests(subject.net)) return { because: RESTING };
  const { net, final } = withoutInstants(subject);
  // Refuses delays before exploring.
  void new StepRates(net);
  const { found: space, ...why } = net === subject.net ? explored() : markingsOf(net, budget);
  if (space?.complete !== true) return why;
  const limit = new StateLimit(budget, MARKINGS);
  const chain = markovChain(space, budget.stop, limit);
  if (chain === undefined) return limited(limit.reached ?? budget.late ?? 'interrupted');
  const { complete, absorption } = absorptionOf(chain, budget.stop);
  assertFinal(chain, space, final);
  return complete ? { found: absorption } : { found: absorption, ...limited(budget.late ?? 'interrupted') };
}

/**
 * A run that ends elsewhere than in a final marking has no run time.
 *
 * @throws InputError CTMC006
 */
function assertFinal(chain: MarkovChain, space: StateSpace, final: FinalMarkings | undefined): void {
  if (final === undefined) return;
  const { parts } = absorbingStates(chain);
  const markings = ('places' in final ? [[final]] : final).map((all) =>
    all.map(({ places, tokens }) => ({ counts: space.tokens([...places], 0, space.states), tokens })),
  );
  const isFinal = (state: number): boolean =>
    markings.some((all) => all.every(({ counts, tokens }) => counts[chain.markings[state]!] === tokens));
  const deadlocks = Array.from(parts.of).filter((part, state) => parts.bottom[part] === 1 && !isFinal(state)).length;
  if (deadlocks > 0) fail('CTMC006', `${deadlocks} of the markings in which a run ends are not final: deadlocks`);
}
