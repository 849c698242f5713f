import { type Components, components } from '../petri/components.ts';
import { AbsorptionDistribution } from './absorption-distribution.ts';
import { graphOf, type MarkovChain } from './chain.ts';
import { ROUNDING } from './elimination.ts';
import type { BoundedMean } from './mean-bounds.ts';
import { type Passages, passages } from './passage.ts';
import { rateAt } from './rows.ts';

/** A figure of the time until absorption; `isFound` is false if its interval is wide. */
export interface AbsorptionFigure extends BoundedMean {
  readonly isFound: boolean;
}

export interface AbsorptionTime {
  /** Seconds. */
  readonly mean: AbsorptionFigure;
  /** Square seconds. */
  readonly variance: AbsorptionFigure;
  /** Probability to be absorbed by a time in seconds, if at all. */
  probability(seconds: number): BoundedMean;
  /** Probability to be absorbed, and by a time in seconds. */
  entered(seconds: number): BoundedMean;
  /** The time in seconds by which the chain is absorbed with a probability; undefined if it was not reached. */
  quantile(probability: number): AbsorptionFigure | undefined;
}

/** Half-width of an interval in relation to its figure, up to which the figure counts as found. */
const ENOUGH = 1e-8;
/** Quantiles below this share of the mean are as precise as one of this size. */
const SHARE_OF_MEAN = 1e-3;
/** Precision of the intervals at which sweeps end. */
const AIM = 1e-11;
const MAX_SWEEPS = 20_000;
/** Sweeps between two evaluations of the bounds. */
const CHECK_EVERY = 8;
/** Absolute loss by underflow. */
const UNDERFLOW = 1e-300;

/**
 * The components of a chain, and the number of the first state of a bottom component that is not an end; −1 if all bottom components are
 * single states in which nothing can happen.
 */
export function absorbingStates(chain: MarkovChain): { readonly parts: Components; readonly endless: number } {
  const parts = components(graphOf(chain));
  const ended = chain.ended();
  const endless = parts.of.findIndex((c, s) => parts.bottom[c] === 1 && ended[s] === 0);
  return { parts, endless };
}

/** Bottom components of a chain: those whose first entry a time refers to, and all others. */
export interface Ends {
  /** States of the components that the time refers to. */
  readonly states: Int32Array;
  /** States of the other components. */
  readonly others: Int32Array;
  /** By state: the probability to enter `states`; positive in all transient states. */
  readonly chance: Float64Array;
  /** Bound on the logarithm of the ratio of each `chance` and its exact value. */
  readonly error: number;
  /** Probability to enter `states` from the initial distribution. */
  readonly probability: BoundedMean;
}

const CERTAIN: BoundedMean = { mean: 1, lower: 1, upper: 1 };

/** All bottom components. */
export function allEnds({ of, bottom }: Components): Ends {
  const states = Int32Array.from(of.keys()).filter((s) => bottom[of[s]!] === 1);
  return {
    states,
    others: new Int32Array(0),
    chance: new Float64Array(of.length).fill(1),
    error: 0,
    probability: CERTAIN,
  };
}

/**
 * The time in seconds until a chain enters one of `ends`, on condition that it does. All bottom components must be single states. Mean and
 * second moment come from elimination without subtraction, or from sweeps whose result is bounded by its residual (README.md); the
 * distribution comes from uniformisation.
 */
export function absorptionTime(
  chain: MarkovChain,
  parts: Components,
  stop: () => boolean,
  ends: Ends = allEnds(parts),
): AbsorptionTime {
  const { probability } = ends;
  const eliminated = byElimination(chain, parts, ends, stop);
  const moments =
    eliminated !== undefined && figure(eliminated.first).isFound && figure(varianceOf(eliminated)).isFound
      ? eliminated
      : both(bySweeps(chain, parts, ends, stop), eliminated);
  const distribution = new AbsorptionDistribution(chain, ends.states, ends.others, stop);
  return {
    mean: figure(moments.first),
    variance: figure(varianceOf(moments)),
    probability: (seconds) => share(distribution.probability(seconds), probability, 1),
    entered: (seconds) => distribution.probability(seconds),
    quantile: (part) => {
      const found = distribution.quantile(part, probability);
      return found === undefined ? undefined : figure(found, SHARE_OF_MEAN * moments.first.mean);
    },
  };
}

/** A quotient of two figures that are at least 0, up to a maximum. */
function share(part: BoundedMean, of: BoundedMean, most = Number.POSITIVE_INFINITY): BoundedMean {
  if (of === CERTAIN) return part;
  const lower = Math.min(most, (part.lower / of.upper) * (1 - 2 * ROUNDING));
  const upper = Math.min(most, of.lower > 0 ? (part.upper / of.lower) * (1 + 2 * ROUNDING) : most);
  return { mean: Math.min(Math.max(part.mean / of.mean, lower), upper), lower, upper };
}

interface Moments {
  readonly first: BoundedMean;
  readonly second: BoundedMean;
}

/** The intersections of the intervals of two results. */
function both(a: Moments, b: Moments | undefined): Moments {
  if (b === undefined) return a;
  const common = (x: BoundedMean, y: BoundedMean): BoundedMean => {
    const [lower, upper] = [Math.max(x.lower, y.lower), Math.min(x.upper, y.upper)];
    return { mean: Math.min(Math.max(x.mean, lower), upper), lower, upper };
  };
  return { first: common(a.first, b.first), second: common(a.second, b.second) };
}

/** @param least minimum size of a figure to which its half-width is compared */
function figure(bounded: BoundedMean, least = 0): AbsorptionFigure {
  const { mean, lower, upper } = bounded;
  return { mean, lower, upper, isFound: (upper - lower) / 2 <= ENOUGH * Math.max(mean, least) };
}

/** E[T²] − E[T]². */
function varianceOf({ first, second }: Moments): BoundedMean {
  const below = (x: number): number => x * (1 - 2 * ROUNDING);
  const above = (x: number): number => x * (1 + 2 * ROUNDING);
  const lower = Math.max(0, below(second.lower) - above(first.upper ** 2));
  const upper = Math.max(lower, above(second.upper) - below(first.lower ** 2));
  const mean = second.mean - first.mean ** 2;
  return { mean: Math.min(Math.max(mean, lower), upper), lower: below(lower), upper: above(upper) };
}

/** The interval of a positive figure whose error is bounded. */
export function within(mean: number, error: number): BoundedMean {
  const off = 1.1 * error + 4 * ROUNDING;
  return error < 0.1
    ? { mean, lower: mean * (1 - off), upper: mean * (1 + off) }
    : { mean, lower: 0, upper: Number.POSITIVE_INFINITY };
}

function byElimination(chain: MarkovChain, parts: Components, ends: Ends, stop: () => boolean): Moments | undefined {
  const transient = Float64Array.from(parts.of, (c, s) => (parts.bottom[c] === 1 ? 0 : ends.chance[s]!));
  const once = passages(chain, parts, stop, transient, ends.error);
  const first = once?.from(chain.initial);
  if (once === undefined || first === undefined) return undefined;
  const { gain, error } = doubled(once, transient);
  const second = passages(chain, parts, stop, gain, error)?.from(chain.initial);
  if (second === undefined) return undefined;
  return conditional({ first: within(first.gain, first.error), second: within(second.gain, second.error) }, ends);
}

/** Moments on condition that the chain enters `ends`. */
function conditional({ first, second }: Moments, { probability }: Ends): Moments {
  return { first: share(first, probability), second: share(second, probability) };
}

/** Twice the expected times: the gains per second of the second moment. */
function doubled({ of }: Passages, transient: Float64Array): { readonly gain: Float64Array; readonly error: number } {
  let error = 0;
  const gain = Float64Array.from(of, (passage, s) => {
    if (transient[s] === 0) return 0;
    error = Math.max(error, passage.error);
    return 2 * passage.gain;
  });
  return { gain, error };
}

/**
 * Expected times by Gauss–Seidel. If a ≤ −Qh / b ≤ c in all transient states, with h = 0 in the others, the solution x of
 * −Qx = b lies in [h / c, h / a], because −Q of the transient states is an M-matrix, whose inverse has no negative entries.
 */
function bySweeps(chain: MarkovChain, { of, bottom }: Components, ends: Ends, stop: () => boolean): Moments {
  const transient = Int32Array.from(of.keys()).filter((s) => bottom[of[s]!] === 0);
  const times = swept(chain, transient, ends.chance, stop);
  const doubledTimes = times.h.map((h) => 2 * h);
  const squares = swept(chain, transient, doubledTimes, stop);
  const bounds = (h: Float64Array, least: number, most: number): BoundedMean => {
    let mean = 0;
    for (const [s, p] of chain.initial.to) mean += p * h[s]!;
    const off = 1.1 * (chain.initial.error + ends.error) + (chain.initial.to.size + 6) * ROUNDING;
    if (!(least > 0 && off < 0.1)) return { mean, lower: 0, upper: Number.POSITIVE_INFINITY };
    const [lower, upper] = [(mean * (1 - off)) / most, (mean * (1 + off)) / least];
    return { mean: Math.min(Math.max(mean, lower), upper), lower, upper };
  };
  const moments = {
    first: bounds(times.h, times.least, times.most),
    // b is twice h, which itself is the expected time times a factor in [a, c].
    second: bounds(squares.h, squares.least * times.least, squares.most * times.most),
  };
  return conditional(moments, ends);
}

/** An approximation h of the solution of −Qh = b for gains b > 0 per second, with the minimum and maximum of −Qh / b. */
export function swept(
  chain: MarkovChain,
  transient: Int32Array,
  gains: Float64Array,
  stop: () => boolean,
): { readonly h: Float64Array; readonly least: number; readonly most: number } {
  const { states, start, target, rates } = chain;
  const exit = new Float64Array(states);
  for (const s of transient) for (let e = start[s]!; e < start[s + 1]!; e++) exit[s]! += rateAt(rates, e);
  const h = new Float64Array(states);
  let bounds = { least: 0, most: Number.POSITIVE_INFINITY };
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    for (let k = 0; k < transient.length; k++) {
      const s = transient[sweep % 2 === 0 ? k : transient.length - 1 - k]!;
      let sum = gains[s]!;
      for (let e = start[s]!, end = start[s + 1]!; e < end; e++) sum += rateAt(rates, e) * h[target[e]!]!;
      h[s] = sum / exit[s]!;
    }
    if (sweep % CHECK_EVERY !== CHECK_EVERY - 1) continue;
    bounds = residualBounds(chain, transient, gains, h);
    if (bounds.most - bounds.least <= AIM || stop()) break;
  }
  return { h, ...bounds };
}

/** The least and largest −Qh / b, widened by rounding and by the errors of the rates. */
function residualBounds(
  { start, target, rates, error }: MarkovChain,
  transient: Int32Array,
  gains: Float64Array,
  h: Float64Array,
): { readonly least: number; readonly most: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const s of transient) {
    const [from, end] = [start[s]!, start[s + 1]!];
    let [sum, size] = [0, 0];
    for (let e = from; e < end; e++) {
      const term = rateAt(rates, e) * (h[s]! - h[target[e]!]!);
      sum += term;
      size += Math.abs(term);
    }
    const off = (2 * error + (end - from + 8) * ROUNDING) * size + UNDERFLOW;
    least = Math.min(least, ((sum - off) / gains[s]!) * (1 - 4 * ROUNDING));
    most = Math.max(most, ((sum + off) / gains[s]!) * (1 + 4 * ROUNDING));
    // Also true for NaN.
    if (!(most < Number.POSITIVE_INFINITY)) return { least: 0, most: Number.POSITIVE_INFINITY };
  }
  return { least: Math.max(0, least), most };
}
