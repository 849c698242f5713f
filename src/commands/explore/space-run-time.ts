import { MarkingTokens } from '../../analysis/space/marking-tokens.ts';
import {
  type OrderOfSteps,
  type RunTimeOptions,
  type RunTimes,
  runTimes,
} from '../../analysis/space/timed/run-times.ts';
import { takesTime, whyNotConstant } from '../../analysis/space/timed/timing.ts';
import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { restingTransitions } from '../predict/run-time.ts';
import type { SpaceRunTime } from './space.ts';

/** Maximum number of timed states if no run time was requested: about a second. */
const UNASKED = 20_000;

/** True if a net, of whose space this is known, has run times that are worth printing without request. */
export function hasRunTimes(net: Net, isLoopFree: boolean): boolean {
  return isLoopFree && takesTime(net) && whyNotConstant(net) === undefined;
}

/** The rest after the last message does not count for the run time of a program. */
const RESTING: RunTimes = {
  complete: false,
  states: 0,
  deadlocks: 0,
  because: 'network interfaces rest between messages',
};

/**
 * The run times of a net over all orders, for a result document.
 *
 * @param requested false: a search that would take long is left
 */
export function spaceRunTime(
  net: Net,
  requested: boolean,
  { isProgram, ...options }: RunTimeOptions & { readonly isProgram: boolean },
): SpaceRunTime {
  const { maxStates } = options;
  const most = requested ? maxStates : Math.min(maxStates ?? UNASKED, UNASKED);
  const found =
    isProgram && restingTransitions(net).length > 0
      ? RESTING
      : searched(net, { ...options, ...(most === undefined ? {} : { maxStates: most }) });
  const { shortest, longest, because, truncation } = found;
  const words = new MarkingTokens(net);
  const steps = (order: OrderOfSteps | undefined) =>
    order?.steps.map(({ seconds, ...step }) => ({ seconds, step: words.step(step) })) ?? null;
  const left = !requested && truncation === 'states' && (maxStates ?? Number.POSITIVE_INFINITY) > UNASKED;
  return {
    shortest: { value: shortest?.seconds ?? null, unit: 's' },
    longest: { value: longest?.seconds ?? null, unit: 's' },
    complete: shortest !== undefined && longest !== undefined,
    states: found.states,
    deadlocks: found.deadlocks,
    because: left ? 'the search is long: --run-time continues it' : (because ?? null),
    witnesses: { shortest: steps(shortest), longest: steps(longest) },
  };
}

/** An expression without a value ends only this search, not the command. */
function searched(net: Net, options: RunTimeOptions): RunTimes {
  try {
    return runTimes(net, options);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return { complete: false, states: 0, deadlocks: 0, because: e.problems[0]!.message };
  }
}
