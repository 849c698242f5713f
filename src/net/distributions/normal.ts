import { normalDensity, normalTail } from '../../base/random/special-functions.ts';
import { NOT_NEGATIVE, time } from './form.ts';
import {
  always,
  between,
  type Draw,
  isNotNegative,
  law,
  MAX_TRIES,
  type Moments,
  seconds,
  standardNormal,
  UNBOUNDED,
  UNDEFINED,
} from './law.ts';

/** With a mean below zero, redrawing until the value is ≥ 0 could take very long or never end. */
export const inRange = (mean: number, deviation: number): boolean => isNotNegative(mean) && isNotNegative(deviation);

/** Redrawn while negative. Two draws per attempt. */
export const normal = law(
  { mean: time(NOT_NEGATIVE), deviation: time(NOT_NEGATIVE) },
  {
    moments(d, value) {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      return inRange(mean, deviation) ? momentsOf(mean, deviation) : UNDEFINED;
    },
    cdf(d, value) {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      const valid = inRange(mean, deviation);
      if (deviation === 0) return always(valid, mean);
      const tail = (x: number): number => normalTail((x - mean) / deviation);
      return between(valid, 0, UNBOUNDED, (x) => 1 - tail(x) / tail(0));
    },
    sample: (d, value, draw) => drawn(draw, value(d.mean), value(d.deviation)),
  },
);

export function drawn(draw: Draw, mean: number, deviation: number): number {
  if (!inRange(mean, deviation)) return Number.NaN;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const x = mean + deviation * standardNormal(draw);
    if (x >= 0) return seconds(x);
  }
  return Number.NaN;
}

/**
 * Normal conditioned on being ≥ 0 (Johnson, Kotz & Balakrishnan, _Continuous Univariate Distributions 1_, §13.10.1).
 */
function momentsOf(mean: number, deviation: number): Moments {
  if (deviation === 0) return { mean, variance: 0 };
  // Beyond 40 standard deviations the difference is below double precision.
  const a = Math.min(mean / deviation, 40);
  const hazard = normalDensity(a) / normalTail(-a);
  return {
    mean: mean + deviation * hazard,
    variance: deviation * (deviation * (1 - a * hazard - hazard ** 2)),
  };
}
