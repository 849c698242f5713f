const POWERS: readonly number[] = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const FORM = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Parses the bytes `from … to − 1` as a decimal number (`12`, `-3`, `5e4`, `1e+06`, `.5`); NaN if they are not one. Up
 * to 15 digits with an exponent within ±22 take one correctly rounded operation (Clinger 1990); other numbers go
 * through `Number`. Numbers that are too large give Infinity, −0 gives 0. O(length).
 */
export function parseNumber(bytes: Buffer, from: number, to: number): number {
  let at = from;
  const first = bytes[at]!;
  const negative = first === 45;
  if (negative || first === 43) at++;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  let dot = false;
  for (; at < to; at++) {
    const c = bytes[at]!;
    if (c >= 48 && c <= 57) {
      mantissa = mantissa * 10 + c - 48;
      digits++;
      if (dot) scale--;
    } else if (c === 46 && !dot) dot = true;
    else break;
  }
  if (digits === 0) return Number.NaN;
  if (at < to && (bytes[at] === 101 || bytes[at] === 69)) {
    at++;
    const sign = bytes[at]!;
    if (sign === 43 || sign === 45) at++;
    if (at === to) return Number.NaN;
    let exponent = 0;
    for (; at < to; at++) {
      const c = bytes[at]!;
      if (c < 48 || c > 57) return Number.NaN;
      if (exponent < 10_000) exponent = exponent * 10 + c - 48;
    }
    scale += sign === 45 ? -exponent : exponent;
  }
  if (at < to) return Number.NaN;
  if (digits <= 15 && scale >= -22 && scale <= 22) {
    const value = scale < 0 ? mantissa / POWERS[-scale]! : mantissa * POWERS[scale]!;
    return negative ? 0 - value : value;
  }
  const text = bytes.toString('latin1', from, to);
  return FORM.test(text) ? Number(text) + 0 : Number.NaN;
}
