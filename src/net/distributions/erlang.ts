import { incompleteGamma } from '../../base/random/special-functions.ts';
import { COUNT, plain, rate } from './form.ts';
import { standardGamma } from './gamma.ts';
import { between, type Draw, isPositive, law, scaled, seconds, UNBOUNDED, UNDEFINED } from './law.ts';

/** Up to this many phases are drawn one by one: the fixed number of draws keeps scenarios synchronised. */
const MAX_PHASES = 16;

export const inRange = (shape: number, rate: number): boolean =>
  Number.isSafeInteger(shape) && shape >= 1 && isPositive(rate);

/** Sum of `shape` exponential phases. One draw per phase for a shape of up to 16; beyond that, as `gamma`. */
export const erlang = law(
  { shape: plain(COUNT), rate },
  {
    moments(d, value) {
      const [shape, rate] = [value(d.shape), value(d.rate)];
      return inRange(shape, rate) ? scaled(1 / rate, { mean: shape, variance: shape }) : UNDEFINED;
    },
    cdf(d, value) {
      const [shape, rate] = [value(d.shape), value(d.rate)];
      return between(inRange(shape, rate), 0, UNBOUNDED, (x) => incompleteGamma(shape, rate * x).lower);
    },
    sample: (d, value, draw) => drawn(draw, value(d.shape), value(d.rate)),
    drawer: (_, draw) => (shape, rate) => drawn(draw, shape!, rate!),
  },
);

function drawn(draw: Draw, shape: number, rate: number): number {
  if (!inRange(shape, rate)) return Number.NaN;
  if (shape > MAX_PHASES) return seconds(standardGamma(draw, shape) / rate);
  // At least 2^(−53 · 16), so it is never 0.
  let product = 1;
  for (let k = 0; k < shape; k++) product *= 1 - draw();
  return seconds(-Math.log(product) / rate);
}
