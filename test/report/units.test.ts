import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar, segments } from '../../src/report/bar.ts';
import { resampled, sparkline } from '../../src/report/sparkline.ts';
import { clipped, displayWidth, printable, wrapped } from '../../src/report/text.ts';
import { formatAmount, formatBytes, formatCount, formatSeconds, formatShare } from '../../src/report/units.ts';

describe('units', () => {
  it.each([
    [0, '0 s'],
    [1.5e-10, '0.1500 ns'],
    [2.5e-9, '2.500 ns'],
    [9.99996e-4, '1.000 ms'],
    [0.00815670233, '8.157 ms'],
    [1, '1.000 s'],
    [999.4, '999.4 s'],
    [1200, '20.00 min'],
    [10_000, '2.778 h'],
    [1e6, '11.57 d'],
  ])('%f seconds is %s', (value, text) => expect(formatSeconds(value)).toBe(text));

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1e6, '1.00 MB'],
    [65536, '64 KiB'],
    [65537, '65.5 kB'],
    [2 ** 30, '1 GiB'],
  ])('%i bytes is %s', (value, text) => expect(formatBytes(value)).toBe(text));

  it('formats amounts, shares and counts', () => {
    expect(formatAmount(12.5e9, 'B/s')).toBe('12.5 GB/s');
    expect(formatAmount(999.9e6, 'flop')).toBe('1.00 Gflop');
    expect([0, 0.0001, 0.0123, 0.0996, 0.569, 1, 7].map(formatShare)).toEqual([
      '0 %',
      '<0.1 %',
      '1.2 %',
      '10 %',
      '57 %',
      '100 %',
      '700 %',
    ]);
    expect([7, 1234, 1234567].map(formatCount)).toEqual(['7', '1,234', '1,234,567']);
  });
});

describe('bar', () => {
  it.each([
    [0, '····'],
    [1e-9, '▏···'],
    [0.25, '█···'],
    [0.53, '██▏·'],
    [1, '████'],
    [3, '████'],
  ])('of %f', (share, text) => {
    const { filled, rest } = bar(share, 4, true);
    expect(filled + rest).toBe(text);
  });

  it('has the requested length', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 2, noNaN: true }),
        fc.integer({ min: 1, max: 99 }),
        fc.boolean(),
        (s, n, u) => {
          const { filled, rest } = bar(s, n, u);
          expect(displayWidth(filled + rest)).toBe(n);
        },
      ),
    );
  });

  it('of segments adds up', () => {
    expect(segments([1 / 3, 1 / 3, 1 / 3], 10)).toEqual([3, 4, 3]);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }),
        fc.nat({ max: 90 }),
        (of, n) => {
          const all = of.reduce((a, b) => a + b, 0) || 1;
          const lengths = segments(
            of.map((x) => x / all),
            n,
          );
          expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0);
          expect(lengths.reduce((a, b) => a + b, 0)).toBe(Math.round(of.some((x) => x > 0) ? n : 0));
        },
      ),
    );
  });
});

describe('sparkline', () => {
  it('scales to the maximum and shows non-zero values', () => {
    expect(sparkline([0, 0.01, 1, 4, 8], 5, 8, true)).toBe(' ▁▁▄█');
    expect(sparkline([0, 0.01, 1, 4, 8], 5, 8, false)).toBe(' ..=@');
    expect(sparkline([], 3, 8, true)).toBe('   ');
    expect(sparkline([1, 1], 2, 0, true)).toBe('▁▁');
  });

  it('keeps the mean at every width', () => {
    expect(resampled([1, 2, 3, 4], 2)).toEqual([1.5, 3.5]);
    expect(resampled([1, 2], 4)).toEqual([1, 1, 2, 2]);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { minLength: 1 }),
        fc.integer({ min: 1, max: 99 }),
        (v, n) => {
          const mean = (a: readonly number[]): number => a.reduce((x, y) => x + y, 0) / a.length;
          expect(mean(resampled(v, n))).toBeCloseTo(mean(v), 9);
        },
      ),
    );
  });
});

describe('text', () => {
  it('handles wide characters and combining marks', () => {
    expect(displayWidth('a節点')).toBe(5);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(clipped('節点12', 4, '…')).toBe('節…');
    expect(clipped('ab', 4, '…')).toBe('ab');
  });

  it('wraps at spaces and breaks long words', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefgh i', 3)).toEqual(['abc', 'def', 'gh', 'i']);
    expect(wrapped('a b | c d | e', 8, ' | ')).toEqual(['a b', 'c d | e']);
  });

  it('spells control and format characters out', () => {
    expect(printable('a\u001b[1m\n\u202eé', true)).toBe('a\\u{1b}[1m\\u{a}\\u{202e}é');
    expect(printable('aé', false)).toBe('a?');
  });
});
