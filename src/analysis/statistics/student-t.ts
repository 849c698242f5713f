import { logGamma } from '../../base/random/special-functions.ts';

/** From this n on, Γ(n + ½) / Γ(n) is computed by its asymptotic series. */
const LARGE = 20;

/**
 * The upper quantile of Student's t distribution: the value exceeded with probability `tail` in (0, ½], for 1 to 10⁷ degrees
 * of freedom. Relative error 10⁻⁹, and 10⁻¹³ up to 1000 degrees of freedom.
 *
 * Newton's method from 0: the tail probability is convex for t > 0, so no step overshoots the solution. O(√freedom) for each
 * of about log₂(1 / tail) steps.
 */
export function studentQuantile(tail: number, freedom: number): number {
  let t = 0;
  for (;;) {
    const next = t + (studentTail(t, freedom) - tail) / density(t, freedom);
    if (!(next > t * (1 + 1e-15))) return t;
    t = next;
  }
}

/**
 * The probability that a t-distributed number exceeds t ≥ 0: an incomplete beta function, by continued fraction (DLMF
 * 8.17.22). O(√freedom).
 */
export function studentTail(t: number, freedom: number): number {
  const half = freedom / 2;
  const square = t * t;
  const x = freedom / (freedom + square);
  // I_x(ν / 2, ½) / 2, from the side on which the fraction converges fast (DLMF 8.17.4).
  const scale = density(t, freedom) * t;
  return x < (half + 1) / (half + 2.5)
    ? (scale * fraction(half, 0.5, x)) / freedom
    : 0.5 - scale * fraction(0.5, half, square / (freedom + square));
}

/** Γ((ν + 1) / 2) / (√(νπ) Γ(ν / 2)) (1 + t² / ν)^(−(ν + 1) / 2). */
function density(t: number, freedom: number): number {
  const exponent = logRatio(freedom / 2) - ((freedom + 1) / 2) * Math.log1p((t * t) / freedom);
  return Math.exp(exponent) / Math.sqrt(freedom * Math.PI);
}

/** ln Γ(n + ½) − ln Γ(n); for large n by a series, which avoids cancellation (from DLMF 5.11.8). */
function logRatio(n: number): number {
  if (n < LARGE) return logGamma(n + 0.5) - logGamma(n);
  const r = 1 / (n * n);
  return 0.5 * Math.log(n) - (1 / 8 - r * (1 / 192 - r * (1 / 640 - (r * 17) / 14336))) / n;
}

/**
 * The continued fraction of I_x(a, b) a B(a, b) / (xᵃ (1 − x)ᵇ), by Lentz's method (DLMF 8.17.22). All its terms are positive
 * if x < (a + 1) / (a + b + 2).
 */
function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; ; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    value *= c * d;
    if (!(Math.abs(c * d - 1) >= 1e-15)) return value;
  }
}
