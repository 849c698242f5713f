import { normalTail } from '../../base/random/special-functions.ts';
import { logarithm, NOT_NEGATIVE, plain } from './form.ts';
import {
  always,
  between,
  isNotNegative,
  law,
  type Moments,
  seconds,
  standardNormal,
  UNBOUNDED,
  UNDEFINED,
} from './law.ts';

export const inRange = (mean: number, deviation: number): boolean => Number.isFinite(mean) && isNotNegative(deviation);

/** The logarithm is normal with `mean` and standard `deviation`. Two draws. */
export const lognormal = law(
  { mean: logarithm, deviation: plain(NOT_NEGATIVE) },
  {
    moments(d, value) {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      return inRange(mean, deviation) ? momentsOf(mean, deviation) : UNDEFINED;
    },
    cdf(d, value) {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      const valid = inRange(mean, deviation);
      if (deviation === 0) return always(valid, Math.exp(mean));
      return between(valid, 0, UNBOUNDED, (x) => normalTail((mean - Math.log(x)) / deviation));
    },
    sample(d, value, draw) {
      const [mean, deviation] = [value(d.mean), value(d.deviation)];
      return inRange(mean, deviation) ? seconds(Math.exp(mean + deviation * standardNormal(draw))) : Number.NaN;
    },
  },
);

/** Written so that it overflows only if the result does. */
function momentsOf(mean: number, deviation: number): Moments {
  const square = deviation ** 2;
  const root = Math.exp(mean + square);
  const variance = square === 0 ? 0 : root * (root * -Math.expm1(-square));
  return { mean: Math.exp(mean + square / 2), variance };
}
