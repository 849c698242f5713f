import { type OpenPlaces, openPlaces } from '../../../analysis/markov/open/open-places.ts';
import { TOO_SMALL } from '../../../analysis/markov/open/open-steady-state.ts';
import { InputError } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import type { Question } from '../steady-options.ts';
import type { SteadyFindings } from '../steady-result.ts';
import { byChain } from './by-chain.ts';

/** The smallest capacity that is tried: an M/M/1 queue of load 0.3 needs about 20. */
const FIRST = 16;
/** Largest number of states that are explored before capacities are tried, and of the chains that are cut: all figures have intervals. */
const MAX_STATES = 100_000;
/** Number of capacities without intervals for one reason, after which the search ends: a larger one does not remove the reason. */
const SAME = 3;

/**
 * The figures of a net by its Markov chain; if that has infinitely many states, by a chain cut at a capacity, which is doubled until every
 * interval is narrow.
 *
 * @throws InputError CTMC001 … CTMC007; CTMC004 also if no such capacity is found
 */
export function byGrowingCapacity(question: Question): SteadyFindings {
  const { options } = question;
  const isMore = options.maxStates === undefined || options.maxStates > MAX_STATES;
  let endless: InputError | undefined;
  try {
    const found = byChain(isMore ? { ...question, options: { ...options, maxStates: MAX_STATES } } : question);
    if (found.truncation !== 'states' || !isMore) return found;
  } catch (error) {
    if (!(error instanceof InputError) || error.problems[0]?.code !== 'CTMC004') throw error;
    endless = error;
  }
  const found = byCutChain(question);
  if (found !== undefined) return found;
  if (endless !== undefined) throw endless;
  return byChain(question);
}

/**
 * The figures of an infinite chain by one that is cut at a capacity, which is doubled until every interval is narrow. Undefined if no capacity
 * of open places makes the chain finite and all intervals narrow.
 */
export function byCutChain(question: Question): SteadyFindings | undefined {
  const { net, options, budget, isRestarted } = question;
  if (options.capacity !== undefined || isRestarted) return undefined;
  const open = openPlacesOf(net);
  if (open === undefined || open.obstacle !== undefined || open.places.length === 0) return undefined;
  const needed = open.places.map(({ place, threshold, brought }) => {
    const initial = net.places[place]!.initial.reduce((sum, { count }) => sum + count, 0);
    return Math.max(initial, threshold) + brought;
  });
  const maxStates = Math.min(options.maxStates ?? MAX_STATES, MAX_STATES);
  const reasons: string[] = [];
  for (let capacity = Math.max(FIRST, ...needed); !budget.stop(); capacity *= 2) {
    const found = byChain({ ...question, options: { ...options, capacity, maxStates } });
    if (found.complete) return found;
    if (found.places.length === 0) return undefined;
    const because = found.open?.because;
    if (because !== undefined && because !== TOO_SMALL) reasons.push(because);
    if (reasons.filter((reason) => reason === because).length === SAME) return undefined;
    if (found.states * furtherOf(found) ** open.places.length > maxStates) return undefined;
  }
  return undefined;
}

/** Undefined for a net that no capacity makes finite, or that cannot be unfolded. */
function openPlacesOf(net: Net): OpenPlaces | undefined {
  try {
    return openPlaces(net);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Least factor of the capacity that makes the intervals narrow, as measured on queues of load 0.1 to 0.995, with batches and in tandem. */
function furtherOf({ open, places }: SteadyFindings): number {
  if (open?.because !== undefined) return 8;
  const isWide = places.some(
    ({ mean, lower, upper }) => !((upper ?? Number.POSITIVE_INFINITY) - (lower ?? 0) < (mean ?? 0)),
  );
  return isWide ? 4 : 2;
}
