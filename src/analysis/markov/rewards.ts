import type { RewardExpression } from '../properties/parse-property.ts';
import { StateFormulas } from '../properties/state-formula.ts';
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
  return { reward: least < 0 ? reward.map((r) => r - least) : reward, isExact: true, slopes, raisedBy: -least };
}

/** The mean of rewards that were raised: whole numbers are subtracted, with one rounding. */
export function lowered<B extends BoundedMean>(bounded: B, raisedBy: number): B {
  if (raisedBy === 0) return bounded;
  const below = (x: number): number => x - raisedBy - 2 * ROUNDING * (Math.abs(x) + raisedBy);
  const above = (x: number): number => x - raisedBy + 2 * ROUNDING * (Math.abs(x) + raisedBy);
  const [lower, upper] = [below(bounded.lower), above(bounded.upper)];
  return { ...bounded, mean: Math.min(Math.max(bounded.mean - raisedBy, lower), upper), lower, upper };
}
