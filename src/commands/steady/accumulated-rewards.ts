import { ExpectedTimes } from '../../analysis/first-passage/accumulated.ts';
import { expectedGain } from '../../analysis/first-passage/expected-gain.ts';
import type { Reaching } from '../../analysis/first-passage/reaching.ts';
import { absorbingStates } from '../../analysis/markov/absorption-time.ts';
import type { MarkovChain } from '../../analysis/markov/chain.ts';
import { ROUNDING } from '../../analysis/markov/elimination.ts';
import { type BoundedMean, isFound } from '../../analysis/markov/mean-bounds.ts';
import { rewardsOf } from '../../analysis/markov/rewards.ts';
import type { RewardExpression } from '../../analysis/reward.ts';
import type { StateSpace } from '../../analysis/space/state-space.ts';
import { errorOf, NO_INTERVAL } from '../exact/absorption.ts';
import type { SteadyOptions } from './steady-options.ts';
import type { AccumulatedReward } from './steady-result.ts';

/** Totals of rewards. */
interface Accumulations {
  /** True if all intervals are narrow. */
  readonly complete: boolean;
  /** By reward, in the order in which they were asked for. */
  readonly of: readonly (readonly AccumulatedReward[])[];
}

/** The chain of a net, and with the option `reach` the chain that stops where the formula holds. */
interface ChainUntil {
  readonly chain: MarkovChain;
  readonly space: StateSpace;
  readonly reaching: Reaching | undefined;
}

/** The expected gain until some end, by gains per second, at least 0. */
type GainOf = (gain: Float64Array, error: number) => BoundedMean;

/**
 * Totals of rewards until the time `at`, until the end of the net, and until a formula holds: those that the options ask for. A sum of
 * tokens becomes token seconds, a formula seconds, firings a number. Undefined if `stop` ended the work.
 */
export function accumulatedRewards(
  asked: readonly (readonly [name: string, RewardExpression])[],
  { chain, space, reaching }: ChainUntil,
  { at, absorption }: SteadyOptions,
  stop: () => boolean,
): Accumulations | undefined {
  const found = asked.map((): AccumulatedReward[] => []);
  const units = asked.map(([, { kind }]): AccumulatedReward['unit'] => (kind === 'firings' ? '1' : 's'));
  let complete = true;
  const add = (until: AccumulatedReward['until'], on: MarkovChain, gainOf: GainOf, seconds = 0): void => {
    asked.forEach(([, expression], k) => {
      const { total, isNarrow } = added(expression, on, space, gainOf, seconds);
      complete &&= isNarrow;
      found[k]!.push({ until, value: total.mean, unit: units[k]!, ...errorOf(total) });
    });
  };
  if (asked.length > 0 && at !== undefined) {
    const times = ExpectedTimes.until(chain, at, stop);
    if (times === undefined) return undefined;
    add('time', chain, (gain, error) => times.gain(gain, error), at);
  }
  if (absorption === true) {
    const { parts } = absorbingStates(chain);
    add('end', chain, (gain, error) => expectedGain(chain, parts, gain, error, stop).from);
  }
  if (reaching !== undefined && reaching.lost.length > 0)
    for (const [k, one] of found.entries()) one.push({ ...ENDLESS, unit: units[k]! });
  else if (reaching !== undefined) {
    const { chain: until, parts } = reaching;
    add('reach', until, (gain, error) => expectedGain(until, parts, gain, error, stop).from);
  }
  return { complete, of: found };
}

const ENDLESS: Omit<AccumulatedReward, 'unit'> = {
  until: 'reach',
  value: null,
  ...NO_INTERVAL,
  because: 'the formula may never hold',
};

/**
 * The total of one reward. Gains above and below 0 are added up separately.
 *
 * @param seconds time of the gains, for the size of the total to which its interval is compared; 0 if it is not known
 */
function added(
  expression: RewardExpression,
  chain: MarkovChain,
  space: StateSpace,
  gainOf: GainOf,
  seconds: number,
): { readonly total: BoundedMean; readonly isNarrow: boolean } {
  const { reward, isExact, raisedBy } = rewardsOf(expression, chain, space);
  const signed = raisedBy === 0 ? reward : reward.map((r) => r - raisedBy);
  const error = isExact ? 0 : 2 * chain.error;
  const atOnce = firedAtOnce(expression, chain, space);
  const gained = gainOf(
    signed.map((r) => Math.max(0, r)),
    error,
  );
  const up = atOnce.upper === 0 ? gained : sum(gained, atOnce);
  const most = seconds * signed.reduce((a, r) => Math.max(a, Math.abs(r)), 0);
  if (raisedBy === 0) return { total: up, isNarrow: isFound(up, most) };
  const down = gainOf(
    signed.map((r) => Math.max(0, -r)),
    error,
  );
  const total = sum(up, { mean: -down.mean, lower: -down.upper, upper: -down.lower });
  return { total, isNarrow: isFound(up, Math.max(most, down.mean)) && isFound(down, Math.max(most, up.mean)) };
}

/** Expected immediate firings before any time passes. */
function firedAtOnce(expression: RewardExpression, { initial }: MarkovChain, { net }: StateSpace): BoundedMean {
  if (expression.kind !== 'firings' || initial.firings.size === 0) return { mean: 0, lower: 0, upper: 0 };
  const own = new Set(expression.transitions);
  let mean = 0;
  for (const [t, n] of initial.firings) if (own.has(net.transitions[t]!.name)) mean += n;
  const off = 1.1 * initial.error + (own.size + 2) * ROUNDING;
  return { mean, lower: mean * (1 - off), upper: mean * (1 + off) };
}

function sum(a: BoundedMean, b: BoundedMean): BoundedMean {
  const lower = a.lower + b.lower;
  const upper = a.upper + b.upper;
  const off = 2 * ROUNDING;
  return { mean: a.mean + b.mean, lower: lower - off * Math.abs(lower), upper: upper + off * Math.abs(upper) };
}
