import { InputError } from '../../base/problem.ts';
import { batchMean } from '../statistics/batch-means.ts';
import { type Estimate, isNarrow, Outlook } from './estimate.ts';
import { EARLY_FIRINGS, Growth, TREND_LOOKS } from './growth.ts';
import { type Gauges, type MeasuredNet, MeasuredRun, type Randomness } from './measured-run.ts';

/** When a long run ends. */
export interface LongRunOptions extends Randomness {
  /** Half-width of each interval relative to its figure. */
  readonly precision: number;
  readonly confidence: number;
  readonly maxFirings: number;
  /** Asked from time to time; true ends the run. */
  readonly stop: () => boolean;
  /** Told the simulated seconds from time to time, and the share of the work, from 0 to 1; NaN: not known. */
  readonly progress?: (time: number, share: number) => void;
}

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
  const growth = new Growth(net, stop);
  const outlook = new Outlook(goal, GROWTH);
  // Math.max keeps NaN: without intervals, nothing tells how long the run will be.
  const report = (): void => progress?.(run.time, Math.max(outlook.share(run.firings), run.firings / maxFirings));
  /** True if no steady state of the tokens of a place is left to be reached. */
  const isEndless = (k: number): boolean => {
    const { firings } = run;
    if (firings < EARLY_FIRINGS) return false;
    const series = windows.of(k);
    if (growth.isLong(firings, series) && growth.grows(k, series)) return true;
    return growth.isFull(k) && !isKnown(k);
  };
  const isKnown = (k: number): boolean => {
    const found = batchMean(windows.of(k), confidence);
    return 'lower' in found ? isNarrow(found, goal) : found.because === 'constant';
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
            const because = growing > 0 && k < net.places.length ? growth.because(k, series) : undefined;
            return because === undefined || isKnown(k) ? found : { mean: found.mean, because };
          }),
    gauged: new Map([...run.gauged].map(([name, series]) => [name, batchMean(series, confidence)])),
  });
  let next = LEAST_WINDOWS * windows.width;
  try {
    for (;;) {
      report();
      if (!run.advance(stop)) return run.isDead ? deadEnd(measured, run) : answer('stopped');
      if (run.firings >= maxFirings) return answer('firings');
      if (stop()) return answer('stopped');
      const end = windows.count * windows.width;
      if (end < next) continue;
      if (progress !== undefined)
        outlook.look(
          run.firings,
          wanted.map((k) => batchMean(windows.of(k), confidence)),
        );
      growing = net.places.some((_, k) => isEndless(k)) ? growing + 1 : 0;
      if (growing >= TREND_LOOKS) return answer('grows');
      const precise = wanted.every(isKnown);
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
