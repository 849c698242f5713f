import { type AbsorptionTime, absorbingStates, absorptionTime } from '../../analysis/markov/absorption-time.ts';
import type { MarkovChain } from '../../analysis/markov/chain.ts';
import type { BoundedMean } from '../../analysis/markov/mean-bounds.ts';
import { fail } from '../../base/problem.ts';
import type { Absorption, Interval } from './exact-parts.ts';

/** Probabilities whose times are printed. */
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
/** Times from 0 to the last quantile at which the distribution is printed. */
const TIMES = 20;

/**
 * The time until the net ends, in seconds.
 *
 * @throws InputError CTMC006 if it may run indefinitely
 */
export function absorptionOf(
  chain: MarkovChain,
  stop: () => boolean,
): { readonly complete: boolean; readonly absorption: Absorption } {
  const { parts, endless } = absorbingStates(chain);
  if (endless >= 0) {
    const size = parts.sizes[parts.of[endless]!]!;
    fail(
      'CTMC006',
      `the net may run forever: a set of ${size} of its ${chain.states} states is never left. Ask for the long run, or for the time until a marking is reached: foretoken steady --reach FORMULA`,
    );
  }
  return timeFigures(absorptionTime(chain, parts, stop));
}

/** The moments, quantiles and distribution of a time. */
export function timeFigures(time: AbsorptionTime): { readonly complete: boolean; readonly absorption: Absorption } {
  const quantiles = QUANTILES.flatMap((probability) => {
    const found = time.quantile(probability);
    return found === undefined ? [] : [{ probability, time: found.mean, ...errorOf(found), isFound: found.isFound }];
  });
  const complete =
    time.mean.isFound &&
    time.variance.isFound &&
    quantiles.length === QUANTILES.length &&
    quantiles.every((q) => q.isFound);
  const last = quantiles.at(-1)?.time ?? time.mean.mean;
  const points = last > 0 ? Array.from({ length: TIMES + 1 }, (_, k) => (last * k) / TIMES) : [0];
  return {
    complete,
    absorption: {
      mean: time.mean.mean,
      ...errorOf(time.mean),
      variance: time.variance.mean,
      varianceInterval: errorOf(time.variance),
      quantiles: quantiles.map(({ isFound: _, ...quantile }) => quantile),
      distribution: points.map((seconds) => {
        const reached = time.probability(seconds);
        return { time: seconds, probability: reached.mean, ...errorOf(reached) };
      }),
    },
  };
}

/** The proved interval of a mean. An infinite upper end becomes null. */
export function errorOf({ mean, lower, upper }: BoundedMean): Interval {
  const isBounded = upper < Number.POSITIVE_INFINITY;
  const halfWidth = isBounded ? Math.max(mean - lower, upper - mean) : null;
  return { halfWidth, lower, upper: isBounded ? upper : null, certainty: 1 };
}

/** The interval of a figure that has none. */
export const NO_INTERVAL: Interval = { halfWidth: null, lower: null, upper: null, certainty: 0 };
