import { type CycleTimes, cycleTimesOf } from '../../analysis/bounds/cycle-time.ts';
import { eventGraph, isEventGraph } from '../../analysis/bounds/event-graph.ts';
import type { RewardBounds } from '../../analysis/bounds/reward-bounds.ts';
import { runTimeBounds } from '../../analysis/bounds/run-time-bounds.ts';
import { boundsOf } from '../../analysis/bounds/throughput-bounds.ts';
import { timedNet } from '../../analysis/bounds/timed-net.ts';
import { fail, InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import type { Interval } from '../exact/exact-parts.ts';
import { loadRemarks } from './simulated/load-remarks.ts';
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
 * @throws InputError STAT001 rewards of a restarted net; BND001 … BND004; UNF001 … nets that cannot be unfolded
 */
export function byBounds({ net, rewards, budget, isRestarted }: Question): SteadyFindings {
  if (isRestarted) return ofOneRun(net, rewards.length > 0);
  const cycles = cyclesOf(net);
  const found = boundsOf(
    net,
    rewards.map(([, reward]) => reward),
    { stop: budget.stop },
  );
  const late = budget.late;
  const remarks = found.complete ? loadRemarks(net, budget.stop) : [];
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
    ...(remarks.length === 0 ? {} : { remarks }),
  };
}

/** Bounds of the run time of a net that is restarted at its end, and of what follows from it: gains of a run over its time. */
function ofOneRun(net: Net, hasRewards: boolean): SteadyFindings {
  if (hasRewards) fail('STAT001', 'method bounds has no rewards of a net that is restarted: use another method');
  const { lower, upper, span, work, upperBy, firings } = runTimeBounds(net);
  const lowerBy = span >= work ? 'longest path' : 'work of a resource';
  const share = (gain: number, time: number): number => (time > 0 ? gain / time : 0);
  return {
    method: 'bounds',
    solver: null,
    complete: true,
    states: 0,
    vanishing: 0,
    residual: null,
    runTime: interval({ lower, upper, lowerBy, upperBy }),
    places: [],
    transitions: net.transitions.map(({ name }, t): SteadyTransition => {
      const own = firings.filter(({ origin, count }) => origin === t && count > 0);
      const count = own.reduce((sum, f) => sum + f.count, 0);
      const seconds = own.reduce((sum, f) => sum + f.count * f.seconds, 0);
      const longest = own.reduce((most, f) => Math.max(most, f.seconds), 0);
      const { mean: throughput, ...error } = interval({
        lower: share(count, upper),
        lowerBy: upperBy,
        upperBy: lowerBy,
        upper: lower > 0 ? count / lower : null,
      });
      const { mean: value, ...enabled } = interval({
        lower: Math.min(1, share(longest, upper)) * (1 - MEAN_ROUNDING),
        lowerBy: upperBy,
        upperBy: lowerBy,
        upper: lower > 0 ? Math.min(1, (seconds / lower) * (1 + MEAN_ROUNDING)) : 1,
      });
      return { name, throughput, ...error, enabledProbability: value, enabled: { value, unit: '1', ...enabled } };
    }),
    components: [],
  };
}

/** Rounding error of the mean of a distribution, relative to it, from above. */
const MEAN_ROUNDING = 1e-8;

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
}: Pick<Interval, 'lowerBy' | 'upperBy'> & Pick<RewardBounds, 'lower' | 'upper' | 'because'>): {
  readonly mean: number;
} & Interval {
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
