import { logGamma } from '../../base/random/special-functions.ts';
import { POSITIVE, plain, time } from './form.ts';
import {
  areShapeAndScale,
  between,
  finite,
  law,
  type Moments,
  scaled,
  seconds,
  standardExponential,
  UNBOUNDED,
  UNDEFINED,
} from './law.ts';

/** With `shape` and `scale`. By inversion: one draw. */
export const weibull = law(
  { shape: plain(POSITIVE), scale: time(POSITIVE) },
  {
    moments(d, value) {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return areShapeAndScale(shape, scale) ? scaled(scale, momentsOf(shape)) : UNDEFINED;
    },
    cdf(d, value) {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return between(areShapeAndScale(shape, scale), 0, UNBOUNDED, (x) => -Math.expm1(-((x / scale) ** shape)));
    },
    sample(d, value, draw) {
      const [shape, scale] = [value(d.shape), value(d.scale)];
      return areShapeAndScale(shape, scale) ? seconds(scale * standardExponential(draw) ** (1 / shape)) : Number.NaN;
    },
  },
);

/** ζ(2), ζ(3), … */
const ZETA: readonly number[] = [
  1.6449340668482264, 1.2020569031595942, 1.0823232337111381, 1.03692775514337, 1.0173430619844492, 1.008349277381923,
  1.0040773561979444, 1.0020083928260821, 1.000994575127818,
];

/** For scale 1: Γ(1 + 1/k) and Γ(1 + 2/k) − Γ(1 + 1/k)². */
function momentsOf(shape: number): Moments {
  const e = 1 / shape;
  const mean = Math.exp(logGamma(1 + e));
  if (mean === Number.POSITIVE_INFINITY) return finite({ mean, variance: mean });
  // ln Γ(1 + 2e) − 2 ln Γ(1 + e) cancels for small e; use the series of ln Γ at 1 instead (DLMF 5.7.3).
  const ratio =
    e < 0.02
      ? ZETA.reduceRight((sum, z, k) => ((z * (2 ** (k + 2) - 2)) / (k + 2) - sum) * e, 0) * e
      : logGamma(1 + 2 * e) - 2 * logGamma(1 + e);
  return { mean, variance: mean * (mean * Math.expm1(ratio)) };
}
