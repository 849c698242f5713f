/** Largest denominator accepted for a single fraction, and for the common denominator. */
const MAX_DENOMINATOR = 5000;
const MAX_COMMON = 10n ** 15n;
/** Maximum distance between a double and the fraction that replaces it. */
const NEAR = 1e-8;

/**
 * Integers with greatest common divisor 1 in the proportions of the given doubles. Each double is approximated by a fraction
 * with a small denominator (continued fractions); undefined if that fails. The result is a guess that callers must check.
 */
export function integerProportions(values: Float64Array): bigint[] | undefined {
  const fractions: (readonly [bigint, bigint])[] = [];
  let common = 1n;
  for (const value of values) {
    const fraction = fractionOf(value);
    if (fraction === undefined) return undefined;
    fractions.push(fraction);
    common = (common / gcd(common, fraction[1])) * fraction[1];
    if (common > MAX_COMMON) return undefined;
  }
  const integer = fractions.map(([n, d]) => n * (common / d));
  const divisor = integer.reduce((a, b) => gcd(a, b), 0n);
  return divisor === 0n ? integer : integer.map((n) => n / divisor);
}

function fractionOf(value: number): readonly [bigint, bigint] | undefined {
  if (!Number.isFinite(value)) return undefined;
  // Convergents h / k of the continued fraction.
  let [h, before] = [1, 0];
  let [k, below] = [0, 1];
  let rest = value;
  for (let digit = 0; digit < 40; digit++) {
    const integer = digit === 0 && Math.abs(rest - Math.round(rest)) < NEAR ? Math.round(rest) : Math.floor(rest);
    [h, before] = [integer * h + before, h];
    [k, below] = [integer * k + below, k];
    if (k > MAX_DENOMINATOR || !Number.isSafeInteger(h)) return undefined;
    if (Math.abs(value - h / k) < NEAR) return [BigInt(h), BigInt(k)];
    rest = 1 / (rest - integer);
  }
  return undefined;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
