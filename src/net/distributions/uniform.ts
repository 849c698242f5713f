import { NOT_NEGATIVE, time } from './form.ts';
import { ascending, between, type Draw, evenly, isNotNegative, law, seconds, UNDEFINED } from './law.ts';

export const inRange = (low: number, high: number): boolean => isNotNegative(low) && low <= high && isNotNegative(high);

/** Between `low` and `high`. One draw. */
export const uniform = law(
  { low: time(NOT_NEGATIVE), high: time(NOT_NEGATIVE) },
  {
    moments(d, value) {
      const [low, high] = [value(d.low), value(d.high)];
      return inRange(low, high) ? evenly(low, high) : UNDEFINED;
    },
    cdf(d, value) {
      const [low, high] = [value(d.low), value(d.high)];
      return between(inRange(low, high), low, high, (x) => (x - low) / (high - low));
    },
    sample: (d, value, draw) => drawn(draw, value(d.low), value(d.high)),
    drawer: (_, draw) => (low, high) => drawn(draw, low!, high!),
    faults: ascending,
  },
);

function drawn(draw: Draw, low: number, high: number): number {
  // Never exceeds `high`: the product with u < 1 is rounded to less than the rounded difference.
  return inRange(low, high) ? seconds(low + draw() * (high - low)) : Number.NaN;
}
