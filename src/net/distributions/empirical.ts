import { samples as numbers } from './form.ts';
import { between, countUpTo, type Draw, evenly, isNotNegative, law, mixture, seconds, UNDEFINED } from './law.ts';

export const inRange = (samples: readonly number[]): boolean => samples.length >= 2 && samples.every(isNotNegative);

/**
 * Piecewise linear through the sorted samples (Law, _Simulation Modeling and Analysis_, §6.2.4). By inversion: one draw. O(1),
 * after O(n log n) for the first draw from an array.
 */
export const empirical = law(
  { samples: numbers },
  {
    moments(d) {
      if (!inRange(d.samples)) return UNDEFINED;
      const x = d.samples.toSorted((a, b) => a - b);
      return mixture(x.slice(1).map((high, k) => ({ weight: 1, part: evenly(x[k]!, high) })));
    },
    cdf(d) {
      const x = d.samples.toSorted((a, b) => a - b);
      const last = x.length - 1;
      return between(inRange(x), x[0]!, x[last]!, (at) => {
        const k = countUpTo(x, at) - 1;
        return (k + (at - x[k]!) / (x[k + 1]! - x[k]!)) / last;
      });
    },
    sample: (d, _, draw) => drawn(draw, d.samples),
    drawer(d, draw) {
      ascending(d.samples);
      return () => drawn(draw, d.samples);
    },
  },
);

function drawn(draw: Draw, samples: readonly number[]): number {
  const x = ascending(samples);
  const last = x.length - 1;
  if (last < 1) return Number.NaN;
  const at = draw() * last;
  const k = Math.floor(at);
  return seconds(x[k]! + (at - k) * (x[k + 1]! - x[k]!));
}

const orders = new WeakMap<object, Float64Array>();

/** The samples in ascending order; empty if one is out of range. */
function ascending(samples: readonly number[]): Float64Array {
  let found = orders.get(samples);
  if (found === undefined) {
    found = Float64Array.from(inRange(samples) ? samples : []).sort();
    orders.set(samples, found);
  }
  return found;
}
