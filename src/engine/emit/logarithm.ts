/*
 * Sample:
 * const p = place('p'); fires((t) => { t.take(p); t.delay(exponential(2)); });
 * →
 *   cold function ln(x: num): num {
 *   const top = highWord(x), high = top & 1048575, above = (high + 614244) & 1048576;
 */
/**
 * Code for the natural logarithm of a normal number above 0, bit for bit equal to V8's `Math.log`: the method of fdlibm (Sun
 * Microsystems 1993, `e_log.c`). x = 2^k (1 + f) with 1 + f between √½ and √2; with s = f / (2 + f), ln(1 + f) is
 * 2 s + s R(s²), where R is a polynomial of degree 7 whose error is below 2^−58.45. A call of the host would cost as much as the
 * whole computation.
 *
 * `exponentials` computes it for two numbers at a time: there, 2⁵² + k ends with the bits of the integer k, and bounds on the
 * bits of x become bounds on 1 + f.
 *
 * The choice between the two final forms is made without a branch, which would be mispredicted: `steep` is 1 or 0, and
 * multiplication by either is exact.
 */
export const LOGARITHM = `
cold function ln(x: num): num {
  const top = highWord(x), high = top & 1048575, above = (high + 614244) & 1048576;
  const k: num = (top >> 20) - 1023 + (above >> 20);
  const f = withHighWord(x, high | (above ^ 1072693248)) - 1;
  if ((1048575 & (2 + high)) < 3) {
    if (f === 0) return k * 6.93147180369123816490e-01 + k * 1.90821492927058770002e-10;
    const near = f * f * (0.5 - 0.33333333333333333 * f);
    return k * 6.93147180369123816490e-01 - ((near - k * 1.90821492927058770002e-10) - f);
  }
  const s = f / (2 + f), z = s * s, w = z * z;
  const even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
  const r = odd + even, half = 0.5 * f * f, rest = k * 1.90821492927058770002e-10;
  const steep: num = ((high - 398458) | (440401 - high)) > 0;
  const part = steep * (half - (s * (half + r) + rest)) + (1 - steep) * (s * (f - r) - rest);
  return k * 6.93147180369123816490e-01 - (part - f);
}
// Replaces each drawn number u by −ln(1 − u), two numbers at a time; the method is that of ln.
function exponentials(drawn: nums, pairs: pairs, from: int, to: int) {
  const fraction: pair = 2.225073858507201e-308, one: pair = 1;
  for (let i = from; i < to; i++) {
    const x = one - pairs[i], m = x & fraction | one;
    const above = m >= 1.4142112731933594;
    const f = m * choose(above, 0.5, one) - one;
    if (any((f >= -9.5367431640625e-7) & (f < 9.5367431640625e-7))) {
      for (let k = i << 1; k < (i << 1) + 2; k++) drawn[k] = 0 - ln(1 - drawn[k]);
      continue;
    }
    const k = (x >>> 52 | 4503599627370496) - 4503599627371519 + (above & one);
    const s = f / (2 + f), z = s * s, w = z * z;
    const even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
    const odd = z * (6.666666666666735130e-01 + w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    const r = odd + even, half = f * 0.5 * f, rest = k * 1.90821492927058770002e-10;
    const steep = (m >= 1.3799991607666016) & (m < 1.4200000762939453);
    const part = choose(steep, half - (s * (half + r) + rest), s * (f - r) - rest);
    pairs[i] = part - f - k * 6.93147180369123816490e-01;
  }
}
`;
