import { fail, shown } from '../base/problem.ts';
import { studentQuantile } from './student-t.ts';

/** Statistics of independent values, for example one result from every replication. */
export interface Summary {
  /** Number of values. */
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
  const n = values.length;
  const { mean, squares } = moments(values);
  const deviation = n > 1 ? Math.sqrt(squares / (n - 1)) : Number.NaN;
  const half =
    n > 1 ? (studentQuantile((1 - confidence) / 2, n - 1) * deviation) / Math.sqrt(n) : Number.POSITIVE_INFINITY;
  return {
    count: n,
    mean,
    deviation,
    min: values.reduce((a, b) => Math.min(a, b)),
    max: values.reduce((a, b) => Math.max(a, b)),
    confidence,
    low: mean - half,
    high: mean + half,
    half,
  };
}

/** The mean and the sum of squared deviations from it, in one pass (B. P. Welford, Technometrics 4, 1962). */
function moments(values: readonly number[]): { mean: number; squares: number } {
  let mean = 0;
  let squares = 0;
  values.forEach((v, k) => {
    const away = v - mean;
    mean += away / (k + 1);
    squares += away * (v - mean);
  });
  return { mean, squares };
}

function refuse(message: string): never {
  return fail('SIM009', message, { part: 'summary' });
}
