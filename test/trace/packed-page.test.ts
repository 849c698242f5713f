import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxPackedBytes } from '../../src/trace/ti/pages/packed-page.ts';
import { PackedPages } from '../../src/trace/ti/pages/packed-pages.ts';
import { pageShift } from '../../src/trace/ti/pages/pages.ts';
import { startReader } from '../../src/trace/ti/read.ts';
import { effort } from '../effort.ts';

describe.each([2, 200, 1000])('pages of a trace of %i ranks', (ranks) => {
  const PAGE_SIZE = 1 << pageShift(ranks);
  const kernel = startReader(ranks, { bytes: Buffer.alloc(0), base: 0 });
  kernel.call['beginPages']!(2);

  /** A page as packed by the reader's kernel. */
  function packedPage({ code, amount }: { code: Int32Array; amount: Float64Array }): Uint8Array {
    kernel.array('codes').set(code, PAGE_SIZE);
    kernel.array<Float64Array<ArrayBuffer>>('amounts').set(amount, PAGE_SIZE);
    const length = kernel.call['pack']!(PAGE_SIZE, PAGE_SIZE);
    return kernel.array<Uint8Array<ArrayBuffer>>('packedBytes').subarray(0, length);
  }

  /** Codes of every width, and amounts that are mostly 0, never 0, or special. */
  const page = fc
    .record({
      low: fc.constantFrom(0, 7, 1e6, 2 ** 31 - 1 - 70_000),
      span: fc.constantFrom(0, 200, 255, 256, 60_000, 65_535, 65_536, 70_000),
      share: fc.constantFrom(0, 0.2, 1),
      seed: fc.nat(1e6),
    })
    .map(({ low, span, share, seed }) => {
      let state = seed;
      const next = (): number => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return state / 2 ** 31;
      };
      const code = Int32Array.from({ length: PAGE_SIZE }, (_, k) => low + (k === 3 ? span : Math.floor(next() * span)));
      const special = [Number.MAX_VALUE, Number.MIN_VALUE, -0, Number.POSITIVE_INFINITY];
      const amount = Float64Array.from({ length: PAGE_SIZE }, () =>
        next() < share ? (next() < 0.1 ? special[Math.floor(next() * 4)]! : next() * 1e9) : 0,
      );
      return { code, amount };
    });

  test('pages are unpacked exactly, from memory and from the file, in any order', () => {
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 80 }),
        fc.constantFrom(0, 2 ** 18, 2 ** 24),
        (pages, most) => {
          const packed = new PackedPages(most, maxPackedBytes(PAGE_SIZE));
          for (const [k, p] of pages.entries()) expect(packed.add(packedPage(p))).toBe(k);
          if (most === 0) expect(packed.spilled).toBe(true);
          if (most === 2 ** 24) expect(packed.spilled).toBe(false);
          for (let k = pages.length - 1; k >= 0; k -= 3) {
            kernel.array<Uint8Array<ArrayBuffer>>('packedBytes').set(packed.read(k));
            kernel.call['unpack']!(PAGE_SIZE);
            expect(kernel.array('codes').slice(PAGE_SIZE, 2 * PAGE_SIZE)).toEqual(pages[k]!.code);
            const amounts = kernel.array<Float64Array<ArrayBuffer>>('amounts');
            expect(amounts.slice(PAGE_SIZE, 2 * PAGE_SIZE)).toEqual(pages[k]!.amount);
          }
          packed.close();
        },
      ),
      { numRuns: effort(60), seed: 11 },
    );
  });

  test('most pages need a fifth of their unpacked size', () => {
    const code = Int32Array.from({ length: PAGE_SIZE }, (_, k) => 1000 + (k % 12));
    const amount = Float64Array.from({ length: PAGE_SIZE }, (_, k) => (k % 6 === 4 ? k : 0));
    const packed = new PackedPages(2 ** 20, maxPackedBytes(PAGE_SIZE));
    let pages = 0;
    for (; !packed.spilled; pages++) packed.add(packedPage({ code, amount }));
    expect((pages * PAGE_SIZE * 12) / 2 ** 20).toBeGreaterThan(4);
    packed.close();
  });
});
