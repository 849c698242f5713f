/**
 * A time in seconds as text in microseconds: the decimal digits of the double with the point moved by six places, so
 * that nothing is rounded; never with an exponent, which some readers of traces do not know.
 */
export function microseconds(seconds: number): string {
  return shifted(seconds, 6);
}

/** A number as decimal text without an exponent. */
export function decimal(value: number): string {
  return shifted(value, 0);
}

function shifted(value: number, places: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no time`);
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

/** Without leading zeros. */
function trimmed(whole: string): string {
  return whole.replace(/^0+(?=.)/, '');
}
