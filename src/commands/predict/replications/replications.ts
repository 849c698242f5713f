import { histogram } from '../../../analysis/statistics/histogram.ts';
import { quantile, quantileInterval } from '../../../analysis/statistics/quantile.ts';
import { RunningSummary, summary } from '../../../analysis/statistics/summary.ts';
import { assertFinite } from '../../../base/finite-figures.ts';
import { fail, shown } from '../../../base/problem.ts';
import { errorOfMean, ONE_REPLICATION } from '../../inputs/document-parts.ts';
import type { PredictionDocument } from '../prediction.ts';
import { type Quotient, ReplicatedMeans } from './replicated-means.ts';
import type { ReplicationFigures } from './replication-figures.ts';

/** Number of replications of a model with random parts. */
export interface ReplicationOptions {
  /** Number of runs with independent random numbers; with `precision`, the maximum, default 10,000. */
  readonly replications?: number;
  /**
   * Runs until the confidence half-width of the mean run time is at most this share of the mean (0.01, or `'1%'`), but at
   * least ten times.
   */
  readonly precision?: number | `${number}%`;
  /** Confidence level of the interval, default 0.95 (or `'95%'`). */
  readonly confidence?: number | `${number}%`;
}

/** Minimum and maximum number of replications, and when to stop. */
export interface ReplicationPlan {
  readonly least: number;
  readonly most: number;
  readonly precision: number | undefined;
  readonly confidence: number;
}

/** Minimum number with `precision`: the standard deviation of fewer run times is too uncertain. */
const MIN_REPLICATIONS = 10;
/** Default maximum number with `precision`. */
const MAX_REPLICATIONS = 10_000;
/** Maximum number of replications: all run times are kept in memory. */
const LIMIT = 1e7;
/** Probabilities of the quantiles in a document. */
const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/**
 * The replication plan of the options; undefined if a model is to be run once.
 *
 * @throws InputError APP025 a number out of range
 */
export function replicationPlan({
  replications,
  precision,
  confidence,
}: ReplicationOptions): ReplicationPlan | undefined {
  if (replications !== undefined && !(Number.isInteger(replications) && replications >= 1 && replications <= LIMIT))
    fail('APP025', `replications: expected an integer from 1 to ${LIMIT}, got ${shown(replications)}`);
  const goal = precision === undefined ? undefined : shareOf('precision', precision);
  const sure = confidence === undefined ? 0.95 : shareOf('confidence', confidence);
  if (replications === undefined && goal === undefined) {
    if (confidence !== undefined) fail('APP025', 'a confidence needs replications: give their number or a precision');
    return undefined;
  }
  const max = replications ?? MAX_REPLICATIONS;
  return {
    least: goal === undefined ? max : Math.min(MIN_REPLICATIONS, max),
    most: max,
    precision: goal,
    confidence: sure,
  };
}

/** A share between 0 and 1: `0.01`, `'1%'`. */
function shareOf(what: string, given: number | string): number {
  const text = /^([\d.]+) ?%$/.exec(String(given))?.[1];
  const share = text === undefined ? Number(given) : Number(text) / 100;
  if (!(share > 0 && share < 1))
    fail('APP025', `${what}: expected a share between 0 and 1 such as 1%, got ${shown(given)}`);
  return share;
}

export interface Replicate {
  readonly seconds: number;
  /** True if it ran to its end: neither cancelled nor deadlocked. */
  readonly ended: boolean;
  /** Figures that are means over its time. */
  readonly quotients?: readonly Quotient[];
  /** Nets only: number of firings by transition. */
  readonly firings?: Readonly<Record<string, number>>;
  /** Present for replication 0, and for one that did not run to its end. */
  readonly document?: PredictionDocument;
}

/**
 * Takes replications in order and decides when there are enough. The result does not depend on who computed them or on how
 * many more were computed. O(1) each.
 */
export class ReplicationTally {
  readonly seconds: number[] = [];
  readonly #plan: ReplicationPlan;
  #first: PredictionDocument | undefined;
  #unended: PredictionDocument | undefined;
  readonly #times = new RunningSummary();
  readonly #means = new ReplicatedMeans();
  readonly #firings = new Map<string, RunningSummary>();

  constructor(plan: ReplicationPlan) {
    this.#plan = plan;
  }

  /** @returns true if no more are needed */
  add({ seconds, ended, document, quotients = [], firings = {} }: Replicate): boolean {
    if (this.seconds.length === 0) this.#first = document;
    if (!ended) {
      this.#unended = document;
      return true;
    }
    this.seconds.push(seconds);
    this.#times.add(seconds);
    this.#means.add(quotients, seconds);
    for (const [transition, count] of Object.entries(firings)) {
      const own = this.#firings.get(transition) ?? new RunningSummary();
      this.#firings.set(transition, own);
      own.add(count);
    }
    const { least, most } = this.#plan;
    const count = this.seconds.length;
    return count >= most || (count >= least && this.#isPrecise());
  }

  #isPrecise(): boolean {
    const { precision, confidence } = this.#plan;
    if (precision === undefined || this.seconds.length < 2) return false;
    return this.#times.half(confidence) <= precision * this.#times.mean;
  }

  /**
   * The document of replication 0 with the replication figures; if a replication did not run to its end, the document of
   * that one.
   *
   * @param complete false if the work was cancelled
   */
  document(complete = true): PredictionDocument | undefined {
    if (this.#unended !== undefined) return this.#unended;
    if (this.#first === undefined) return undefined;
    const { confidence } = this.#plan;
    const firings = [...this.#firings].map(([transition, own]) => {
      const { count, mean, min, max } = own;
      const half = count > 1 ? own.half(confidence) : null;
      const figure = { value: mean, unit: '1', ...(half === null ? {} : errorOfMean(mean, half, confidence)) } as const;
      return { transition, firings: figure, mean, halfWidth: half, min, max };
    });
    const means = this.#means.figures(confidence);
    const figures = {
      ...replicationFigures(this.seconds, confidence),
      ...(means.length === 0 ? {} : { means }),
      ...(firings.length === 0 ? {} : { firings }),
      ...(this.seconds.length > 1 ? {} : { because: ONE_REPLICATION }),
    };
    const { precision } = this.#plan;
    assertFinite({ replications: figures });
    const reached = precision === undefined ? {} : { precision, reached: this.#isPrecise() };
    return { ...this.#first, complete: complete && this.#first.complete, replications: { ...figures, ...reached } };
  }
}

/** Statistics of run times in seconds. */
function replicationFigures(seconds: readonly number[], confidence: number): ReplicationFigures {
  const { mean, deviation, half } = summary(seconds, confidence);
  const several = seconds.length > 1;
  const sorted = [...seconds].sort((a, b) => a - b);
  return {
    count: seconds.length,
    seconds,
    runTime: { value: mean, unit: 's', ...(several ? errorOfMean(mean, half, confidence) : {}) },
    mean,
    deviation: several ? deviation : null,
    halfWidth: several ? half : null,
    confidence,
    quantiles: SHARES.map((share) => {
      const value = quantile(sorted, share);
      const { lower, upper } = quantileInterval(sorted, share, confidence);
      // Too few values for either end: there is no interval.
      const error = lower === null && upper === null ? {} : { lower, upper, certainty: confidence };
      return { share, seconds: value, value, unit: 's', ...error } as const;
    }),
    histogram: histogram(seconds),
  };
}
