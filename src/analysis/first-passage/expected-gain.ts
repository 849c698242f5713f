import { swept, within } from '../markov/absorption-time.ts';
import type { MarkovChain } from '../markov/chain.ts';
import { ROUNDING } from '../markov/elimination.ts';
import type { BoundedMean } from '../markov/mean-bounds.ts';
import { passages } from '../markov/passage.ts';
import { rateAt } from '../markov/rows.ts';
import type { Components } from '../petri/components.ts';

/** The expected gain of a chain until it enters a bottom component. */
interface ExpectedGain {
  /** By state; 0 in bottom components. */
  readonly of: Float64Array;
  /** Bound on |log(computed gain / exact gain)| over all states; Infinity if unknown. */
  readonly error: number;
  /** From the initial distribution. */
  readonly from: BoundedMean;
}

const MAX_SWEEPS = 20_000;
/** Relative change of the values below which sweeps end. */
const SMALL_CHANGE = 1e-14;
/** Absolute loss by underflow. */
const UNDERFLOW = 1e-300;

/**
 * The expected gain until a bottom component is entered, by elimination, or for classes of more states by sweeps whose result is bounded
 * by its residual (README.md).
 *
 * @param gain by state: the gain per second, at least 0
 * @param gainError bound on the logarithm of the ratio of each gain and its exact value
 */
export function expectedGain(
  chain: MarkovChain,
  parts: Components,
  gain: Float64Array,
  gainError: number,
  stop: () => boolean,
): ExpectedGain {
  const own = gain.map((g, s) => (parts.bottom[parts.of[s]!] === 1 ? 0 : g));
  if (own.every((g) => g === 0)) return { of: own, error: 0, from: { mean: 0, lower: 0, upper: 0 } };
  const eliminated = passages(chain, parts, stop, own, gainError);
  const from = eliminated?.from(chain.initial);
  if (eliminated !== undefined && from !== undefined && from.error < 0.1) {
    const error = eliminated.of.reduce((most, one) => Math.max(most, one.error), 0);
    return { of: Float64Array.from(eliminated.of, (one) => one.gain), error, from: within(from.gain, from.error) };
  }
  return bySweeps(chain, parts, own, gainError, stop);
}

/**
 * An approximation h of the solution x of −Qx = b by Gauss–Seidel, with its error. Let ε = max |b + Qh|, and t at least the expected time
 * until the end. The inverse of −Q has no negative entries, and x − h is this inverse applied to b + Qh. So |x − h| ≤ ε t.
 */
function bySweeps(
  chain: MarkovChain,
  { of, bottom }: Components,
  gain: Float64Array,
  gainError: number,
  stop: () => boolean,
): ExpectedGain {
  const transient = Int32Array.from(of.keys()).filter((s) => bottom[of[s]!] === 0);
  const h = iterated(chain, transient, gain, stop);
  const times = swept(chain, transient, new Float64Array(chain.states).fill(1), stop);
  const epsilon = residual(chain, transient, gain, h);
  const far = times.least > 0 ? (epsilon / times.least) * (1 + 4 * ROUNDING) : Number.POSITIVE_INFINITY;
  let share = 0;
  for (const s of transient) share = Math.max(share, (far * times.h[s]!) / h[s]!);
  // −log(1 − x) ≤ 1.1 x up to 0.1; also false for NaN.
  const error = share < 0.1 ? gainError + 1.1 * share + 4 * ROUNDING : Number.POSITIVE_INFINITY;
  let [mean, distance] = [0, 0];
  for (const [s, p] of chain.initial.to) {
    mean += p * h[s]!;
    distance += p * far * times.h[s]!;
  }
  const off = 1.1 * (chain.initial.error + gainError) + (chain.initial.to.size + 6) * ROUNDING;
  if (!(distance < Number.POSITIVE_INFINITY && off < 0.1))
    return { of: h, error, from: { mean, lower: 0, upper: Number.POSITIVE_INFINITY } };
  const lower = Math.max(0, (mean - distance) * (1 - off) - 4 * ROUNDING * mean);
  const upper = (mean + distance) * (1 + off) + UNDERFLOW;
  return { of: h, error, from: { mean: Math.min(Math.max(mean, lower), upper), lower, upper } };
}

function iterated(
  { states, start, target, rates }: MarkovChain,
  transient: Int32Array,
  gain: Float64Array,
  stop: () => boolean,
): Float64Array {
  const h = new Float64Array(states);
  for (let sweep = 0; sweep < MAX_SWEEPS && !stop(); sweep++) {
    let change = 0;
    for (let k = 0; k < transient.length; k++) {
      const s = transient[sweep % 2 === 0 ? k : transient.length - 1 - k]!;
      let [sum, exit] = [gain[s]!, 0];
      for (let e = start[s]!, end = start[s + 1]!; e < end; e++) {
        const rate = rateAt(rates, e);
        exit += rate;
        sum += rate * h[target[e]!]!;
      }
      const next = sum / exit;
      if (next > 0) change = Math.max(change, Math.abs(next - h[s]!) / next);
      h[s] = next;
    }
    if (change <= SMALL_CHANGE) break;
  }
  return h;
}

/** The largest |b + Qh|, widened by rounding and by the errors of the rates. */
function residual(
  { start, target, rates, error }: MarkovChain,
  transient: Int32Array,
  gain: Float64Array,
  h: Float64Array,
): number {
  let most = 0;
  for (const s of transient) {
    const [from, end] = [start[s]!, start[s + 1]!];
    let [sum, size] = [gain[s]!, gain[s]!];
    for (let e = from; e < end; e++) {
      const term = rateAt(rates, e) * (h[target[e]!]! - h[s]!);
      sum += term;
      size += Math.abs(term);
    }
    most = Math.max(most, Math.abs(sum) + (2 * error + (end - from + 8) * ROUNDING) * size + UNDERFLOW);
    // Also true for NaN.
    if (!(most < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY;
  }
  return most;
}
