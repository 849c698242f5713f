import { known, NOT_NEGATIVE, parts, plain, time } from './form.ts';
import {
  areWeights,
  between,
  countUpTo,
  type Draw,
  isNotNegative,
  law,
  mixture,
  seconds,
  UNBOUNDED,
  UNDEFINED,
  weightFaults,
} from './law.ts';

/** A value with its weight. */
type Values = readonly { readonly value: number; readonly weight: number }[];

export const inRange = (values: Values): boolean =>
  values.every((v) => isNotNegative(v.value)) && areWeights(values.map((v) => v.weight));

/** One of the values, in proportion to its weight: one draw. O(log n), after O(n) for the first draw from an array. */
export const discrete = law(
  { values: parts('value', { value: known(time(NOT_NEGATIVE)), weight: known(plain(NOT_NEGATIVE)) }) },
  {
    moments(d) {
      if (!inRange(d.values)) return UNDEFINED;
      return mixture(d.values.map((v) => ({ weight: v.weight, part: { mean: v.value, variance: 0 } })));
    },
    cdf(d) {
      const values = d.values.toSorted((a, b) => a.value - b.value);
      let sum = 0;
      const upTo = values.map((v) => (sum += v.weight));
      const x = values.map((v) => v.value);
      return between(inRange(d.values), 0, UNBOUNDED, (at) => (upTo[countUpTo(x, at) - 1] ?? 0) / sum);
    },
    sample: (d, _, draw) => drawn(draw, d.values),
    drawer(d, draw) {
      cumulated(d.values);
      return () => drawn(draw, d.values);
    },
    faults: ({ values }) =>
      weightFaults(
        'weights',
        values.map((v) => v.weight),
      ),
  },
);

function drawn(draw: Draw, values: Values): number {
  const { value, upTo } = cumulated(values);
  const last = value.length - 1;
  if (last < 0) return Number.NaN;
  const at = draw() * upTo[last]!;
  // The first value whose running sum exceeds `at`; the last if none does.
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (upTo[middle]! > at) high = middle;
    else low = middle + 1;
  }
  return seconds(value[low]!);
}

interface Cumulated {
  readonly value: readonly number[];
  /** The sum of the weights up to each value. */
  readonly upTo: readonly number[];
}

const cumulations = new WeakMap<object, Cumulated>();

/** The values of positive weight, with running sums of the weights; empty if a value or weight is out of range. */
function cumulated(values: Values): Cumulated {
  let found = cumulations.get(values);
  if (found === undefined) {
    const possible = inRange(values) ? values.filter((v) => v.weight > 0) : [];
    let sum = 0;
    const upTo = possible.map((v) => (sum += v.weight));
    found = { value: possible.map((v) => v.value), upTo };
    cumulations.set(values, found);
  }
  return found;
}
