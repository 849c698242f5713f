import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { provedBounds } from '../flows/place-proofs.ts';
import { flatten } from '../petri/flatten.ts';
import { type BatchMean, batchMean, type NoInterval } from '../statistics/batch-means.ts';
import { trend } from '../statistics/independence.ts';
import { type Gauges, type MeasuredNet, MeasuredRun, type Randomness } from './measured-run.ts';

/** When a long run ends. */
export interface LongRunOptions extends Randomness {
  /** Half-width of each interval relative to its figure. */
  readonly precision: number;
  readonly confidence: number;
  readonly maxFirings: number;
  /** Asked from time to time; true ends the run. */
  readonly stop: () => boolean;
  /** Told the simulated seconds from time to time. */
  readonly progress?: (time: number) => void;
}

/** A figure of a long run. */
export type Estimate =
  | { readonly mean: number; readonly lower: number; readonly upper: number }
  | { readonly mean: number; readonly because: Because };

/** Why a figure has no interval. */
export type Because = NoInterval['because'] | 'grows' | 'dead' | 'equal' | 'unended';

/** Why a long run ended. */
export type LongRunEnd = 'precise' | 'firings' | 'stopped' | 'dead' | 'grows' | 'memory' | 'ends';

export interface LongRun {
  readonly ended: LongRunEnd;
  readonly time: number;
  readonly firings: number;
  /** By the series numbers of the net. Empty if the run was too short for any. */
  readonly estimates: readonly Estimate[];
  /** Estimates of gauges, by name. */
  readonly gauged?: ReadonlyMap<string, Estimate>;
  /** The dead markings in which independent runs ended, if all of them did. */
  readonly ends?: readonly EndShare[];
}

/** Probability that a net ends in a marking. */
export interface EndShare {
  readonly probability: number;
  readonly lower: number;
  readonly upper: number;
}

/** Windows before the first estimate. */
const LEAST_WINDOWS = 1024;
/** Growth of the run between two looks: each look is a chance to stop by luck. */
const GROWTH = 1.5;
/**
 * Looks in a row at which all intervals must be narrow. The first may be luck: a run with few long queues has a low mean and a low
 * variance. The further half of the run has not been chosen by its own figures.
 */
const NARROW_LOOKS = 2;
/** Batches, and the number of standard deviations of their trend, from which tokens are taken to grow without end. */
const TREND_BATCHES = 32;
const TREND = 6;
/** Firings, and looks in a row, before growth is believed: a net may take long to drain its initial marking. */
const TREND_FIRINGS = 1e6;
const TREND_LOOKS = 4;
/**
 * Growth is believed after fewer firings if the tokens of a place are a larger share of all firings than a stable queue reaches: after
 * n firings, the queue of a server at load 1 has about √n tokens, which is 0.3 % of 10⁵.
 */
const EARLY_FIRINGS = 1e5;
const EARLY_SHARE = 0.02;

/**
 * Estimates the long-run means of a net from one run, which grows until the intervals of all `wanted` series are narrow enough.
 * Series without variance have no interval and do not count.
 *
 * @throws InputError RUN… if the run fails
 */
export function longRun(
  measured: MeasuredNet,
  wanted: readonly number[],
  options: LongRunOptions,
  gauges?: Gauges,
): LongRun {
  const { precision, confidence, maxFirings, stop, progress } = options;
  const { net, numbers } = measured;
  const run = new MeasuredRun(measured, options, undefined, gauges);
  const { windows } = run;
  // Relative to the true mean, of which the estimate may be off by as much (Law, §4.5, §9.5.3).
  const goal = precision / (1 + precision);
  const bounded = boundedPlaces(net);
  /** True if the tokens of a place grow so fast that no steady state is left to be reached. */
  const isEndless = (k: number): boolean => {
    const { firings } = run;
    const series = windows.of(k);
    const early = firings >= EARLY_FIRINGS && (series.at(-1) ?? 0) >= EARLY_SHARE * firings;
    return (early || firings >= TREND_FIRINGS) && grows(series) && !bounded(k);
  };
  let growing = 0;
  let narrow = 0;
  const answer = (ended: LongRunEnd): LongRun => ({
    ended,
    time: run.time,
    firings: run.firings,
    estimates:
      windows.count === 0
        ? []
        : numbers.all.map((k): Estimate => {
            const series = windows.of(k);
            const found = batchMean(series, confidence);
            return growing > 0 && k < net.places.length && grows(series) && !bounded(k)
              ? { mean: found.mean, because: 'grows' }
              : found;
          }),
    gauged: new Map([...run.gauged].map(([name, series]) => [name, batchMean(series, confidence)])),
  });
  let next = LEAST_WINDOWS * windows.width;
  try {
    for (;;) {
      if (!run.advance(stop)) return run.isDead ? deadEnd(measured, run) : answer('stopped');
      if (run.firings >= maxFirings) return answer('firings');
      if (stop()) return answer('stopped');
      const end = windows.count * windows.width;
      if (end < next) continue;
      progress?.(end);
      growing = net.places.some((_, k) => isEndless(k)) ? growing + 1 : 0;
      if (growing >= TREND_LOOKS) return answer('grows');
      const precise = wanted.every((k) => {
        const found = batchMean(windows.of(k), confidence);
        return 'lower' in found ? isNarrow(found, goal) : found.because === 'constant';
      });
      narrow = precise ? narrow + 1 : 0;
      if (narrow === NARROW_LOOKS) return answer('precise');
      next = end * GROWTH;
    }
  } catch (error) {
    if (error instanceof InputError && error.problems[0]?.code === 'RUN013' && windows.count > 0)
      return answer('memory');
    throw error;
  }
}

/** True if no end of an interval is further from the mean than a share of it. */
export function isNarrow({ mean, lower, upper }: Omit<BatchMean, 'batches' | 'warmUp'>, share: number): boolean {
  return Math.max(mean - lower, upper - mean) <= share * Math.abs(mean);
}

/**
 * True for places with a proved maximum of tokens: they may fill for as long as a run takes, but not without end. The proof is
 * searched for when it is first asked for.
 */
function boundedPlaces(net: Net): (place: number) => boolean {
  let most: readonly number[] | undefined;
  return (place) => {
    most ??= provedMaxima(net);
    return most[place]! < Number.POSITIVE_INFINITY;
  };
}

/** By place: a proved maximum of its tokens, Infinity if there is none. */
function provedMaxima(net: Net): readonly number[] {
  const most = net.places.map(({ capacity }) => (capacity === undefined ? 0 : capacity));
  try {
    const petri = flatten(net);
    const bounds = provedBounds(petri);
    for (const [k, { kind, node }] of petri.places.entries())
      if (kind !== 'busy' && net.places[node]!.capacity === undefined) most[node]! += bounds[k]!;
    return most;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return net.places.map(({ capacity }) => capacity ?? Number.POSITIVE_INFINITY);
  }
}

/** True if the means of batches grow almost without exception. */
function grows(series: Float64Array): boolean {
  const size = Math.floor(series.length / TREND_BATCHES);
  if (size === 0) return false;
  const batches = Float64Array.from({ length: TREND_BATCHES }, (_, b) => {
    const batch = series.subarray(b * size, (b + 1) * size);
    return batch.reduce((sum, x) => sum + x, 0) / size;
  });
  return trend(batches) >= TREND;
}

/** The figures of a dead marking, which never changes. */
export function deadEnd({ net, numbers, rewards }: MeasuredNet, run: MeasuredRun): LongRun {
  const means = new Float64Array(numbers.all.length);
  net.places.forEach(({ name }, k) => {
    means[numbers.place(k)] = run.tokens(name).length;
  });
  rewards
    .inMarking((place) => run.tokens(place))
    .forEach((value, k) => {
      means[numbers.reward(k)] = value;
    });
  const estimates = Array.from(means, (mean): Estimate => ({ mean, because: 'dead' }));
  const gauged = [...run.gaugesNow].map(([name, mean]) => [name, { mean, because: 'dead' }] as const);
  return { ended: 'dead', time: run.time, firings: run.firings, estimates, gauged: new Map(gauged) };
}
