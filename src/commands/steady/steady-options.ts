import type { RewardExpression } from '../../analysis/properties/parse-property.ts';
import type { Formula } from '../../analysis/properties/property.ts';
import type { Budget, BudgetOptions } from '../../analysis/space/budget.ts';
import type { Net } from '../../net/net.ts';
import type { ExploreProgress } from '../explore/explore-document.ts';
import { type InputKind, type KindOf, NET, type OptionRows, type OptionsFor } from '../inputs/option-rows.ts';

/** Methods by which figures of the long run are found. */
export const METHOD_NAMES = ['auto', 'ctmc', 'simulate', 'bounds', 'all'] as const;
export type SteadyMethod = (typeof METHOD_NAMES)[number];

/** Options of `foretoken steady`. */
export interface SteadyOptions extends BudgetOptions {
  /**
   * How figures are found: `ctmc` solves the Markov chain, `simulate` estimates them from a long run, `bounds` proves bounds without a
   * state space, `all` compares these three. `auto` (default) takes the chain if the net has a finite one, and `bounds` if it has neither
   * decisions nor random delays, so that its throughputs are exact.
   */
  readonly method?: SteadyMethod;
  /** Simulation: half-width of each interval relative to its figure, 0.01 or `'1%'` (default). */
  readonly precision?: number | `${number}%`;
  /** Simulation: confidence level of the intervals, default 0.95. */
  readonly confidence?: number | `${number}%`;
  /** Simulation: number of independent runs. Default: one long run. */
  readonly replications?: number;
  /** Simulation: maximum number of firings, default 1e8. */
  readonly maxFirings?: number;
  /** Simulation: seed of all random numbers, default `'1'`. */
  readonly seed?: string;
  /** Maximum number of states stored. Default: no limit; 5e6 with method `auto`. */
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
  /**
   * A formula as `'#queue >= 3'`: also the probability that a marking that satisfies it is ever reached, also one that is left at once, and
   * the time until then; with `at`, the probability to reach it by this time.
   */
  readonly reach?: string;
  /** Called repeatedly during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
}

/** What is asked about a valid net. */
export interface Question {
  readonly net: Net;
  readonly rewards: readonly (readonly [name: string, RewardExpression])[];
  /** The formula of the option `reach`. */
  readonly reach?: Formula;
  readonly options: SteadyOptions;
  readonly budget: Budget;
}

/** The kinds of input to which each option applies. */
export const STEADY_ROWS = {
  method: NET,
  precision: NET,
  confidence: NET,
  replications: NET,
  maxFirings: NET,
  seed: NET,
  maxStates: NET,
  memory: NET,
  seconds: NET,
  progress: NET,
  rewards: NET,
  at: NET,
  absorption: NET,
  reach: NET,
  cancelled: NET,
  begun: NET,
} as const satisfies OptionRows<SteadyOptions>;

/** Options of `steady` that apply to an input. */
export type SteadyOptionsOf<I> = OptionsFor<SteadyOptions, typeof STEADY_ROWS, KindOf<I, InputKind>>;
