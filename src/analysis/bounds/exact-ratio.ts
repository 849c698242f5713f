/** An exact number: numerator / denominator, the denominator > 0. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const ratio = (numerator: bigint, denominator: bigint): Ratio => {
  const divisor = gcd(numerator < 0n ? -numerator : numerator, denominator);
  return divisor <= 1n
    ? { numerator, denominator }
    : { numerator: numerator / divisor, denominator: denominator / divisor };
};

export const ZERO: Ratio = { numerator: 0n, denominator: 1n };

export const plus = (a: Ratio, b: Ratio): Ratio =>
  ratio(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const times = (a: Ratio, b: Ratio): Ratio => ratio(a.numerator * b.numerator, a.denominator * b.denominator);

export const isLess = (a: Ratio, b: Ratio): boolean => a.numerator * b.denominator < b.numerator * a.denominator;

/** The nearest double, up to one unit in its last place. */
export function doubleOf({ numerator, denominator }: Ratio): number {
  if (numerator === 0n) return 0;
  // 64 bits of the quotient are enough for the 53 of a double.
  const shift = BigInt(denominator.toString(2).length - numerator.toString(2).length + 64);
  const quotient = shift >= 0n ? (numerator << shift) / denominator : numerator / (denominator << -shift);
  return scaledBy(Number(quotient), -Number(shift));
}

/** x · 2^k, in two factors because 2^k alone may not be a double. */
function scaledBy(x: number, k: number): number {
  const half = Math.trunc(k / 2);
  return x * 2 ** half * 2 ** (k - half);
}

/** Integers and an exponent: the doubles as they are written, value = integer × 10^exponent. `0.1` is one tenth. */
export function decimals(values: readonly number[]): { readonly integers: bigint[]; readonly exponent: number } {
  const parts = values.map((value) => {
    const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
      String(value),
    )!;
    return { digits: BigInt(`${sign}${whole}${fraction}`), exponent: Number(power) - fraction.length };
  });
  const exponent = parts.reduce((least, p) => (p.digits === 0n ? least : Math.min(least, p.exponent)), 0);
  return {
    integers: parts.map((p) => (p.digits === 0n ? 0n : p.digits * 10n ** BigInt(p.exponent - exponent))),
    exponent,
  };
}

/** The number as text: `7/3`. */
export const ratioText = ({ numerator, denominator }: Ratio): string =>
  denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;

export function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
