/** Number of 32-bit words of mark bits of a page with `size` positions. A set bit marks an entry with a stored amount. */
const marksOf = (size: number): number => size >> 5;
/** Bytes before the codes: the smallest code, the width of a code, and the mark bits. The stored amounts follow the codes. */
const headOf = (size: number): number => 8 + marksOf(size) * 4;
/** Maximum bytes of a packed page with `size` positions; a multiple of 8. */
export const maxPackedBytes = (size: number): number => headOf(size) + size * 12;

/** Variables for packing and unpacking: one packed page with `size` positions, and the last amount per code. */
export const packedText = (size: number): string => `
let packed: ints = ints(${maxPackedBytes(size) / 4}); let packedBytes: bytes = view(packed); let packedNums: nums = view(packed);
// The last amount that came with a code, and its words, by the lower 8 bits of what that is above the smallest.
let lastNums: nums = nums(256); let lasts: ints = view(lastNums);`;

/**
 * `pack`: packs the page at index `page` of the columns `codes` and `amounts` into `packed`, and returns its size in
 * bytes, a multiple of 8. Positions from `filled` on are set to 0.
 *
 * The codes of one rank are close together, and most actions have the same amount as the previous action with that
 * code. Codes are therefore stored as offsets from the smallest code, in 1, 2 or 4 bytes. An amount is stored only if
 * it differs bitwise from the last amount of its code (of the lower 8 bits of its offset). In traces with loops, an
 * action takes less than 3 bytes instead of 12. O(size).
 */
export const packText = (size: number): string => `
function packPage(page, filled): int {
  const end = page + ${size};
  codes.fill(0, page + filled, end);
  amounts.fill(0, page + filled, end);
  let low = codes[page], high = low;
  for (let k = page + 1; k < end; k++) {
    const c = codes[k];
    low = Math.min(low, c);
    high = Math.max(high, c);
  }
  const span = high - low;
  const width = span >>> 8 === 0 ? 1 : span >>> 16 === 0 ? 2 : 4;
  packed[0] = low;
  packed[1] = width;
  if (width === 4) for (let k = 0; k < ${size}; k++) packed[${headOf(size) >> 2} + k] = codes[page + k] - low;
  else
    for (let k = page, at = ${headOf(size)}; k < end; k++, at += width) {
      const c = codes[k] - low;
      packedBytes[at] = c;
      if (width === 2) packedBytes[at + 1] = c >> 8;
    }
  lasts.fill(0, 0, width === 1 ? (span << 1) + 2 : 512);
  let next = ${headOf(size) >> 2} + ${size >> 2} * width;
  for (let w = 0, k = page; w < ${marksOf(size)}; w++) {
    let marks = 0;
    for (const last = k + 32; k < last; k++) {
      const before = ((codes[k] - low) & 255) << 1;
      const one = amountWords[k << 1], other = amountWords[(k << 1) + 1];
      marks = marks >>> 1;
      if (lasts[before] !== one || lasts[before + 1] !== other) {
        marks |= -2147483648;
        packed[next] = one;
        packed[next + 1] = other;
        next += 2;
        lasts[before] = one;
        lasts[before + 1] = other;
      }
    }
    packed[2 + w] = marks;
  }
  return next << 2;
}
export function pack(page, filled): int { return packPage(page, filled); }`;

/** `unpack`: fills the page at index `page` of the columns from `packed`, as written by {@link packText}. O(size). */
export const unpackText = (size: number): string => `
function unpackPage(page) {
  const low = packed[0], width = packed[1], end = page + ${size};
  let most = 255;
  if (width === 4) for (let k = 0; k < ${size}; k++) codes[page + k] = packed[${headOf(size) >> 2} + k] + low;
  else if (width === 2)
    for (let k = page, at = ${headOf(size)}; k < end; k++, at += 2) codes[k] = (packedBytes[at] | packedBytes[at + 1] << 8) + low;
  else {
    most = 0;
    for (let k = page, at = ${headOf(size)}; k < end; k++, at++) {
      const c = packedBytes[at];
      most = Math.max(most, c);
      codes[k] = c + low;
    }
  }
  lastNums.fill(0, 0, most + 1);
  let next = ${headOf(size) >> 3} + ${size >> 3} * width;
  for (let w = 0, k = page; w < ${marksOf(size)}; w++) {
    let marks = packed[2 + w];
    for (const last = k + 32; k < last; k++) {
      const c = (codes[k] - low) & 255;
      if (marks & 1) {
        lastNums[c] = packedNums[next];
        next++;
      }
      amounts[k] = lastNums[c];
      marks = marks >>> 1;
    }
  }
}
export function unpack(page) { unpackPage(page); }`;
