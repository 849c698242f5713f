import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignedPrecisely, formatBytesAlike, formatSeconds } from '../../src/report/units.ts';
import { effort } from '../effort.ts';

describe('cells of a column', () => {
  it('keep three significant digits, whatever the largest value', () => {
    const positive = fc.double({ min: 1e-3, max: 1e8, noNaN: true });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const text = alignedPrecisely(Math.min(a, b), Math.max(a, b));
        expect(Math.abs(Number(text) / Math.min(a, b) - 1)).toBeLessThanOrEqual(0.0051);
      }),
      { numRuns: effort(20_000) },
    );
  });

  it('2.465 ms next to 10 s is not 0.00', () => expect(alignedPrecisely(2.465e-3, 10)).toBe('0.00247'));

  it('have one unit', () => {
    const size = fc.oneof(
      fc.nat(2 ** 40),
      fc.nat(2 ** 20).map((n) => 1024 * n),
    );
    fc.assert(
      fc.property(fc.array(size, { minLength: 1 }), (sizes) => {
        const units = formatBytesAlike(sizes)
          .filter((text) => text !== '0')
          .map((text) => text.split(' ')[1]);
        expect(new Set(units).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: effort(20_000) },
    );
    expect(formatBytesAlike([102_400, 102_000])).toEqual(['102 kB', '102 kB']);
    expect(formatBytesAlike([65_536, 1024])).toEqual(['64.0 KiB', '1.00 KiB']);
  });
});

it('times below a picosecond have an exponent', () => {
  expect(formatSeconds(8.327e-17)).toBe('8.327e-17 s');
  expect(formatSeconds(2e-12)).toBe('0.002000 ns');
});
