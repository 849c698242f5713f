import type { MarkedToken } from '../../engine/compile.ts';
import type { Place } from '../../net/net.ts';
import { proportion, summary } from '../statistics/summary.ts';
import { warmUp } from '../statistics/warm-up.ts';
import { type Estimate, isNarrow, relativeWidth } from './estimate.ts';
import { EARLY_FIRINGS, Growth, hasTrend } from './growth.ts';
import { deadEnd, type EndShare, type LongRun, type LongRunOptions } from './long-run.ts';
import { type Gauges, type MeasuredNet, MeasuredRun } from './measured-run.ts';

/** Windows of the first round of runs; each further round has twice the time. */
const FIRST_WINDOWS = 512;
/**
 * Runs of four times the length have intervals of half the width, unless they settle in different ends. From this share of the width on,
 * more time does not help.
 */
const HARDLY_NARROWER = 0.8;
const ROUNDS_BETWEEN = 2;
/** Rounds in a row in which the tokens of a place grow throughout all runs, before that is believed. */
const GROWING_ROUNDS = 3;

/** The means of one replication by series, without its warm-up. */
export interface Replicate {
  readonly means: readonly number[];
  /** The means of gauges, by name. */
  readonly gauged: ReadonlyMap<string, number>;
  readonly firings: number;
  /** Simulated seconds. */
  readonly time: number;
  /** False if the run was stopped before its end. */
  readonly isWhole: boolean;
  /** Indices of the places whose tokens grow throughout the run. */
  readonly growing: readonly number[];
  /** The dead marking in which the run ended, as a string. */
  readonly end?: string;
}

/**
 * The runs of a round by their numbers, at most up to the first that was stopped; undefined if `stop` ended the round.
 *
 * @param run makes the run of a number in this thread
 */
export type RunsOfRound = (
  count: number,
  until: number,
  run: (replication: number) => Replicate,
  stop: () => boolean,
) => readonly Replicate[] | undefined;

const inThisThread: RunsOfRound = (count, _, run) => {
  const runs: Replicate[] = [];
  while (runs.length < count && (runs.at(-1)?.isWhole ?? true)) runs.push(run(runs.length));
  return runs;
};

/**
 * Estimates the long-run means of a net from independent runs of equal simulated time. The warm-up of each series is removed from
 * each run; the means of the runs are independent, so that their interval needs no batches. If the intervals of the `wanted` series
 * are too wide, all runs are repeated with twice the time. A run that ends in a dead marking has the figures of that marking; if all
 * runs do, more time changes nothing, and `ends` has the probability of each marking. Likewise, runs that settle in different sets of
 * markings differ however long they are: the work ends if the intervals do not become narrower. It also ends if the tokens of a place
 * grow throughout all runs: their means agree, but depend on the time of the runs.
 *
 * @param severalEnds true if the net is known to have several sets of markings that are never left
 * @param round makes the runs of a round, default in this thread; its results must not depend on how
 * @throws InputError RUN… if a run fails
 */
export function replicatedRuns(
  measured: MeasuredNet,
  replications: number,
  wanted: readonly number[],
  options: LongRunOptions,
  gauges?: Gauges,
  round: RunsOfRound = inThisThread,
  severalEnds = false,
): LongRun {
  const { seed, precision, confidence, maxFirings, stop, progress } = options;
  const goal = precision / (1 + precision);
  const { width } = new MeasuredRun(measured, { seed, replication: 0 }).windows;
  /** By round: the largest relative width among the wanted figures, and the number of runs in a dead marking. */
  const rounds: { readonly widest: number; readonly ended: number }[] = [];
  const growth = new Growth(measured.net, stop);
  let growing = 0;
  /** Rounds in all, as far as is known. */
  let needed = Number.NaN;
  let last: LongRun = { ended: 'stopped', time: 0, firings: 0, estimates: [] };
  for (let windows = FIRST_WINDOWS; ; windows *= 2) {
    const until = windows * width;
    const run = (replication: number): Replicate => {
      // Round n takes 2ⁿ times as long as the first.
      const done = 2 ** rounds.length * (1 + replication / replications) - 1;
      progress?.(last.time, done / (2 ** needed - 1));
      return replicate(measured, { seed, replication }, until, stop, gauges);
    };
    const runs = round(replications, until, run, stop);
    if (runs === undefined || runs.some(({ isWhole }) => !isWhole)) return { ...last, ended: 'stopped' };
    const estimate = (means: readonly number[]): Estimate => {
      const { mean, min, max, low, high } = summary(means, confidence);
      return min === max ? { mean, because: 'equal' } : { mean, lower: low, upper: high };
    };
    const estimates = measured.numbers.all.map((k): Estimate => {
      const found = estimate(runs.map((run) => run.means[k]!));
      if (!('lower' in found) || k >= measured.net.places.length) return found;
      const because = growth.inAll(k, runs, isNarrow(found, goal));
      return because === undefined ? found : { mean: found.mean, because };
    });
    const names = new Set(runs.flatMap((run) => [...run.gauged.keys()]));
    const gauged = new Map(
      [...names].map((name) => [name, estimate(runs.map((run) => run.gauged.get(name) ?? 0))] as const),
    );
    const sum = (of: (run: Replicate) => number): number => runs.reduce((total, run) => total + of(run), 0);
    last = { ended: 'precise', time: sum((r) => r.time), firings: sum((r) => r.firings), estimates, gauged };
    const precise = wanted.every((k) => {
      const found = estimates[k]!;
      return 'lower' in found ? isNarrow(found, goal) : found.because === 'equal';
    });
    const ends = runs.flatMap(({ end }) => (end === undefined ? [] : [end]));
    if (ends.length === runs.length)
      return { ...last, ended: precise ? 'precise' : 'dead', ends: shares(ends, confidence) };
    if (precise) return last;
    growing = estimates.some((e) => 'because' in e && e.because !== 'equal') ? growing + 1 : 0;
    if (growing >= GROWING_ROUNDS && last.firings >= EARLY_FIRINGS) return { ...last, ended: 'grows' };
    const widest = Math.max(...wanted.map((k) => relativeWidth(estimates[k]!)));
    rounds.push({ widest, ended: ends.length });
    const before = rounds.at(-1 - ROUNDS_BETWEEN);
    // As long as more runs end, their figures still change.
    if (severalEnds && before?.ended === ends.length && widest > HARDLY_NARROWER * before.widest)
      return { ...last, ended: 'ends' };
    // The next round takes twice as many firings.
    if (3 * last.firings > maxFirings) return { ...last, ended: 'firings' };
    const permitted = Math.ceil(Math.log2(maxFirings / last.firings / 3));
    needed = rounds.length + Math.min(Math.max(1, Math.ceil(2 * Math.log2(widest / goal))), Math.max(1, permitted));
  }
}

/** The colours of the tokens of a place, in the order in which they leave if the place has one. */
function colours({ order }: Place, tokens: readonly MarkedToken[]): string[] {
  const text = ({ values }: MarkedToken): string => values.join();
  if (order === 'bag') return tokens.map(text).sort();
  return [...tokens].sort((a, b) => a.age - b.age).map(text);
}

/** The share of each value with the interval of its probability, the largest share first. */
function shares(values: readonly string[], confidence: number): EndShare[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.values()]
    .sort((a, b) => b - a)
    .map((count) => ({ probability: count / values.length, ...proportion(count, values.length, confidence) }));
}

/** One run up to a time. @throws InputError RUN… if it fails */
export function replicate(
  measured: MeasuredNet,
  randomness: { readonly seed: string; readonly replication: number },
  until: number,
  stop: () => boolean,
  gauges: Gauges | undefined,
): Replicate {
  const run = new MeasuredRun(measured, randomness, until / FIRST_WINDOWS, gauges);
  const { windows } = run;
  for (let k = 0; k < FIRST_WINDOWS; k++) {
    if (run.advance(stop)) continue;
    const { firings, time } = run;
    if (!run.isDead) return { means: [], gauged: new Map(), firings, time, isWhole: false, growing: [] };
    const means = deadEnd(measured, run).estimates.map(({ mean }) => mean);
    const end = JSON.stringify(measured.net.places.map((place) => colours(place, run.tokens(place.name))));
    return { means, gauged: run.gaugesNow, firings, time, isWhole: true, growing: [], end };
  }
  const settled = (series: Float64Array): number => {
    // Without a steady state the whole run counts: the runs then differ, which the interval shows.
    const from = warmUp(series) ?? 0;
    return series.subarray(from).reduce((a, b) => a + b, 0) / (series.length - from);
  };
  const means = measured.numbers.all.map((k) => settled(windows.of(k)));
  const gauged = new Map([...run.gauged].map(([name, series]) => [name, settled(series)]));
  const growing = measured.net.places.flatMap((_, k) => (hasTrend(windows.of(measured.numbers.place(k))) ? [k] : []));
  return { means, gauged, firings: run.firings, time: run.time, isWhole: true, growing };
}
