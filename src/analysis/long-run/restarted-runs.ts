import type { NetRun } from '../../engine/compile.ts';
import { studentQuantile } from '../statistics/student-t.ts';
import { type Estimate, isNarrow, Outlook } from './estimate.ts';
import type { LongRun, LongRunOptions } from './long-run.ts';
import { type Gauges, type MeasuredNet, snappedIntegral } from './measured-run.ts';

/** Number of steps between two calls of `stop`. */
const SLICE = 1 << 18;
/** Number of runs before intervals are first checked, its growth until the next check, and narrow checks in a row that end the runs. */
const MIN_RUNS = 64;
const GROWTH = 1.5;
const NARROW_CHECKS = 2;
/** Share of the maximum number of firings within which the first run must end. */
const FIRST_RUN = 0.1;
/** Share of the maximum number of firings after which a run is cut if it is longer than all runs before it together. */
const FURTHER_RUN = 0.01;
/** Deviations below this share of the mean are rounding. */
const ROUNDING = 1e-7;

/** Figures of a net that is restarted at each of its ends. */
interface RestartedRuns extends LongRun {
  /** Number of runs. */
  readonly runs: number;
  /** Number of runs that did not end as they should. */
  readonly stuck: number;
  /** Mean seconds of a run. */
  readonly runTime: Estimate;
  /** Shares of time, by the names of gauges. */
  readonly gauged: ReadonlyMap<string, Estimate>;
}

/** Sums over runs of a gain Y and the time T. */
class Gain {
  #sum = 0;
  #squares = 0;
  #products = 0;

  add(gain: number, time: number): void {
    this.#sum += gain;
    this.#squares += gain * gain;
    this.#products += gain * time;
  }

  /**
   * The ratio E[Y] / E[T]: Student's t with the deviation of Y − rT, whose expectation is 0 (Law, §9.5.3: the regenerative method).
   *
   * @param times sum of the times, and of their squares
   */
  ratio(runs: number, times: { readonly sum: number; readonly squares: number }, confidence: number): Estimate {
    const mean = this.#sum / times.sum;
    const off = this.#squares - 2 * mean * this.#products + mean * mean * times.squares;
    if (runs < 2 || off <= ROUNDING ** 2 * this.#squares) return { mean, because: 'equal' };
    const half = (studentQuantile((1 - confidence) / 2, runs - 1) * Math.sqrt((off / (runs - 1)) * runs)) / times.sum;
    return { mean, lower: mean - half, upper: mean + half };
  }
}

/**
 * True if replication 0 of a net ends within a share of the maximum number of firings; undefined if `stop` ended it before.
 *
 * @param measured made for one long run, since a run that does not end is long
 * @throws InputError RUN… if the run fails
 */
export function firstRunEnds(
  { compiled }: MeasuredNet,
  { seed, maxFirings, stop, progress }: Pick<LongRunOptions, 'seed' | 'maxFirings' | 'stop' | 'progress'>,
): boolean | undefined {
  const run = compiled.start({ seed, replication: 0 });
  for (let steps = 0; run.run(SLICE); steps += SLICE) {
    if (stop()) return undefined;
    progress?.(run.now, Number.NaN);
    if (steps > FIRST_RUN * maxFirings) return false;
  }
  return true;
}

/**
 * Estimates the figures of a net that is restarted at each of its ends. Its runs are independent cycles of a renewal process, so that each
 * figure is a ratio of means over runs. Runs are added until the intervals of the `wanted` series are narrow enough. A net without random
 * numbers has the same run each time. A run that is cut ends the work: it may never end, and would take all firings that are left.
 *
 * @throws InputError RUN… if a run fails
 */
export function restartedRuns(
  measured: MeasuredNet,
  wanted: readonly number[],
  options: LongRunOptions & {
    readonly isRandom: boolean;
    /** True if a run that has ended is in a final marking. Default: it always is. */
    readonly isFinal?: (run: Pick<NetRun, 'tokens'>) => boolean;
  },
  gauges?: Gauges,
): RestartedRuns {
  const { seed, precision, confidence, maxFirings, stop, progress, isRandom, isFinal } = options;
  const { compiled, numbers, net } = measured;
  const goal = precision / (1 + precision);
  const outlook = new Outlook(goal, GROWTH);
  const share = (): number => Math.max(outlook.share(runs), firings / maxFirings);
  const gains = numbers.all.map(() => new Gain());
  const gauged = new Map<string, Gain>();
  const [runTime, times] = [new Gain(), { sum: 0, squares: 0 }];
  let [runs, stuck, firings, narrow, next] = [0, 0, 0, 0, MIN_RUNS];
  const position = new Map(compiled.transitions.map((name, k) => [name, k]));
  const order = net.transitions.map((t) => position.get(t.name)!);
  const [places, transitions] = [net.places.length, net.transitions.length];
  // A run that was cut when it was longer than all others together may never end. The figures leave it out, so they get no interval.
  const answer = (ended: LongRun['ended'], cutFirings = 0): RestartedRuns => {
    const ratio = (gain: Gain, over = times): Estimate => {
      const found = gain.ratio(runs, over, confidence);
      return cutFirings > firings ? { mean: found.mean, because: 'unended' } : found;
    };
    return {
      ended,
      time: times.sum,
      firings,
      runs,
      stuck,
      estimates: times.sum > 0 ? gains.map((gain) => ratio(gain)) : [],
      runTime: ratio(runTime, { sum: runs, squares: runs }),
      gauged: new Map([...gauged].map(([name, gain]) => [name, ratio(gain)])),
    };
  };
  let before: NetRun | undefined;
  for (;;) {
    gauges?.begin();
    const run = compiled.start({ seed, replication: runs, ...(before === undefined ? {} : { instead: before }) });
    before = run;
    while (run.run(SLICE)) {
      const own = order.reduce((sum, at) => sum + run.firings[at]!, 0);
      if (stop()) return answer('stopped', own);
      progress?.(times.sum + run.now, share());
      if (runs > 0 && own > Math.min(maxFirings - firings, Math.max(FURTHER_RUN * maxFirings, firings)))
        return answer('firings', own);
    }
    const time = run.now;
    const { tokens, enabled, values } = run.integrals();
    const fired = order.map((at) => run.firings[at]!);
    const reward = (k: number): number => {
      const source = measured.rewards.sources[k]!;
      return 'value' in source
        ? snappedIntegral(values[source.value]!, time)
        : source.transitions.reduce((sum, t) => sum + fired[t]!, 0);
    };
    for (let k = 0; k < places; k++) gains[numbers.place(k)]!.add(snappedIntegral(tokens[k]!, time), time);
    for (let k = 0; k < transitions; k++) {
      gains[numbers.throughput(k)]!.add(fired[k]!, time);
      gains[numbers.enabled(k)]!.add(snappedIntegral(enabled[k]!, time), time);
      firings += fired[k]!;
    }
    for (let k = 0; numbers.reward(k) < gains.length; k++) gains[numbers.reward(k)]!.add(reward(k), time);
    for (const [name, gain] of gauges?.integrals(time, run) ?? []) {
      const known = gauged.get(name) ?? new Gain();
      gauged.set(name, known);
      known.add(snappedIntegral(gain, time), time);
    }
    runTime.add(time, 1);
    times.sum += time;
    times.squares += time * time;
    runs++;
    progress?.(times.sum, share());
    if (isFinal?.(run) === false) stuck++;
    if (!isRandom) return answer('precise');
    if (firings >= maxFirings) return answer('firings');
    if (stop()) return answer('stopped');
    if (runs < next) continue;
    const { estimates } = answer('precise');
    if (progress !== undefined)
      outlook.look(
        runs,
        wanted.flatMap((k) => estimates[k] ?? []),
      );
    const precise = wanted.every((k) => {
      const found = estimates[k];
      return found === undefined || 'because' in found || isNarrow(found, goal);
    });
    narrow = precise ? narrow + 1 : 0;
    if (narrow === NARROW_CHECKS) return answer('precise');
    next = Math.ceil(runs * GROWTH);
  }
}
