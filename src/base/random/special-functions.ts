/** √(2π). */
const ROOT_TWO_PI = 2.5066282746310002;
/** From this argument on, Stirling's series is accurate to double precision. */
const STIRLING = 10;
/** From this shape on, the incomplete gamma function uses its expansion for large shapes. */
const LARGE_SHAPE = 1e6;

/**
 * ln Γ(x) for x > 0, with error 10⁻¹⁴ (relative if the result exceeds 1). Stirling's series (DLMF 5.11.1), after the
 * recurrence for x < 10.
 */
export function logGamma(x: number): number {
  if (x === Number.POSITIVE_INFINITY) return x;
  let shift = 1;
  let y = x;
  for (; y < STIRLING; y++) shift *= y;
  return (y - 0.5) * Math.log(y) - y + Math.log(ROOT_TWO_PI) + stirlingError(y) - Math.log(shift);
}

/**
 * Both regularised incomplete gamma functions, P(a, x) and Q(a, x) = 1 − P(a, x). Each is accurate near 0, without
 * cancellation.
 */
export interface IncompleteGamma {
  readonly lower: number;
  readonly upper: number;
}

/**
 * The regularised incomplete gamma functions for a > 0 and x ≥ 0, with absolute error 10⁻¹². Uses a series or a continued
 * fraction (DLMF 8.11.4, 8.9.2) in O(√a); from a = 10⁶ on, Temme's uniform expansion (DLMF 8.12) in O(1).
 */
export function incompleteGamma(a: number, x: number): IncompleteGamma {
  if (!(x > 0)) return { lower: 0, upper: 1 };
  if (x === Number.POSITIVE_INFINITY) return { lower: 1, upper: 0 };
  if (a >= LARGE_SHAPE) return largeShape(a, x);
  if (x < a + 1) {
    const lower = Math.min(1, poissonTerm(a, x) * risingSeries(a, x));
    return { lower, upper: 1 - lower };
  }
  const upper = poissonTerm(a, x) * a * continuedFraction(a, x);
  return { lower: 1 - upper, upper };
}

/** The probability that a standard normal variable exceeds z, with relative error 10⁻¹³. */
export function normalTail(z: number): number {
  const { upper } = incompleteGamma(0.5, (z * z) / 2);
  return z >= 0 ? upper / 2 : 1 - upper / 2;
}

/** The density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp(-(z * z) / 2) / ROOT_TWO_PI;
}

/** Σ xⁿ / ((a + 1) … (a + n)), n from 0; for x < a + 1. */
function risingSeries(a: number, x: number): number {
  let sum = 1;
  let term = 1;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return sum;
}

/** 1 / (x + 1 − a − 1 (1 − a) / (x + 3 − a − …)) by Lentz's method; for x ≥ a + 1. */
function continuedFraction(a: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - a;
  let c = 1 / tiny;
  let d = 1 / b;
  let value = d;
  let change = 0;
  for (let n = 1; Math.abs(change - 1) > 4e-16; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / nonZero(numerator * d + b, tiny);
    c = nonZero(b + numerator / c, tiny);
    change = d * c;
    value *= change;
  }
  return value;
}

const nonZero = (x: number, tiny: number): number => (Math.abs(x) < tiny ? tiny : x);

/** xᵃ e⁻ˣ / Γ(a + 1) without cancellation (C. Loader, _Fast and accurate computation of binomial probabilities_, 2000). */
function poissonTerm(a: number, x: number): number {
  if (a < STIRLING) return Math.exp(a * Math.log(x) - x - logGamma(a + 1));
  return Math.exp(-stirlingError(a) - excess(a, x)) / (ROOT_TWO_PI * Math.sqrt(a));
}

/** ln Γ(a + 1) minus its Stirling approximation, for a ≥ 10. */
function stirlingError(a: number): number {
  const r = 1 / (a * a);
  return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - (r * 691) / 360360))))) / a;
}

/** a ln(a / x) + x − a, which is ≥ 0; for a close to x, by a series in v = (a − x) / (a + x). */
function excess(a: number, x: number): number {
  const v = (a - x) / (a + x);
  if (Math.abs(v) > 0.1) return a * Math.log(a / x) + x - a;
  let sum = (a - x) * v;
  let power = 2 * a * v;
  for (let n = 3; ; n += 2) {
    power *= v * v;
    const next = sum + power / n;
    if (next === sum) return sum;
    sum = next;
  }
}

/** DLMF 8.12.3 to 8.12.10, with the terms that matter for a ≥ 10⁶. */
function largeShape(a: number, x: number): IncompleteGamma {
  const exponent = excess(a, x);
  // Beyond this, the smaller of the two underflows to 0.
  if (!(exponent < 745)) return x < a ? { lower: 0, upper: 1 } : { lower: 1, upper: 0 };
  const eta = Math.sign(x - a) * Math.sqrt((2 * exponent) / a);
  const coefficient = -1 / 3 + eta * (1 / 12 - (eta * 2) / 135) - 1 / 540 / a;
  const correction = (Math.exp(-exponent) / (ROOT_TWO_PI * Math.sqrt(a))) * coefficient;
  const z = Math.sign(x - a) * Math.sqrt(2 * exponent);
  return { lower: normalTail(-z) - correction, upper: normalTail(z) + correction };
}
