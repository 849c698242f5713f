import { type CycleTimes, cycleTimesOf } from '../../analysis/bounds/cycle-time.ts';
import { eventGraph, isEventGraph } from '../../analysis/bounds/event-graph.ts';
import type { RewardBounds } from '../../analysis/bounds/reward-bounds.ts';
import { type Bounds, boundsOf } from '../../analysis/bounds/throughput-bounds.ts';
import { timedNet } from '../../analysis/bounds/timed-net.ts';
import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { Interval } from '../exact/exact-parts.ts';
import type { Question } from './steady-options.ts';
import type { SteadyCycle, SteadyFindings, SteadyTransition } from './steady-result.ts';

/** Exact speed of a net without decisions; undefined if it has some, with the reason of the first. */
function cyclesOf(net: Net): CycleTimes | undefined {
  const timed = timedNet(net);
  const graph = eventGraph(timed);
  if (!isEventGraph(graph)) return undefined;
  try {
    return cycleTimesOf(net, timed, graph);
  } catch (error) {
    // Weights that no firings balance; BND004 says why there is no speed at all.
    if (error instanceof InputError && error.problems.every((p) => p.code === 'BND002' || p.code === 'BND003'))
      return undefined;
    throw error;
  }
}

/** True if `bounds` gives exact throughputs. */
export function hasCycleTime(net: Net): boolean {
  try {
    return cyclesOf(net) !== undefined;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/**
 * Bounds of all figures without a state space, proved; throughputs are exact for nets without decisions and with constant delays.
 *
 * @throws InputError STAT001 a restarted net; BND001, BND003, BND004; UNF001 … nets that cannot be unfolded
 */
export function byBounds({ net, rewards, budget, isRestarted }: Question): SteadyFindings {
  if (isRestarted)
    fail('STAT001', 'method bounds does not apply to a net that is restarted: its firings are those of one run');
  const cycles = cyclesOf(net);
  const found = boundsOf(
    net,
    rewards.map(([, reward]) => reward),
    { stop: budget.stop },
  );
  const late = budget.late;
  return {
    method: 'bounds',
    solver: null,
    complete: found.complete,
    ...(found.complete ? {} : { truncation: late ?? 'time' }),
    states: 0,
    vanishing: 0,
    residual: null,
    ...(cycles === undefined ? {} : { cycles: cycles.components.map(cycleOf) }),
    places: found.places.map(({ name, ...bounds }) => ({ name, ...interval(bounds) })),
    transitions: found.transitions.map(({ name, ...bounds }, t): SteadyTransition => {
      const exact = cycles?.transitions[t];
      const { mean: throughput, ...error } = exact === undefined ? interval(bounds) : exactly(exact);
      const { mean: value, ...own } = interval(found.enabled[t]!);
      return { name, throughput, ...error, enabledProbability: value, enabled: { value, unit: '1', ...own } };
    }),
    ...(rewards.length === 0
      ? {}
      : { rewards: found.rewards.map((bounds, k) => ({ name: rewards[k]![0], ...interval(bounds) })) }),
    components: [],
  };
}

/** Conversion of a fraction to a double, by up to one unit in its last place. */
const ROUNDING = 2 ** -52;

function exactly({ throughput, exact }: CycleTimes['transitions'][number]): { readonly mean: number } & Interval {
  const isInteger = !exact.includes('/') && Number.isSafeInteger(throughput);
  const halfWidth = isInteger ? 0 : throughput * ROUNDING;
  return {
    mean: throughput,
    halfWidth,
    lower: throughput - halfWidth,
    upper: throughput + halfWidth,
    certainty: 1,
    exact,
    lowerBy: 'cycle time',
    upperBy: 'cycle time',
  };
}

/** The middle of two bounds; the one that is known, or 0, if there are not two. */
function interval({
  lower,
  upper,
  ...others
}: Omit<Bounds, 'name'> | RewardBounds): { readonly mean: number } & Interval {
  if (lower === null || upper === null)
    return { mean: lower ?? upper ?? 0, halfWidth: null, lower, upper, certainty: 1, ...others };
  const mean = lower + (upper - lower) / 2;
  return { mean, halfWidth: Math.max(upper - mean, mean - lower), lower, upper, certainty: 1, ...others };
}

function cycleOf({
  transitions,
  cycleTime,
  firings,
  criticalCycle,
  limitedBy,
  place,
}: CycleTimes['components'][number]): SteadyCycle {
  return {
    transitions: transitions.map((name, k) => ({ name, firings: firings[k]! })),
    limitedBy,
    ...(cycleTime === undefined ? {} : { cycleTime: { value: cycleTime.value, unit: 's' }, exact: cycleTime.exact }),
    ...(place === undefined ? {} : { place }),
    ...(criticalCycle === undefined
      ? {}
      : {
          critical: criticalCycle.map(({ transition, place: via, seconds, tokens }) => ({
            transition,
            place: via,
            time: { value: seconds, unit: 's' as const },
            tokens,
          })),
        }),
  };
}
