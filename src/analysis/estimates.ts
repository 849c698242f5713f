import { fail, shown } from '../base/problem.ts';
import { type Bin, histogram } from './statistics/histogram.ts';
import { quantile, quantileInterval } from './statistics/quantile.ts';
import { RunningRatio } from './statistics/ratio.ts';
import { summary } from './statistics/summary.ts';

/** An estimate with the interval that contains the exact value with probability `certainty`. */
export interface Estimate {
  /** The estimate. */
  readonly value: number;
  /** Its unit; `1` for numbers and shares. Absent for figures of monitors, which have that of the monitor. */
  readonly unit?: 's' | '1/s' | '1';
  /** Lower end of the interval; null if there are too few replications for it. */
  readonly lower: number | null;
  /** Upper end of the interval; null if there are too few replications for it. */
  readonly upper: number | null;
  /** Confidence level of the interval; 0 without an interval. */
  readonly certainty: number;
}

/** The part of a result of `replicate` from which estimates are made. */
export interface ReplicatedRun {
  /** Simulated seconds at the end. */
  readonly time: number;
  /** Number of firings of each transition. */
  readonly firings: Readonly<Record<string, number>>;
  /** Results of the monitors, by name. */
  readonly monitors: Readonly<Record<string, object>>;
}

/** Estimates from all replications of a net. */
export interface Estimates {
  /** Number of replications. */
  readonly count: number;
  /** Mean simulated time (s). */
  readonly time: Estimate;
  /** Quantiles of the simulated time (s), with intervals that hold for any distribution. */
  readonly quantiles: readonly (Estimate & { readonly share: number })[];
  /** Simulated times (s) in classes of equal width. */
  readonly histogram: readonly Bin[];
  /** Mean number of firings of each transition. */
  readonly firings: Readonly<Record<string, Estimate>>;
  /** Firings of each transition per second of all runs; a ratio of means. Empty for runs that take no time. */
  readonly rates: Readonly<Record<string, Estimate>>;
  /** Means of the figures of each monitor; those that are no number in every replication are absent. */
  readonly monitors: Readonly<Record<string, Readonly<Record<string, Estimate>>>>;
}

/** Shares whose quantiles are estimated. */
const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/**
 * Estimates with intervals from the results of `replicate`: means by Student's t, quantiles by order statistics, rates by
 * Fieller's interval of a ratio. A single replication has no intervals: `certainty` is 0. O(n log n).
 *
 * @param confidence between 0 and 1, default 0.95
 * @throws InputError SIM009 for an empty list or an invalid confidence
 */
export function estimates(replications: readonly ReplicatedRun[], confidence = 0.95): Estimates {
  if (!Array.isArray(replications))
    fail('SIM009', `expected a list of replications, got ${shown(replications)}`, { part: 'estimates' });
  const meanOf = (values: readonly number[]): Omit<Estimate, 'unit'> => {
    const { mean, low, high } = summary(values, confidence);
    return values.length < 2
      ? { value: mean, ...NONE }
      : { value: mean, lower: low, upper: high, certainty: confidence };
  };
  const times = replications.map(({ time }) => time);
  const time = { ...meanOf(times), unit: 's' } as const;
  const sorted = [...times].sort((a, b) => a - b);
  const { firings, monitors } = replications[0]!;
  const rates = Object.keys(firings).flatMap((name): [string, Estimate][] => {
    const ratio = new RunningRatio();
    for (const run of replications) ratio.add(run.firings[name]!, run.time);
    if (!Number.isFinite(ratio.value)) return [];
    const found = ratio.interval(confidence);
    const error =
      found === undefined ? NONE : { lower: Math.max(0, found.lower), upper: found.upper, certainty: confidence };
    return [[name, { value: ratio.value, unit: '1/s', ...error }]];
  });
  return {
    count: times.length,
    time,
    quantiles: SHARES.map((share) => {
      const { lower, upper } = quantileInterval(sorted, share, confidence);
      const certainty = lower === null && upper === null ? 0 : confidence;
      return { share, value: quantile(sorted, share), unit: 's', lower, upper, certainty };
    }),
    histogram: histogram(times),
    firings: record(Object.keys(firings), (name) => ({
      ...meanOf(replications.map((run) => run.firings[name]!)),
      unit: '1',
    })),
    rates: Object.fromEntries(rates),
    monitors: record(Object.keys(monitors), (name) => {
      const all = replications.map((run) => run.monitors[name] as Readonly<Record<string, unknown>>);
      const numbers = Object.keys(all[0]!).filter((figure) => all.every((one) => Number.isFinite(one[figure])));
      return record(numbers, (figure) => meanOf(all.map((one) => one[figure] as number)));
    }),
  };
}

/** The error of a figure that has no interval. */
const NONE = { lower: null, upper: null, certainty: 0 } as const;

const record = <V>(names: readonly string[], of: (name: string) => V): Record<string, V> =>
  Object.fromEntries(names.map((name) => [name, of(name)]));
