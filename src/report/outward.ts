/*
 * Ends of proved intervals as text. Rounding to the nearest figure may shrink an interval:
 *
 *   [0.66664, 0.66666] with 3 digits: nearest prints 0.667 as the upper end, which is right,
 *   and 0.667 as the lower end, which is above the figure itself.
 *
 * So a lower end goes down and an upper end goes up, by at most one unit of the last digit.
 */

/**
 * The lower end of a proved interval: the text, read back, is at most `value`.
 *
 * @param digits significant digits, 1 to 15; integers are printed in full
 */
export function lowerEnd(value: number, digits: number): string {
  return outward(value, digits, -1);
}

/**
 * The upper end of a proved interval: the text, read back, is at least `value`.
 *
 * @param digits significant digits, 1 to 15; integers are printed in full
 */
export function upperEnd(value: number, digits: number): string {
  return outward(value, digits, 1);
}

function outward(value: number, digits: number, direction: 1 | -1): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const nearest = value.toPrecision(digits);
  if ((Number(nearest) - value) * direction >= 0) return nearest;
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e') as [string, string];
  const units = Number(mantissa.replace('.', '')) + direction;
  const last = Number(exponent) - digits + 1;
  // Below a power of ten the digits are one place finer: 1.00 goes down to 0.999, not to 0.990.
  const isFiner = Math.abs(units) < 10 ** (digits - 1);
  const text = isFiner ? `${Math.sign(value) * (10 ** digits - 1)}e${last - 1}` : `${units}e${last}`;
  return Number(text).toPrecision(digits);
}
