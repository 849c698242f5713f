/** Valid parameter ranges of the distributions, shared by sampling, moments and distribution functions. */

/** A rate, a shape or a scale: positive and finite. */
const isPositive = (x: number): boolean => x > 0 && x < Number.POSITIVE_INFINITY;
/** Seconds or a weight: finite and ≥ 0. */
const isNotNegative = (x: number): boolean => x >= 0 && x < Number.POSITIVE_INFINITY;
const isProbability = (x: number): boolean => x >= 0 && x <= 1;

export function exponential(rate: number): boolean {
  return isPositive(rate);
}

export function erlang(shape: number, rate: number): boolean {
  return Number.isSafeInteger(shape) && shape >= 1 && isPositive(rate);
}

export function hyperExponential(probabilities: readonly number[], rates: readonly number[]): boolean {
  return weights(probabilities) && rates.length === probabilities.length && rates.every(isPositive);
}

export function cox(rates: readonly number[], onward: readonly number[]): boolean {
  return (
    rates.length > 0 &&
    rates.length === onward.length &&
    rates.every(isPositive) &&
    onward.every(isProbability) &&
    onward[onward.length - 1] === 0
  );
}

export function uniform(low: number, high: number): boolean {
  return isNotNegative(low) && low <= high && isNotNegative(high);
}

export function triangular(low: number, mode: number, high: number): boolean {
  return uniform(low, mode) && uniform(mode, high);
}

/** With a mean below zero, redrawing until the value is ≥ 0 could take very long or never end. */
export function normal(mean: number, deviation: number): boolean {
  return isNotNegative(mean) && isNotNegative(deviation);
}

export function lognormal(mean: number, deviation: number): boolean {
  return Number.isFinite(mean) && isNotNegative(deviation);
}

/** Shape and scale of weibull and gamma. */
export function scaled(shape: number, scale: number): boolean {
  return isPositive(shape) && isPositive(scale);
}

/** At least one weight is positive, and the sum is finite. */
export function weights(values: readonly number[]): boolean {
  let total = 0;
  for (const w of values) {
    if (!isNotNegative(w)) return false;
    total += w;
  }
  return isPositive(total);
}

export function discrete(values: readonly { readonly value: number; readonly weight: number }[]): boolean {
  return values.every((v) => isNotNegative(v.value)) && weights(values.map((v) => v.weight));
}

export function empirical(samples: readonly number[]): boolean {
  return samples.length >= 2 && samples.every(isNotNegative);
}
