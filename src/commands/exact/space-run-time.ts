import { checkLimits } from '../../analysis/space/check-limits.ts';
import { MarkingTokens } from '../../analysis/space/marking-tokens.ts';
import type { Truncation } from '../../analysis/space/state-space.ts';
import {
  type OrderOfSteps,
  type RunTimeOptions,
  type RunTimes,
  runTimes as searchedRunTimes,
} from '../../analysis/space/timed/run-times.ts';
import { takesTime, whyNotConstant } from '../../analysis/space/timed/timing.ts';
import { InputError } from '../../base/problem.ts';
import { isDistribution } from '../../net/distribution.ts';
import { assertMembers } from '../../net/members.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import { restingTransitions } from '../subjects/run-time.ts';
import type { SpaceRunTime } from './exact-parts.ts';
import { finalMarkingsOf } from './explorable.ts';

/** Maximum number of timed states if no run time was requested: about a second. */
const UNASKED = 20_000;

/** True if the run times of a net are printed without request: its space has no loop, it takes time, and its delays are constant. */
export function hasRunTimes(net: Net, isLoopFree: boolean): boolean {
  return isLoopFree && takesTime(net) && whyNotConstant(net) === undefined;
}

/** True if delays are random, so that the run time has a distribution, and not a range over all orders. */
export function hasRandomRunTime({ places, transitions }: Net): boolean {
  return (
    transitions.some(({ delay }) => delay !== undefined && isDistribution(delay)) ||
    places.some(({ service }) => service !== undefined && 'time' in service && isDistribution(service.time))
  );
}

/** Why a program has no exact run time: the rest after its last message does not count. */
export const RESTING = 'network interfaces rest between messages';

/** True for processes with resources that rest. */
export function rests(net: Net): boolean {
  return net.processes !== undefined && restingTransitions(net).length > 0;
}

/** Options of {@link runTimes}. */
export interface RunTimesOptions {
  /** Maximum number of timed states, default 10⁶. */
  readonly maxStates?: number;
}

/**
 * The shortest and the longest run time of a net with constant delays over all orders of its steps, with an order of each. If
 * the net lists final markings, only runs that end in one have a run time. A time that is not known is null, with the reason.
 *
 * @throws InputError for an invalid net and unknown options (NET…), EXPL005 for a wrong limit
 */
export function runTimes(net: Net, options: RunTimesOptions = {}): SpaceRunTime {
  assertValid(net);
  assertMembers('runTimes', 'options', options, ['maxStates']);
  checkLimits(options);
  const final = finalMarkingsOf(net);
  return spaceRunTime(net, true, { ...options, ...(final === undefined ? {} : { final }) }).runTime;
}

/**
 * The run times of a net over all orders, for a result document.
 *
 * @param requested false: a search that would take long is left
 */
export function spaceRunTime(
  net: Net,
  requested: boolean,
  options: RunTimeOptions = {},
): { readonly runTime: SpaceRunTime; readonly truncation?: Truncation } {
  const { maxStates } = options;
  const most = requested ? maxStates : Math.min(maxStates ?? UNASKED, UNASKED);
  const found: RunTimes = rests(net)
    ? { complete: false, states: 0, deadlocks: 0, because: RESTING }
    : searched(net, { ...options, ...(most === undefined ? {} : { maxStates: most }) });
  const { shortest, longest, because, truncation } = found;
  const words = new MarkingTokens(net);
  const steps = (order: OrderOfSteps | undefined) =>
    order?.steps.map(({ seconds, ...step }) => ({ seconds, step: words.step(step) })) ?? null;
  const left = !requested && truncation === 'states' && (maxStates ?? Number.POSITIVE_INFINITY) > UNASKED;
  const runTime: SpaceRunTime = {
    shortest: { value: shortest?.seconds ?? null, unit: 's' },
    longest: { value: longest?.seconds ?? null, unit: 's' },
    complete: shortest !== undefined && longest !== undefined,
    states: found.states,
    deadlocks: found.deadlocks,
    because: left ? 'the search is long: --run-time continues it' : (because ?? null),
    witnesses: { shortest: steps(shortest), longest: steps(longest) },
  };
  return { runTime, ...(truncation === undefined ? {} : { truncation }) };
}

/** An expression without a value ends only this search, not the command. */
function searched(net: Net, options: RunTimeOptions): RunTimes {
  try {
    return searchedRunTimes(net, options);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return { complete: false, states: 0, deadlocks: 0, because: e.problems[0]!.message };
  }
}
