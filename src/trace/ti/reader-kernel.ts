import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { MEMO } from './memo.ts';
import { parseNumber } from './number.ts';
import { ORDER } from './order.ts';
import { packedText, packText, unpackText } from './packed-page.ts';
import { pageShift, pagesText } from './pages.ts';
import type { Reading } from './reading.ts';
import { REQUESTS } from './requests.ts';
import { SCAN } from './scan.ts';

/** Initial bytes of memory, in total and per rank. Growth at run time detaches all views and makes every view slightly slower. */
const MEMORY = 1 << 23;
const MEMORY_OF_RANK = 1 << 11;
const MEMORY_PAGE = 1 << 16;

const TEXT = `
let text: bytes = bytes(1);
export cold function roomForText(size) { if (size > text.length) text = grown(text, size); }`;

/**
 * Compiles the reader's inner loop from the kernel language: the lines that the memo expects, and their effects. Each
 * source file contributes its part of the text, and the functions that the TypeScript code calls for all other lines.
 *
 * @param reading must be kept up to date; numbers that are not plain digits are parsed from it
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
