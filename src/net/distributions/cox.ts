import { expressionText } from '../expression.ts';
import { coxEnded } from './cox-ended.ts';
import { PROBABILITY, parts, plain, rate } from './form.ts';
import {
  between,
  finite,
  isPositive,
  isProbability,
  law,
  type Moments,
  seconds,
  standardExponential,
  UNBOUNDED,
  UNDEFINED,
  type Value,
} from './law.ts';

export const inRange = (rates: readonly number[], onward: readonly number[]): boolean =>
  rates.length > 0 &&
  rates.length === onward.length &&
  rates.every(isPositive) &&
  onward.every(isProbability) &&
  onward[onward.length - 1] === 0;

/**
 * Exponential phases in series; each continues with probability `onward`. Two draws per phase that may be followed by another,
 * one for the last phase. O(phases); the distribution function O(phases³ · log).
 */
export const cox = law(
  { phases: parts('phase', { rate, onward: plain(PROBABILITY) }) },
  {
    moments(d, value) {
      const { rates, onward } = parameters(d, value);
      return inRange(rates, onward) ? momentsOf(rates, onward) : UNDEFINED;
    },
    cdf(d, value) {
      const { rates, onward } = parameters(d, value);
      return between(inRange(rates, onward), 0, UNBOUNDED, (x) => coxEnded(rates, onward, x));
    },
    sample(d, value, draw) {
      const { rates, onward } = parameters(d, value);
      if (!inRange(rates, onward)) return Number.NaN;
      const last = rates.length - 1;
      let sum = 0;
      for (let k = 0; k <= last; k++) {
        sum += standardExponential(draw) / rates[k]!;
        if (k === last || !(draw() < onward[k]!)) break;
      }
      return seconds(sum);
    },
    faults({ phases }, value) {
      const last = phases.at(-1);
      if (last === undefined || value(last.onward) === 0) return [];
      return [
        `onward of phase ${phases.length} is ${expressionText(last.onward)}: expected 0, because no phase follows the last`,
      ];
    },
  },
);

function parameters(
  { phases }: Parameters<typeof cox.moments>[0],
  value: Value,
): { readonly rates: number[]; readonly onward: number[] } {
  const all = phases.map((p) => [value(p.rate), value(p.onward)] as const);
  return { rates: all.map(([rate]) => rate), onward: all.map(([, onward]) => onward) };
}

/** Backwards from the last phase: one phase, then with probability `onward` the rest. */
function momentsOf(rates: readonly number[], onward: readonly number[]): Moments {
  let rest: Moments = { mean: 0, variance: 0 };
  for (let k = rates.length - 1; k >= 0; k--) {
    const p = onward[k]!;
    const phase = 1 / rates[k]!;
    if (p === 0) rest = { mean: 0, variance: 0 };
    rest = {
      mean: phase + p * rest.mean,
      variance: phase ** 2 + p * rest.variance + p * (1 - p) * rest.mean ** 2,
    };
  }
  return finite(rest);
}
