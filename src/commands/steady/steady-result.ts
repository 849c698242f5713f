import type { Truncation } from '../../analysis/space/budget.ts';
import type { Absorption, Interval } from '../exact/exact-parts.ts';
import type { Figure, InputFile, NetSettings, SearchSettings } from '../inputs/document-parts.ts';
import type { SteadyMethod } from './steady-options.ts';

/** The formula of a reward. */
export type RewardSetting = string;

/** Settings of figures of a Markov chain. The names of rewards are those of the user, so that their keys are open: `reward.NAME`. */
export interface SteadySettings extends NetSettings, SearchSettings {
  /** The time of the figures, in seconds, instead of the long run. */
  readonly at?: number;
  /** Figures of the time until the net ends were asked for. */
  readonly absorption?: 1;
  /** Number of stages of the Erlang delays that replace deterministic ones; the second result has twice as many. */
  readonly erlang?: number;
  /** Tokens at which places without a maximum are cut. */
  readonly capacity?: number;
  /** A net is restarted at each of its ends, as programs always are. */
  readonly restart?: 1;
  /** The formula whose first time was asked for. */
  readonly reach?: string;
  /** The method that was asked for. */
  readonly method?: SteadyMethod;
  /** Half-width of simulated figures in relation to them. */
  readonly precision?: number | `${number}%`;
  readonly confidence?: number | `${number}%`;
  /** Number of independent runs. */
  readonly replications?: number;
  readonly maxFirings?: number;
  readonly seed?: number | string;
  readonly [reward: `reward.${string}`]: RewardSetting;
}

/** Transitions that wait for each other, of a net without decisions and with constant delays. */
export interface SteadyCycle {
  /** Transitions, with their firings in one period. */
  readonly transitions: readonly {
    /** The transition. */
    readonly name: string;
    /** Its firings in one period. */
    readonly firings: number;
  }[];
  /** Its period, were it alone; absent if it stops. */
  readonly cycleTime?: Figure;
  /** The period as a fraction of seconds. */
  readonly exact?: string;
  /** Its slowest cycle, or one without tokens: each step, what leads to the next one, the time until then, and tokens on the way. */
  readonly critical?: readonly {
    /** The transition of the step. */
    readonly transition: string;
    /** The place that leads to the next step. */
    readonly place: string;
    /** Time until the next step. */
    readonly time: Figure;
    /** Tokens on the way. */
    readonly tokens: number;
  }[];
  /**
   * The limit: `cycle`, its own slowest cycle; `input`, a part that feeds it; `deadlock`, a cycle without tokens; `starved`, a place that is never
   * filled again.
   */
  readonly limitedBy: 'cycle' | 'input' | 'deadlock' | 'starved';
  /** The place that feeds or starves it. */
  readonly place?: string;
}

/** The answer of one method, for `all`. */
export interface MethodAnswer {
  /** The method. */
  readonly method: 'ctmc' | 'bounds' | 'simulate';
  /** True if all intervals meet those of the first method; null if it gave no figures, or none that can be compared. */
  readonly agree: boolean | null;
  /** Why it gave no figures, or is not compared. */
  readonly because?: string;
  /** Figures whose intervals do not meet, as `transition t`. */
  readonly apart?: readonly string[];
  /** As in the whole document. */
  readonly complete: boolean;
  readonly truncation?: SteadyDocument['truncation'];
  /** Its figures of places. */
  readonly places: readonly SteadyPlace[];
  /** Its figures of transitions. */
  readonly transitions: readonly SteadyTransition[];
  /** Its figures that were asked for. */
  readonly rewards?: readonly SteadyReward[];
}

/** The long-run mean of a place. */
export interface SteadyPlace extends Interval {
  /** Name of the place. */
  readonly name: string;
  /** Mean number of tokens, of all colours, in service included. */
  readonly mean: number;
  /** Tokens that enter the place per second, with those of the initial marking at each restart. */
  readonly arrivals?: Figure & Interval;
  /** Mean time that a token stays, by Little's law: `mean` over `arrivals`. Absent without arrivals, and for figures at a time. */
  readonly response?: Figure & Interval;
}

/** The long-run figures of a transition. `lower` and `upper` are those of the throughput. */
export interface SteadyTransition extends Interval {
  /** Name of the transition. */
  readonly name: string;
  /** Mean number of firings per second. */
  readonly throughput: number;
  /**
   * Share of time in which the clock of a race runs, or a firing of a holding transition is in progress. 0 for an immediate
   * transition: markings that enable it take no time.
   */
  readonly enabledProbability: number;
  /** `enabledProbability` with its interval. */
  readonly enabled: Figure & Interval;
}

/** A figure that was asked for. */
export interface SteadyReward extends Interval {
  /** Name of the reward. */
  readonly name: string;
  /** Mean of the reward: tokens, a probability, or firings per second. */
  readonly mean: number;
  /** Totals of the reward until a time, the end of the net, or the first marking of a formula: those that were asked for. */
  readonly accumulated?: readonly AccumulatedReward[];
}

/**
 * The total of a reward: its integral over time, or a number of firings. `until` is the end of the sum: `time`, the time of the option `at`;
 * `end`, the marking that is never left (`absorption`); `reach`, the first marking that satisfies the formula.
 */
export interface AccumulatedReward extends Interval {
  readonly until: 'time' | 'end' | 'reach';
  /** The expected total; null if the formula may never hold. */
  readonly value: number | null;
  /** `1` for a number of firings; `s` for an integral over time: token seconds, or the seconds in which a formula holds. */
  readonly unit: '1' | 's';
}

/** The time from the start to the end of a net that is restarted. */
export interface SteadyRunTime extends Interval {
  /** Mean time in seconds. */
  readonly mean: number;
}

/** The degree of parallelism over time. */
export interface SteadyParallelism extends Interval {
  /** Mean number of active processes or, inside a process, of its active threads. */
  readonly mean: number;
}

/** A set of processes that are active together (the method, result 1). */
export interface SteadyFragment extends Interval {
  /** The processes, ascending. */
  readonly processes: readonly number[];
  /** Share of time in which exactly these are active. */
  readonly probability: number;
}

/** The load of a node of the machine (the method, result 2). */
export interface SteadyNode extends Interval {
  /** Name of the node. */
  readonly name: string;
  /** Number of ranks on it. */
  readonly ranks: number;
  /** Mean number of its ranks that are active. */
  readonly load: number;
}

/** The utilisation of a resource (the method, result 4). */
export interface SteadyResource extends Interval {
  /** Name of its place, of the node, or of the link. */
  readonly name: string;
  /**
   * `host`: the cores of a node; `station`: the servers of a place; `resource`: the tokens of a place of this kind, in use while they are
   * not in the place; `link`, `memory`: capacity shared by the tokens in the service of a place, or by transfers and memory traffic of a
   * program; of a simulation only. The utilisation of a link is the carried amount divided by its capacity.
   */
  readonly kind: 'host' | 'station' | 'resource' | 'link' | 'memory';
  /** Mean share that is in use. */
  readonly utilisation: number;
  /** Number of its cores, servers or tokens; of links and memories units of work per second, in programs bytes. */
  readonly capacity: number;
}

/**
 * The time until a formula first holds, also in a marking that is left at once. `lower` and `upper` are those of the mean. If the probability
 * is below 1, all times are conditional: those of the runs in which the formula ever holds. If it is 0, there are no times.
 */
export interface Reach extends Partial<Absorption> {
  /** The formula. */
  readonly formula: string;
  /** Probability that the formula ever holds. */
  readonly probability: number;
  /** The proved interval of the probability. */
  readonly probabilityInterval: Interval;
  /** With the option `at`: probability that the formula has held until this time in seconds. */
  readonly until?: Interval & {
    /** The time, in seconds. */
    readonly time: number;
    /** Probability that the formula has held until then. */
    readonly probability: number;
  };
}

/** A set of states that is never left once it is entered. */
export interface SteadyComponent extends Interval {
  /** Probability that the net ends in it, from its initial marking. */
  readonly probability: number;
  /** Number of its states. */
  readonly states: number;
}

/** Figures of a net whose deterministic delays are replaced by Erlang delays of the same mean. They are approximations: none has an interval. */
export interface ErlangFigures {
  /** Number of stages that was asked for. */
  readonly stages: number;
  /** Twice that number: the stages of the figures of the document. */
  readonly double: number;
  /** The transitions whose delays are replaced. */
  readonly transitions: readonly string[];
  /** Largest change of a figure from `stages` to `double`, relative to the larger of both. It is no bound on any error. Null without figures. */
  readonly largestChange: number | null;
}

/** A net with places of any number of tokens, by its chain cut at a capacity. Figures and intervals are those of the infinite net. */
export interface OpenFigures {
  /** Maximum number of tokens of each of these places in the chain that was solved. */
  readonly capacity: number;
  /** The places without a proved maximum of tokens. */
  readonly places: readonly string[];
  /** Why no figure has an interval: then all are those of the chain that was cut, and may be far from those of the net. */
  readonly because?: string;
}

/** The simulation behind estimated figures. */
export interface SteadySimulation {
  /** Number of firings of all transitions. */
  readonly firings: number;
  /** Simulated time. */
  readonly time: Figure;
  /** Number of independent runs. */
  readonly replications: number;
  /** Requested half-width of each interval, relative to its figure. */
  readonly precision: number;
  /** Confidence level of the intervals. */
  readonly confidence: number;
}

/**
 * The result of `foretoken steady`, version 1. `--json` prints it and all views read it. Figures are long-run means over time
 * from the initial marking or, with the option `at`, means at that time. `seconds` varies with the computer; all else is reproducible.
 */
export interface SteadyDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'steady';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /**
   * The method: `ctmc` solves the continuous-time Markov chain, `simulate` estimates figures from runs, `bounds` proves bounds without a
   * state space. With the option `all`, that of the figures below; `methods` has those of all.
   */
  readonly method: 'ctmc' | 'simulate' | 'bounds';
  /** Why this method was taken. */
  readonly reason: string;
  /** How the chain was solved: `elimination` is exact to rounding, `iteration` approaches the solution, `uniformisation` gives figures at a time; all are bounded. */
  readonly solver: 'elimination' | 'iteration' | 'uniformisation' | null;
  /**
   * True if every interval is narrow, and no limit ended the work. Chain: the half-width is at most 1e-8 of the figure, or 1e-11 of the
   * figure's maximum over the states; with the option `erlang`, in both approximations. Simulation: the half-width is at most the requested
   * precision; figures that are the same in every batch do not count. Bounds: all were computed. With method `all`: all methods agree, too.
   */
  readonly complete: boolean;
  /**
   * Why the work ended early: a limit, or a request of the user. `unsteady`: tokens grow without end; `dead`: the simulated run ended in
   * a dead marking; `ends`: independent runs settle in different sets of markings, so that longer ones do not help.
   */
  readonly truncation?: Truncation | 'firings' | 'unsteady' | 'dead' | 'ends';
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'net' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile } & {
    /** The files that a module imports by path. */
    readonly members?: readonly InputFile[];
  };
  /** All settings needed to repeat the result besides the inputs. */
  readonly options: SteadySettings;
  /** With the option `erlang`: all figures are approximations. */
  readonly erlang?: ErlangFigures;
  /** With the option `capacity`, of a net with places of any number of tokens. */
  readonly open?: OpenFigures;
  /** A chain that was solved by sets of states that differ in symmetric colours: the number of sets, and `states` divided by it. */
  readonly lumped?: {
    /** Number of sets of states. */
    readonly states: number;
    /** Number of states divided by that of the sets. */
    readonly factor: number;
  };
  /** Simulations only: length and settings. */
  readonly simulation?: SteadySimulation;
  /** Nets without decisions and with constant delays, by method `bounds`: sets of transitions, those that feed others first. */
  readonly cycles?: readonly SteadyCycle[];
  /** With the option `all`: the answers of all methods. */
  readonly methods?: readonly MethodAnswer[];
  /** Number of markings in which time passes; of an incomplete exploration, the markings found; 0 without a chain. */
  readonly states: number;
  /** Number of markings that an immediate step leaves at once. */
  readonly vanishing: number;
  /** Largest difference of the flows of probability into and out of a state, per second. It is no bound on any error. */
  readonly residual: number | null;
  /** Figures of places; empty if the state space is incomplete. */
  readonly places: readonly SteadyPlace[];
  /** Figures of transitions; empty if the state space is incomplete. */
  readonly transitions: readonly SteadyTransition[];
  /** The figures that were asked for, in their order. */
  readonly rewards?: readonly SteadyReward[];
  /** Nets that are restarted at each of their ends: the time of one run. All figures are those of the restarted net. */
  readonly runTime?: SteadyRunTime;
  /** Nets with processes and programs: the degree of parallelism. */
  readonly parallelism?: SteadyParallelism;
  /** With `parallelism`: the sets of processes that are active together, the largest first, at most 1,000. */
  readonly fragments?: readonly SteadyFragment[];
  /** Programs: the nodes that have ranks, the heaviest first. */
  readonly nodes?: readonly SteadyNode[];
  /** Programs: mean load of the nodes that have any, over the largest. */
  readonly balance?: Figure & Interval;
  /** Utilisation of the resources, if there are any. */
  readonly resources?: readonly SteadyResource[];
  /** The time until the net ends, if it was asked for and the net ends with certainty. */
  readonly absorption?: Absorption;
  /** With the option `reach`: the probability that the formula ever holds, and the time until it first does. */
  readonly reach?: Reach;
  /** The sets of states in which the net ends, the largest first. */
  readonly components: readonly SteadyComponent[];
  /** Time of the whole command. */
  readonly seconds: number;
  /** Remarks on how the input was read. */
  readonly warnings: readonly string[];
}

/** The part of the document that a method finds. */
export type SteadyFindings = Pick<
  SteadyDocument,
  | 'method'
  | 'solver'
  | 'complete'
  | 'truncation'
  | 'erlang'
  | 'open'
  | 'lumped'
  | 'simulation'
  | 'cycles'
  | 'methods'
  | 'states'
  | 'vanishing'
  | 'residual'
  | 'places'
  | 'transitions'
  | 'rewards'
  | 'runTime'
  | 'parallelism'
  | 'fragments'
  | 'nodes'
  | 'balance'
  | 'resources'
  | 'absorption'
  | 'reach'
  | 'components'
> & {
  /** Remarks on the figures. */
  readonly remarks?: readonly string[];
};
