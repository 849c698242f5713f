/* Exact arithmetic for tests of computed figures and of the bounds on their errors. */

/** A fraction with a positive denominator. */
export type Fraction = readonly [numerator: bigint, denominator: bigint];

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));
export const reduced = (a: bigint, b: bigint): Fraction => {
  const d = gcd(a, b) * (b < 0n ? -1n : 1n);
  return [a / d, b / d];
};
export const ZERO: Fraction = [0n, 1n];
export const ONE: Fraction = [1n, 1n];
export const whole = (n: number): Fraction => [BigInt(n), 1n];
export const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * d + c * b, b * d);
export const minus = (x: Fraction, [c, d]: Fraction): Fraction => plus(x, [-c, d]);
export const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced(a * c, b * d);
export const over = (x: Fraction, [c, d]: Fraction): Fraction => times(x, c < 0n ? [-d, -c] : [d, c]);
export const isZero = ([a]: Fraction): boolean => a === 0n;

/** A double within a few units in the last place of a fraction. */
export function rounded([a, b]: Fraction): number {
  if (a === 0n) return 0;
  const size = a.toString(2).length - b.toString(2).length;
  const shift = BigInt(80 - size);
  const scaled = shift >= 0n ? (a << shift) / b : a / (b << -shift);
  return Number(scaled) * 2 ** -Number(shift);
}

/** Solves A x = b by Gauss–Jordan elimination. */
export function solution(a: Fraction[][], b: Fraction[]): Fraction[] {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    const pivot = a.findIndex((row, i) => i >= k && !isZero(row[k]!));
    [a[k], a[pivot]] = [a[pivot]!, a[k]!];
    [b[k], b[pivot]] = [b[pivot]!, b[k]!];
    for (let i = 0; i < n; i++) {
      if (i === k || isZero(a[i]![k]!)) continue;
      const factor = over(a[i]![k]!, a[k]![k]!);
      for (let j = k; j < n; j++) a[i]![j] = minus(a[i]![j]!, times(factor, a[k]![j]!));
      b[i] = minus(b[i]!, times(factor, b[k]!));
    }
  }
  return b.map((x, k) => over(x, a[k]![k]!));
}

/** The value of a double. */
export function exactly(x: number): Fraction {
  let power = 0;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    power++;
  }
  return reduced(BigInt(mantissa), 1n << BigInt(power));
}

/** The absolute logarithm of the ratio of a computed value and its exact one, for values that are close to each other. */
export function offBy(computed: number, exact: Fraction): number {
  return Math.abs(Math.log1p(rounded(over(minus(exactly(computed), exact), exact))));
}
