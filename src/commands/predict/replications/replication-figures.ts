import type { Bin } from '../../../analysis/statistics/histogram.ts';
import type { EstimatedFigure } from '../../inputs/document-parts.ts';

/** Run times of independent replications; replication k draws the random numbers of (seed, k). */
export interface ReplicationFigures {
  /** Number of replications. */
  readonly count: number;
  /** The run time of each replication in order (s). */
  readonly seconds: readonly number[];
  /** Mean run time with its confidence interval, if there are several replications. */
  readonly runTime: EstimatedFigure;
  /** The same mean, in seconds. */
  readonly mean: number;
  /** Standard deviation (s); null for a single replication. */
  readonly deviation: number | null;
  /** Confidence half-width of the mean (s); null for a single replication. */
  readonly halfWidth: number | null;
  /** Confidence level of the interval, 0 … 1. */
  readonly confidence: number;
  /** The requested ratio of half-width to mean, and whether it was reached. */
  readonly precision?: number;
  /** True if the requested precision was reached. */
  readonly reached?: boolean;
  /** Run times that the given share of all runs does not exceed. */
  readonly quantiles: readonly RunTimeQuantile[];
  /** Classes of equal width of the run times of the replications, in seconds. */
  readonly histogram: readonly Bin[];
  /** Figures over the time of a run, estimated from all replications. Absent for runs that take no time. */
  readonly means?: readonly ReplicatedMean[];
  /** Nets: firings of each transition in a replication. */
  readonly firings?: readonly ReplicatedFirings[];
  /** Why figures have no interval; absent if there are several replications. */
  readonly because?: string;
}

/** A quantile of the run time, estimated from the replications. */
export type RunTimeQuantile = EstimatedFigure & {
  /** The share of the runs, 0 … 1. */
  readonly share: number;
  /** The value, in seconds. */
  readonly seconds: number;
};

/**
 * A figure over the time of a run, from all replications: the sum of its integrals by the sum of the run times (of the load
 * balance: the mean), with its confidence interval. Zero in a replication that does not list it.
 */
export type ReplicatedMean = EstimatedFigure & {
  /** Kind of the part that has the figure. */
  readonly of: 'program' | 'node' | 'host' | 'memory' | 'link' | 'place' | 'transition';
  /** Name of the node, the resource, the place or the transition. */
  readonly name?: string;
  /** Which figure, by the name that it has in the document of one run; `tokens`: the mean number of a place. */
  readonly figure: 'parallelism' | 'loadBalance' | 'load' | 'utilisation' | 'tokens' | 'rate' | 'inProgress';
};

/** Number of firings of a transition in the replications of a net. */
export interface ReplicatedFirings {
  /** Name of the transition. */
  readonly transition: string;
  /** Mean number of firings in a replication, with its confidence interval if there are several replications. */
  readonly firings: EstimatedFigure;
  /** The same mean. */
  readonly mean: number;
  /** Confidence half-width of the mean; null for a single replication. */
  readonly halfWidth: number | null;
  /** Smallest number of firings in a replication. */
  readonly min: number;
  /** Largest number of firings in a replication. */
  readonly max: number;
}
