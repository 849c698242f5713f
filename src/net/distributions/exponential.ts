import { rate } from './form.ts';
import {
  between,
  type Draw,
  isPositive,
  law,
  scaled,
  seconds,
  standardExponential,
  UNBOUNDED,
  UNDEFINED,
  UNIT,
} from './law.ts';

export const inRange = (rate: number): boolean => isPositive(rate);

/** Mean 1 / rate. Sampled by inversion: one draw. */
export const exponential = law(
  { rate },
  {
    moments(d, value) {
      const rate = value(d.rate);
      return inRange(rate) ? scaled(1 / rate, UNIT) : UNDEFINED;
    },
    cdf(d, value) {
      const rate = value(d.rate);
      return between(inRange(rate), 0, UNBOUNDED, (x) => -Math.expm1(-rate * x));
    },
    sample: (d, value, draw) => drawn(draw, value(d.rate)),
    drawer: (_, draw) => (rate) => drawn(draw, rate!),
  },
);

function drawn(draw: Draw, rate: number): number {
  return inRange(rate) ? seconds(standardExponential(draw) / rate) : Number.NaN;
}
