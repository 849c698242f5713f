import { PAGE_SIZE } from '../../base/paged.ts';

/** Words of 32 bits that mark the entries with an amount of their own. */
const MARKS = PAGE_SIZE >> 5;
/** Bytes before the codes: the smallest, their width, and the marks. Behind them lie the amounts. */
const HEAD = 8 + MARKS * 4;
/** Most bytes that a page takes, a multiple of 8. */
export const MOST_PACKED: number = HEAD + PAGE_SIZE * 12;

/** Both columns of a page. */
export class Page {
  readonly code: Int32Array;
  readonly amount: Float64Array;

  constructor(code: Int32Array, amount: Float64Array) {
    this.code = code;
    this.amount = amount;
  }

  /** An empty one. */
  static fresh(): Page {
    return new Page(new Int32Array(PAGE_SIZE), new Float64Array(PAGE_SIZE));
  }
}

/** Memory for packed pages, seen as numbers of several kinds. */
export class PackedBlock {
  readonly bytes: Uint8Array;
  readonly shorts: Uint16Array;
  readonly words: Int32Array;
  readonly nums: Float64Array;

  constructor(size: number) {
    const buffer = new ArrayBuffer(size);
    this.bytes = new Uint8Array(buffer);
    this.shorts = new Uint16Array(buffer);
    this.words = new Int32Array(buffer);
    this.nums = new Float64Array(buffer);
  }
}

/**
 * `pack`: packs the page that begins at a place of the columns `codes` and `amounts` into `packed`; returns how many bytes it
 * takes, a multiple of 8. Behind what is filled there are zeros. The codes of one rank lie close together, and most actions have the same amount
 * as the one before of that code: codes become 1, 2 or 4 bytes above the smallest, and only those amounts stay that
 * differ, bit by bit, from the last one of the code. That makes less than 3 bytes an action of 12, with loops. O(a page).
 */
export const PACK: string = `
let packed: ints = ints(${MOST_PACKED / 4}); let packedBytes: bytes = view(packed);
// The words of the last amount that came with a code, by the lower 8 bits of what that is above the smallest.
let lasts: ints = ints(512);
function packPage(page, filled): int {
  const end = page + ${PAGE_SIZE};
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
  if (width === 4) for (let k = 0; k < ${PAGE_SIZE}; k++) packed[${HEAD >> 2} + k] = codes[page + k] - low;
  else
    for (let k = page, at = ${HEAD}; k < end; k++, at += width) {
      const c = codes[k] - low;
      packedBytes[at] = c;
      if (width === 2) packedBytes[at + 1] = c >> 8;
    }
  lasts.fill(0, 0, width === 1 ? (span << 1) + 2 : 512);
  let next = ${HEAD >> 2} + ${PAGE_SIZE >> 2} * width;
  for (let w = 0, k = page; w < ${MARKS}; w++) {
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

/** The last amount that came with a code, by the lower 8 bits of what that is above the smallest. */
const LAST_AMOUNTS = new Float64Array(256);

/** Fills a page from what {@link PACK} has put there. O(a page). */
export function unpackPage(block: PackedBlock, at: number, { code, amount }: Page): void {
  const { words, nums } = block;
  const head = at >> 2;
  const low = words[head]!;
  const width = words[head + 1]!;
  const codes = columnOf(block, width);
  const lasts = LAST_AMOUNTS.fill(0);
  let from = (at + HEAD) / width;
  let next = (at + HEAD + PAGE_SIZE * width) >> 3;
  let k = 0;
  for (let w = 0; w < MARKS; w++) {
    let marks = words[head + 2 + w]!;
    for (const end = k + 32; k < end; k++, marks >>>= 1) {
      const c = codes[from++]!;
      code[k] = c + low;
      const last = c & 255;
      if ((marks & 1) === 1) lasts[last] = nums[next++]!;
      amount[k] = lasts[last]!;
    }
  }
}

/** The memory as numbers of so many bytes. */
function columnOf({ bytes, shorts, words }: PackedBlock, width: number): Uint8Array | Uint16Array | Int32Array {
  return width === 1 ? bytes : width === 2 ? shorts : words;
}
