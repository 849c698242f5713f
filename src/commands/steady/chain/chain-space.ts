import { type OpenPlaces, openPlaces } from '../../../analysis/markov/open/open-places.ts';
import type { Budget } from '../../../analysis/space/budget.ts';
import type { StateSpace } from '../../../analysis/space/state-space.ts';
import { given } from '../../../base/given.ts';
import { fail } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { exploredSpace } from '../../exact/explored-space.ts';
import type { Question, SteadyOptions } from '../steady-options.ts';
import type { OpenFigures } from '../steady-result.ts';

/** Shares of time and memory for exploring; the rest is for the chain and its solution. */
const EXPLORING = 0.5;
const EXPLORING_MEMORY = 0.5;
/** Figures at a time or until an end need the chain: neither a capacity nor a simulation gives them. */
const LONG_RUN_ONLY = 'Only figures of the long run can be estimated: foretoken steady --method simulate';
const HOW =
  'Or cut it with proved intervals, foretoken steady --capacity N, or estimate the figures: foretoken steady --method simulate';

/** Places without a proved maximum of tokens, and the maximum number of tokens that each holds in the chain. */
export interface CutPlaces extends OpenPlaces {
  readonly capacity: number;
}

/**
 * The places whose chain is cut at the capacity of the options. Undefined without this option, or if the net has no such place.
 *
 * @throws InputError CTMC004 if a capacity of places does not make the chain finite, CTMC007 if the initial tokens exceed it
 */
export function cutPlaces({ net, options: { capacity } }: Question): CutPlaces | undefined {
  if (capacity === undefined) return undefined;
  const open = openPlaces(net);
  for (const { place, name } of open.places) {
    const initial = net.places[place]!.initial.reduce((sum, { count }) => sum + count, 0);
    if (initial > capacity) fail('CTMC007', `capacity: expected at least the ${initial} initial tokens of ${name}`);
  }
  return open.places.length === 0 ? undefined : { ...open, capacity };
}

/**
 * The part of the result about places that were cut.
 *
 * @param because why no figure has an interval
 */
export function openFigures({ places, capacity }: CutPlaces, because: string | undefined): OpenFigures {
  return { capacity, places: places.map(({ name }) => name), ...(because === undefined ? {} : { because }) };
}

/**
 * The states of a net, found within half of the time and memory of the budget.
 *
 * @param isLimited as in `exploredSpace`
 * @throws InputError CTMC004 infinitely many states, or too many of a net that may have infinitely many
 */
export function explored(net: Net, budget: Budget, options: SteadyOptions, isLimited: boolean): StateSpace {
  const limits = {
    ...given(options, ['maxStates', 'memory', 'cancelled']),
    budget: budget.before(EXPLORING, EXPLORING_MEMORY),
  };
  const found = exploredSpace(net, limits, budget.stop, isLimited, ({ states, expanded, seconds }) =>
    options.progress?.({ states, expanded, seconds, used: budget.used(states, options.maxStates) }),
  );
  if ('space' in found) return found.space;
  const { at, absorption, reach } = options;
  const how = at === undefined && absorption !== true && reach === undefined ? HOW : LONG_RUN_ONLY;
  if (!found.sure) return fail('CTMC004', `the chain may have infinitely many states: ${found.endless} ${how}`);
  return fail('CTMC004', `the chain has infinitely many states: ${found.endless} ${how}`);
}
