import type { Formula } from '../../analysis/properties/property.ts';
import type { RewardExpression, RewardFunction } from '../../analysis/reward.ts';
import type { Budget, BudgetOptions } from '../../analysis/space/budget.ts';
import type { Activity } from '../../analysis/space/reachable-fragments.ts';
import type { Net } from '../../net/net.ts';
import type { ExploreProgress } from '../explore/explore-document.ts';
import {
  ANALYSED,
  ANALYSIS_ROWS,
  type InputKind,
  type KindOf,
  type OptionRows,
  type OptionsFor,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';

/** Methods by which figures of the long run are found. */
export const METHOD_NAMES = ['auto', 'ctmc', 'simulate', 'bounds', 'all'] as const;
export type SteadyMethod = (typeof METHOD_NAMES)[number];

/** Options that a document keeps as they are, so that `rerun` gives them again. */
export const SETTINGS = [
  'method',
  'maxStates',
  'at',
  'erlang',
  'reach',
  'capacity',
  'precision',
  'confidence',
  'replications',
  'maxFirings',
  'seed',
] as const;

/** A reward in the options of a document whose program gave a function; no text form of a reward is the same. */
export const FUNCTION = 'function';

/** Options of `foretoken steady`. For models also the machine and the number of ranks. */
export interface SteadyOptions extends BudgetOptions, MachineOptions, ThreadOptions {
  /** Values of the parameters of a model. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
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
  /**
   * Simulation: number of threads for `replications`, default one per core; 1 computes in the calling thread, as for a net or a model that is
   * not a file. It does not affect results.
   */
  readonly workers?: number;
  /** Simulation: maximum number of firings, default 1e8. */
  readonly maxFirings?: number;
  /** Simulation: seed of all random numbers, default `'1'`. */
  readonly seed?: string;
  /** Maximum number of states stored. Default: no limit; 5e6 with method `auto`. */
  readonly maxStates?: number;
  /**
   * Further figures by name: a sum of tokens as `'#queue + 2 * #server'`, a formula as `'#cpu > 0'`, whose mean is the probability
   * that it holds, or `'firings(t, u)'`, firings per second. A function of the marking as `(tokens) => tokens('cpu') ** 2` needs the chain
   * of a net with finitely many markings.
   */
  readonly rewards?: Readonly<Record<string, string | RewardFunction>>;
  /** Time in seconds from the initial marking at which figures are computed. Default: in the long run. */
  readonly at?: number;
  /**
   * Chain: each deterministic delay of a transition is replaced by an Erlang delay of the same mean, with this number of stages and with twice
   * as many. The figures are approximations without intervals; `change` is the difference of the two.
   */
  readonly erlang?: number;
  /**
   * Chain: places without a maximum of tokens are cut at this number. Figures and intervals are those of the infinite net; they have none if
   * no proof is found that its queues are stable. By default, the methods `auto` and `all` look for a number at which all intervals are narrow.
   */
  readonly capacity?: number;
  /** True: also the time until no marking can be left any more, which is the run time of a program that ends. */
  readonly absorption?: boolean;
  /** True: figures are those of a net that is restarted at each of its ends. Programs that end always are. */
  readonly restart?: boolean;
  /**
   * A formula as `'#queue >= 3'`: also the probability that a marking that satisfies it is ever reached, also one that is left at once, and
   * the time until then; with `at`, the probability to reach it by this time.
   */
  readonly reach?: string;
  /** Called repeatedly during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
  /**
   * Called repeatedly while runs are simulated, with the simulated seconds of all, and the share of the work from 0 to 1 as the intervals so
   * far let expect it; NaN: not known yet.
   */
  readonly simulated?: (time: number, share: number) => void;
}

/** A valid net with the requested figures and limits. */
export interface Question {
  readonly net: Net;
  readonly rewards: readonly (readonly [name: string, RewardExpression])[];
  /** The formula of the option `reach`. */
  readonly reach?: Formula;
  readonly options: SteadyOptions;
  readonly budget: Budget;
  /** True if the user limits states, time or memory; `options` may also have the default limits of a method. */
  readonly isLimited: boolean;
  /** True for a net that is restarted at each of its ends. */
  readonly isRestarted: boolean;
  /** Programs: the place of processes that have ended, and their number at the end. Every other end is a deadlock. */
  readonly ended?: { readonly place: number; readonly tokens: number };
  /** Where its processes are active; absent for a net without processes. */
  readonly activity?: Activity;
  /** Programs: the nodes that have ranks. */
  readonly nodes?: readonly MappedNode[];
  /** Links of services that share them. */
  readonly served?: readonly ServedResource[];
  /** How threads make the same question; absent if its input is not a file. */
  readonly again?: Omit<Again, 'hash'>;
}

/** How a thread makes the same question again. */
export interface Again {
  /** The input: a net, or a module that exports one or a model. */
  readonly file: string;
  /** Options without functions. */
  readonly options: SteadyOptions;
  /** Hash of the net, which the thread must find, too. */
  readonly hash: string;
}

/** A resource whose users share it: a link of a service. */
export interface ServedResource {
  readonly name: string;
  readonly kind: 'host' | 'link' | 'memory';
  /** As in the result: cores of a host, else `rate`. */
  readonly capacity: number;
  /** The place with the service, the number of the link in it, and units of work that the link does per second. */
  readonly place: string;
  readonly link: number;
  readonly rate: number;
}

/** A node of the machine, and the ranks placed on it. */
export interface MappedNode {
  readonly name: string;
  readonly ranks: ReadonlySet<number>;
  /** Cores, if its load is the number of those that are busy. */
  readonly cores?: number;
}

/** The kinds of input to which each option applies. */
export const STEADY_ROWS = {
  ...ANALYSIS_ROWS,
  restart: ANALYSED,
  method: ANALYSED,
  precision: ANALYSED,
  confidence: ANALYSED,
  replications: ANALYSED,
  workers: ANALYSED,
  maxFirings: ANALYSED,
  seed: ANALYSED,
  maxStates: ANALYSED,
  memory: ANALYSED,
  seconds: ANALYSED,
  progress: ANALYSED,
  simulated: ANALYSED,
  rewards: ANALYSED,
  at: ANALYSED,
  absorption: ANALYSED,
  erlang: ANALYSED,
  reach: ANALYSED,
  capacity: ANALYSED,
  cancelled: ANALYSED,
  begun: ANALYSED,
} as const satisfies OptionRows<SteadyOptions>;

/** Options of `steady` that apply to an input. */
export type SteadyOptionsOf<I> = OptionsFor<SteadyOptions, typeof STEADY_ROWS, KindOf<I, InputKind>>;
