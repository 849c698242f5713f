import type { BudgetOptions } from '../../analysis/space/budget.ts';
import type { ExploreProgress } from '../explore/explore-document.ts';
import { type InputKind, type KindOf, NET, type OptionRows, type OptionsFor } from '../inputs/option-rows.ts';

/** Options of `foretoken steady`. */
export interface SteadyOptions extends BudgetOptions {
  /** Maximum number of states stored. Default: no limit. */
  readonly maxStates?: number;
  /** Called repeatedly during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
}

/** The kinds of input to which each option applies. */
export const STEADY_ROWS = {
  maxStates: NET,
  memory: NET,
  seconds: NET,
  progress: NET,
  cancelled: NET,
  begun: NET,
} as const satisfies OptionRows<SteadyOptions>;

/** Options of `steady` that apply to an input. */
export type SteadyOptionsOf<I> = OptionsFor<SteadyOptions, typeof STEADY_ROWS, KindOf<I, InputKind>>;
