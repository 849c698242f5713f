import { fail, shown } from '../../base/problem.ts';
import { studentQuantile } from './student-t.ts';

/** Halvings of [0, 1]: to the precision of a double. */
const HALVINGS = 53;

/** Statistics of independent values, for example one result from every replication; in the unit of the values. */
export interface Summary {
  /** n, the number of values. */
  readonly count: number;
  /** Arithmetic mean. */
  readonly mean: number;
  /** The sample standard deviation (with n − 1); NaN for a single value. */
  readonly deviation: number;
  /** Smallest value. */
  readonly min: number;
  /** Largest value. */
  readonly max: number;
  /** Probability that `low` … `high` covers the expectation if the values are independent and approximately normal. */
  readonly confidence: number;
  /** Lower end of the confidence interval of the mean: `mean` − `half`. */
  readonly low: number;
  /** Upper end of the confidence interval of the mean: `mean` + `half`. */
  readonly high: number;
  /** Half-width of the confidence interval; Infinity for a single value. */
  readonly half: number;
}

/**
 * Mean, standard deviation, minimum, maximum, and the confidence interval of the mean by Student's t (Law, _Simulation
 * Modeling and Analysis_, §4.5). O(n).
 *
 * @param confidence between 0 and 1, default 0.95
 * @throws InputError SIM009 for an empty list, a value that is not a finite number, or an invalid confidence
 */
export function summary(values: readonly number[], confidence = 0.95): Summary {
  const given: unknown = values;
  if (!Array.isArray(given) && !ArrayBuffer.isView(given)) refuse(`expected a list of numbers, got ${shown(given)}`);
  if (values.length === 0) refuse('expected at least one value, got none');
  const wrong = values.findIndex((v) => !Number.isFinite(v));
  if (wrong >= 0) refuse(`value ${wrong}: expected a finite number, got ${shown(values[wrong])}`);
  if (!(typeof confidence === 'number' && confidence > 0 && confidence < 1))
    refuse(`confidence: expected a number between 0 and 1, got ${shown(confidence)}`);
  const running = new RunningSummary();
  for (const value of values) running.add(value);
  const { count, mean, deviation, min, max } = running;
  const half = running.half(confidence);
  return { count, mean, deviation, min, max, confidence, low: mean - half, high: mean + half, half };
}

/** Mean, deviation and range of values that are added one by one (B. P. Welford, Technometrics 4, 1962). O(1) each. */
export class RunningSummary {
  count = 0;
  mean = 0;
  min: number = Number.POSITIVE_INFINITY;
  max: number = Number.NEGATIVE_INFINITY;
  #squares = 0;

  add(value: number): void {
    const away = value - this.mean;
    this.count += 1;
    this.mean += away / this.count;
    this.#squares += away * (value - this.mean);
    this.min = Math.min(this.min, value);
    this.max = Math.max(this.max, value);
  }

  /** The sample standard deviation (with n − 1); NaN for a single value. */
  get deviation(): number {
    return this.count > 1 ? Math.sqrt(this.#squares / (this.count - 1)) : Number.NaN;
  }

  /** Half-width of the confidence interval of the mean by Student's t; Infinity for a single value. */
  half(confidence: number): number {
    if (this.count < 2) return Number.POSITIVE_INFINITY;
    return (studentQuantile((1 - confidence) / 2, this.count - 1) * this.deviation) / Math.sqrt(this.count);
  }
}

/**
 * The interval of a probability from `count` successes in n independent trials (C. J. Clopper, E. S. Pearson, Biometrika 26, 1934). It
 * consists of the probabilities p for which P(at most count) and P(at least count) are both at least (1 − confidence) / 2. It contains
 * the true probability with at least the given confidence, also for few trials and rare events. O(count).
 */
export function proportion(
  count: number,
  n: number,
  confidence: number,
): { readonly lower: number; readonly upper: number } {
  const tail = (1 - confidence) / 2;
  return {
    lower: count === 0 ? 0 : whereAtMost(count - 1, n, 1 - tail),
    upper: count === n ? 1 : whereAtMost(count, n, tail),
  };
}

/** The success probability with which at most k < n of n trials succeed with probability `level`. */
function whereAtMost(k: number, n: number, level: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (atMost(k, n, middle) > level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that at most k < n of n trials of probability 0 < p < 1 succeed. O(k). */
export function atMost(k: number, n: number, p: number): number {
  const odds = Math.log(p) - Math.log1p(-p);
  let term = n * Math.log1p(-p);
  let sum = Math.exp(term);
  for (let i = 1; i <= k; i++) {
    term += Math.log((n - i + 1) / i) + odds;
    sum += Math.exp(term);
  }
  return sum;
}

function refuse(message: string): never {
  return fail('SIM009', message, { part: 'summary' });
}
