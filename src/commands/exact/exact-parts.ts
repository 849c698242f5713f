import type { BoundSource } from '../../analysis/bounds/reward-bounds.ts';
import type { RunTimeSource } from '../../analysis/bounds/run-time-bounds.ts';
import type { FigureError } from '../inputs/document-parts.ts';

/** A set of processes that are active in a reachable marking (the method, result 1). */
export interface SpaceFragment {
  /** The processes, ascending. */
  readonly processes: readonly number[];
  /** Number of markings in which exactly these are active. */
  readonly markings: number;
}

/** A state, and how it is reached. */
export interface SpaceWitness {
  /** Number of the state, in the order of discovery. */
  readonly state: number;
  /** The steps that lead to it, a shortest path; null if its edges do not fit into the memory or the search was depth first. */
  readonly steps: readonly string[] | null;
}

/** The degree of parallelism over all reachable markings, whatever the order of the steps. */
export interface SpaceParallelism {
  /** Maximum number of processes, or of threads inside them, that are active in a marking. */
  readonly maximum: number;
  /** Number of fragments. */
  readonly fragments: number;
  /** False if not all markings were examined: maximum and number are lower bounds. */
  readonly complete: boolean;
  /** A marking with the maximum. */
  readonly witness: SpaceWitness;
}

/** A run time; null if it is not known. */
export interface SpaceSeconds {
  readonly value: number | null;
  readonly unit: 's';
}

/** A step of an order. */
export interface SpaceStep {
  /** When it happens, in seconds. */
  readonly seconds: number;
  /** The step, with its binding. */
  readonly step: string;
}

/** The run times over all orders of the steps, for constant delays. */
export interface SpaceRunTime {
  readonly shortest: SpaceSeconds;
  readonly longest: SpaceSeconds;
  /** True if both are known. */
  readonly complete: boolean;
  /** Number of timed states found: markings with the times that firings and services have left. */
  readonly states: number;
  /** Number of timed states in which a run stops without a final marking. Such runs have no run time. */
  readonly deadlocks: number;
  /** Why a run time is not known. */
  readonly because: string | null;
  /** An order of steps that has the run time; null if it is not known. */
  readonly witnesses: {
    /** Steps of the shortest run. */
    readonly shortest: readonly SpaceStep[] | null;
    /** Steps of the longest run. */
    readonly longest: readonly SpaceStep[] | null;
  };
}

/**
 * The interval of a figure. `certainty` 1: it is proved to contain the exact value; between 0 and 1: a confidence interval; 0: the figure has
 * no interval. Above 100,000 states, only figures that are asked for as rewards have one, and with the option `erlang` none.
 */
export interface Interval extends FigureError {
  /** Largest distance of an end from the figure; null if there is no upper end. */
  readonly halfWidth: number | null;
  /** Why there is no interval, if `certainty` is 0, or why bounds of a reward say nothing. */
  readonly because?: string;
  /** With the option `erlang`: the figure less that with half as many stages. */
  readonly change?: number;
  /** The figure as a fraction, if it is known without rounding. */
  readonly exact?: string;
  /** Method `bounds`: where the lower end comes from. */
  readonly lowerBy?: BoundSource | RunTimeSource | 'cycle time';
  /** Method `bounds`: where the upper end comes from. */
  readonly upperBy?: BoundSource | RunTimeSource | 'cycle time';
}

/** The time until the net has reached a marking that it never leaves. Intervals are proved. */
export interface Absorption extends Interval {
  /** Mean time in seconds. */
  readonly mean: number;
  /** Variance of the time, in square seconds. */
  readonly variance: number;
  /** The proved interval of the variance. */
  readonly varianceInterval: Interval;
  /** Times by which the net has ended with a probability, in seconds. */
  readonly quantiles: readonly (Interval & {
    /** The probability. */
    readonly probability: number;
    /** Time by which the net has ended with this probability, in seconds. */
    readonly time: number;
  })[];
  /** Probability of having ended, by time in seconds. */
  readonly distribution: readonly (Interval & {
    /** The time, in seconds. */
    readonly time: number;
    /** Probability of having ended by this time. */
    readonly probability: number;
  })[];
}

/** Figures of all runs of a program or a net: for any order of steps and any random numbers. */
export interface ExactFigures {
  /** False if a limit left a part unknown. */
  readonly complete: boolean;
  /** The run times over all orders, if all delays are constant. */
  readonly runTime: SpaceRunTime;
  /** Programs, and nets with processes: the degree of parallelism over all reachable markings. */
  readonly parallelism?: SpaceParallelism;
  /** With `parallelism`: the sets of processes that are active together, the largest first, at most 1,000. */
  readonly fragments?: readonly SpaceFragment[];
  /** The distribution of the run time, if some delay is random and all are made of exponential ones. */
  readonly distribution?: Absorption;
  /** Why a part is not known, or is a lower bound. */
  readonly because: {
    /** Why the degree of parallelism is not known. */
    readonly parallelism?: string;
    /** Why the distribution is not known. */
    readonly distribution?: string;
  };
}
