import { PAGE_SIZE } from '../../base/paged.ts';

/** Words of 32 bits that mark the entries with an amount of their own. */
const MARKS = PAGE_SIZE >> 5;
/** Bytes before the codes: the smallest, their width, and the marks. Behind them lie the amounts. */
const HEAD = 8 + MARKS * 4;
/** Most bytes that a page takes, a multiple of 8. */
export const MOST_PACKED: number = HEAD + PAGE_SIZE * 12;

/**
 * Both columns of a page. The amounts are seen as words, too: code that is not optimised yet allocates an object for
 * each double that it reads.
 */
export class Page {
  readonly code: Int32Array;
  readonly amount: Float64Array;
  readonly words: Int32Array;

  constructor(code: Int32Array, amount: Float64Array) {
    this.code = code;
    this.amount = amount;
    this.words = new Int32Array(amount.buffer, amount.byteOffset, amount.length * 2);
  }

  /** An empty one that has room for so many entries. */
  static of(capacity: number): Page {
    return new Page(new Int32Array(capacity), new Float64Array(capacity));
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

/** The words of the last amount that came with a code, by the lower 8 bits of what that is above the smallest. */
const LASTS = new Int32Array(2 * 256);
/** The same as doubles. */
const LAST_AMOUNTS = new Float64Array(LASTS.buffer);

/**
 * Packs a page of the columns `code` and `amount` into a block, from a place on that is a multiple of 8; returns how many
 * bytes it takes, a multiple of 8, too. The codes of one rank lie close together, and most actions have the same amount
 * as the one before of that code: codes become 1, 2 or 4 bytes above the smallest, and only those amounts stay that
 * differ, bit by bit, from the last one of the code. That makes less than 3 bytes an action of 12, with loops. O(a page).
 */
export function packPage(block: PackedBlock, at: number, { code, words: amounts }: Page): number {
  const { words } = block;
  let low = code[0]!;
  let high = low;
  for (let k = 1; k < PAGE_SIZE; k++) {
    const c = code[k]!;
    if (c < low) low = c;
    else if (c > high) high = c;
  }
  const width = high - low < 256 ? 1 : high - low < 65536 ? 2 : 4;
  const head = at >> 2;
  words[head] = low;
  words[head + 1] = width;
  const codes = columnOf(block, width);
  const from = (at + HEAD) / width;
  const lasts = LASTS.fill(0);
  let next = (at + HEAD + PAGE_SIZE * width) >> 2;
  for (let w = 0; w < MARKS; w++) {
    let marks = 0;
    for (let k = w << 5; k < (w + 1) << 5; k++) {
      const c = code[k]! - low;
      codes[from + k] = c;
      const last = (c & 255) << 1;
      const one = amounts[k << 1]!;
      const other = amounts[(k << 1) + 1]!;
      if (lasts[last] === one && lasts[last + 1] === other) continue;
      marks |= 1 << k;
      words[next++] = one;
      words[next++] = other;
      lasts[last] = one;
      lasts[last + 1] = other;
    }
    words[head + 2 + w] = marks;
  }
  return (next << 2) - at;
}

/** Fills a page from what {@link packPage} has put there. O(a page). */
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
