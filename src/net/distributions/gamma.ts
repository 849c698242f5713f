import { incompleteGamma } from '../../base/random/special-functions.ts';
import { POSITIVE, plain, time } from './form.ts';
import {
  areShapeAndScale,
  between,
  type Draw,
  law,
  MAX_TRIES,
  scaled,
  seconds,
  standardExponential,
  standardNormal,
  UNBOUNDED,
  UNDEFINED,
} from './law.ts';

/** With `shape` and `scale`. Three draws per attempt, and one more for a shape below 1; about one attempt on average. */
export const gamma = law(
  { shape: plain(POSITIVE), scale: time(POSITIVE) },
  {
    moments(d, value) {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return areShapeAndScale(shape, scale) ? scaled(scale, { mean: shape, variance: shape }) : UNDEFINED;
    },
    cdf(d, value) {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return between(areShapeAndScale(shape, scale), 0, UNBOUNDED, (x) => incompleteGamma(shape, x / scale).lower);
    },
    sample(d, value, draw) {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return areShapeAndScale(shape, scale) ? seconds(scale * standardGamma(draw, shape)) : Number.NaN;
    },
  },
);

/** Gamma with scale 1: Marsaglia & Tsang, _A simple method for generating gamma variables_ (2000); §6 for shapes below 1. */
export function standardGamma(draw: Draw, shape: number): number {
  // In this form, a shape near 0 yields 0, not NaN.
  if (shape < 1) return standardGamma(draw, shape + 1) * Math.exp(-standardExponential(draw) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const x = standardNormal(draw);
    // v = (1 + c x)³ = 1 + t: computing with t loses no digits for large shapes.
    const t = c * x * (3 + c * x * (3 + c * x));
    const e = standardExponential(draw);
    if (t > -1 && -e < 0.5 * x * x + d * (Math.log1p(t) - t)) return d * (1 + t);
  }
  return Number.NaN;
}
