import { StateFormulas } from '../properties/state-formula.ts';
import { calledOn, type RewardExpression } from '../reward.ts';
import type { StateSpace } from '../space/state-space.ts';
import type { MarkovChain } from './chain.ts';
import { ROUNDING } from './elimination.ts';
import type { BoundedMean, Reward } from './mean-bounds.ts';

/** Rewards of the states of a chain. Negative ones are raised by a constant, which is subtracted from their means. */
export interface StateRewards extends Reward {
  readonly raisedBy: number;
}

/** The rewards of an expression. O(states × size of the expression). */
export function rewardsOf(expression: RewardExpression, chain: MarkovChain, space: StateSpace): StateRewards {
  if (expression.kind === 'firings') {
    const reward = new Float64Array(chain.states);
    for (const name of new Set(expression.transitions)) {
      const own = chain.throughput(space.net.transitions.findIndex((t) => t.name === name));
      for (let s = 0; s < reward.length; s++) reward[s]! += own[s]!;
    }
    return { reward, isExact: false, raisedBy: 0 };
  }
  if (expression.kind === 'function') {
    const found = calledOn(expression, chain.markings, space);
    const least = found.reduce((a, b) => Math.min(a, b), 0);
    const isRounded = least < 0 && !found.every(Number.isSafeInteger);
    return { reward: raised(found, least), isExact: !isRounded, raisedBy: -least };
  }
  const formulas = new StateFormulas(space);
  const all =
    expression.kind === 'sum'
      ? formulas.values(expression.sum, 0, space.states)
      : formulas.holds(expression.formula, 0, space.states);
  const reward = Float64Array.from(chain.markings, (state) => all[state]!);
  const least = reward.reduce((a, b) => Math.min(a, b), 0);
  const slopes = new Map<number, number>();
  for (const { place, factor } of expression.kind === 'sum' ? expression.sum.terms : []) {
    const k = space.net.places.findIndex(({ name }) => name === place);
    slopes.set(k, (slopes.get(k) ?? 0) + factor);
  }
  return { reward: raised(reward, least), isExact: true, slopes, raisedBy: -least };
}

/** Rewards of at least 0; each is rounded once, unless all are whole numbers. */
const raised = (reward: Float64Array, least: number): Float64Array =>
  least < 0 ? reward.map((r) => r - least) : reward;

/** The mean of rewards that were raised: the same number is subtracted, with one rounding. */
export function lowered<B extends BoundedMean>(bounded: B, raisedBy: number): B {
  if (raisedBy === 0) return bounded;
  const below = (x: number): number => x - raisedBy - 2 * ROUNDING * (Math.abs(x) + raisedBy);
  const above = (x: number): number => x - raisedBy + 2 * ROUNDING * (Math.abs(x) + raisedBy);
  const [lower, upper] = [below(bounded.lower), above(bounded.upper)];
  return { ...bounded, mean: Math.min(Math.max(bounded.mean - raisedBy, lower), upper), lower, upper };
}
