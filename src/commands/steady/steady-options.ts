import type { BudgetOptions } from '../../analysis/space/budget.ts';
import type { ExploreProgress } from '../explore/explore-document.ts';
import { type InputKind, type KindOf, NET, type OptionRows, type OptionsFor } from '../inputs/option-rows.ts';

/** Options of `foretoken steady`. */
export interface SteadyOptions extends BudgetOptions {
  /** Maximum number of states stored. Default: no limit. */
  readonly maxStates?: number;
  /**
   * Further figures by name: a sum of tokens as `'#queue + 2 * #server'`, a formula as `'#cpu > 0'`, whose mean is the probability
   * that it holds, or `'firings(t, u)'`, firings per second.
   */
  readonly rewards?: Readonly<Record<string, string>>;
  /** Time in seconds from the initial marking at which figures are computed. Default: in the long run. */
  readonly at?: number;
  /** True: also the time until no marking can be left any more, which is the run time of a program that ends. */
  readonly absorption?: boolean;
  /** Called repeatedly during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
}

/** The kinds of input to which each option applies. */
export const STEADY_ROWS = {
  maxStates: NET,
  memory: NET,
  seconds: NET,
  progress: NET,
  rewards: NET,
  at: NET,
  absorption: NET,
  cancelled: NET,
  begun: NET,
} as const satisfies OptionRows<SteadyOptions>;

/** Options of `steady` that apply to an input. */
export type SteadyOptionsOf<I> = OptionsFor<SteadyOptions, typeof STEADY_ROWS, KindOf<I, InputKind>>;
