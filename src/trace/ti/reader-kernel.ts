import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { MEMO } from './memo.ts';
import { parseNumber } from './number.ts';
import { ORDER } from './order.ts';
import { packedText, packText, unpackText } from './packed-page.ts';
import { pageShift, pagesText } from './pages.ts';
import type { Reading } from './reading.ts';
import { REQUESTS } from './requests.ts';
import { SCAN } from './scan.ts';

/** Bytes of memory to begin with, and of each rank: what grows later ends all views, and makes every one a little slower. */
const MEMORY = 1 << 23;
const MEMORY_OF_RANK = 1 << 11;
const MEMORY_PAGE = 1 << 16;

const TEXT = `
let text: bytes = bytes(1);
export cold function roomForText(size) { if (size > text.length) text = grown(text, size); }`;

/**
 * The part of the reader that is code of its own, in the kernel language: lines that come as expected, with what they change.
 * Their files each have a piece of its text, and the calls for the other lines, which are read in TypeScript.
 *
 * @param reading is to be kept as it says; numbers that are no string of digits are read from there
 */
export function startReader(ranks: number, reading: Reading): Kernel {
  const size = 1 << pageShift(ranks);
  const pages = [pagesText(size), packedText(size), packText(size), unpackText(size)];
  const compiled = compileKernel([TEXT, MEMO, REQUESTS, ORDER, ...pages, SCAN].join(''));
  return new Kernel(
    { ...compiled, pages: Math.ceil((MEMORY + ranks * MEMORY_OF_RANK) / MEMORY_PAGE) },
    {
      spelled: (from: number, to: number) => parseNumber(reading.bytes, reading.base + from, reading.base + to),
    },
  );
}
