import { NOT_NEGATIVE, parts, plain, rate } from './form.ts';
import {
  areWeights,
  between,
  isPositive,
  law,
  mixture,
  scaled,
  seconds,
  standardExponential,
  UNBOUNDED,
  UNDEFINED,
  UNIT,
  type Value,
  weightFaults,
} from './law.ts';

export const inRange = (probabilities: readonly number[], rates: readonly number[]): boolean =>
  areWeights(probabilities) && rates.length === probabilities.length && rates.every(isPositive);

/** One exponential branch, chosen in proportion to its probability. Two draws. O(branches). */
export const hyperExponential = law(
  { branches: parts('branch', { rate, probability: plain(NOT_NEGATIVE) }) },
  {
    moments(d, value) {
      const { probabilities, rates } = parameters(d, value);
      if (!inRange(probabilities, rates)) return UNDEFINED;
      return mixture(rates.map((r, k) => ({ weight: probabilities[k]!, part: scaled(1 / r, UNIT) })));
    },
    cdf(d, value) {
      const { probabilities, rates } = parameters(d, value);
      const total = probabilities.reduce((sum, p) => sum + p, 0);
      return between(inRange(probabilities, rates), 0, UNBOUNDED, (x) =>
        Math.min(
          1,
          rates.reduce((sum, r, k) => sum - (probabilities[k]! / total) * Math.expm1(-r * x), 0),
        ),
      );
    },
    sample(d, value, draw) {
      const { probabilities, rates } = parameters(d, value);
      if (!inRange(probabilities, rates)) return Number.NaN;
      let total = 0;
      for (const p of probabilities) total += p;
      const at = draw() * total;
      let chosen = -1;
      let sum = 0;
      for (let k = 0; k < rates.length && !(sum > at); k++) {
        // A branch of probability 0 is never chosen, even if no running sum exceeds `at` because of rounding.
        if (probabilities[k]! > 0) chosen = k;
        sum += probabilities[k]!;
      }
      return seconds(standardExponential(draw) / rates[chosen]!);
    },
    faults: ({ branches }, value) =>
      weightFaults(
        'probabilities',
        branches.map((b) => value(b.probability)),
      ),
  },
);

function parameters(
  { branches }: Parameters<typeof hyperExponential.moments>[0],
  value: Value,
): { readonly probabilities: number[]; readonly rates: number[] } {
  const all = branches.map((b) => [value(b.rate), value(b.probability)] as const);
  return { probabilities: all.map(([, probability]) => probability), rates: all.map(([own]) => own) };
}
