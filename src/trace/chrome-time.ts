/**
 * Converts a time in seconds to decimal text in microseconds by moving the decimal point of the double by six places,
 * so nothing is rounded. Never uses an exponent, because some trace readers do not accept one.
 */
export function microseconds(seconds: number): string {
  return shifted(seconds, 6);
}

/** A number as decimal text without an exponent. */
export function decimal(value: number): string {
  return shifted(value, 0);
}

function shifted(value: number, places: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`expected a finite time, got ${value}`);
  if (value === 0) return '0';
  if (value < 0) return `-${shifted(-value, places)}`;
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + places;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return trimmed(digits + '0'.repeat(point - digits.length));
  return `${trimmed(digits.slice(0, point))}.${digits.slice(point)}`;
}

/** Removes leading zeros. */
function trimmed(whole: string): string {
  return whole.replace(/^0+(?=.)/, '');
}
