import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aligned,
  alikeFormat,
  alikeSeconds,
  alikeShares,
  formatAmount,
  formatBytesAlike,
  formatNetSeconds,
  formatSeconds,
  formatShare,
  withoutRounding,
} from '../../src/report/units.ts';
import { effort } from '../effort.ts';

describe('cells of a column', () => {
  const positive = fc.double({ min: 1e-3, max: 1e8, noNaN: true });
  const columns = fc.array(positive, { minLength: 1, maxLength: 6 });
  const digitsOf = (text: string): number => text.replace('.', '').replace(/^0*/, '').length;
  const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

  it('keep three significant digits, and one number of decimals where all numbers have the same magnitude', () => {
    fc.assert(
      fc.property(columns, (values) => {
        const texts = values.map(alikeFormat(values));
        texts.forEach((text, k) => {
          expect(Math.abs(Number(text) / values[k]! - 1)).toBeLessThanOrEqual(0.0051);
          if (values[k]! < 1e6) expect(digitsOf(text)).toBeGreaterThanOrEqual(3);
        });
        const [least, most] = [Math.min(...values), Math.max(...values)];
        if (most < 10 * least && most < 1e6 && least >= 0.1) expect(new Set(texts.map(decimalsOf)).size).toBe(1);
      }),
      { numRuns: effort(20_000) },
    );
  });

  it.each([
    [
      [10, 2.465e-3],
      ['10.00', '0.00247'],
    ],
    [
      [2, 0.5, 0],
      ['2.000', '0.500', '0'],
    ],
    [
      [1000, 999.5],
      ['1000', '1000'],
    ],
    [
      [1, 1e-16],
      ['1.000', '1.00e-16'],
    ],
    [
      [-1e300, -1e-300, 0],
      ['-1e+300', '-1.00e-300', '0'],
    ],
  ])('numbers %j', (values, texts) => expect(values.map(alikeFormat(values, values[0] === 10 ? 4 : 3))).toEqual(texts));

  it.each([
    [
      [1, 0.98, 0.5],
      ['100.0 %', '98.0 %', '50.0 %'],
    ],
    [
      [0.57, 0.095],
      ['57.00 %', '9.50 %'],
    ],
    [
      [0.5, 0.0004, 0],
      ['50.00 %', '0.0400 %', '0 %'],
    ],
    [
      [2e5, 0.5],
      ['2.00e+7 %', '50 %'],
    ],
  ])('shares %j', (shares, texts) => expect(shares.map(alikeShares(shares))).toEqual(texts));

  it('are 0 only for 0', () => {
    const wide = fc.double({ min: 5e-300, max: 1e300, noNaN: true });
    const zero = /^[<>+-]*[0.,]*(?:e.*)?(?: .*)?$/;
    fc.assert(
      fc.property(fc.array(wide, { minLength: 1, maxLength: 6 }), fc.boolean(), (magnitudes, isNegative) => {
        const values = magnitudes.map((value) => (isNegative ? -value : value));
        const most = Math.max(...magnitudes);
        for (const format of [
          alikeFormat(values),
          alikeFormat(values, 4),
          alikeShares(values),
          formatShare,
          formatSeconds,
          (value: number) => formatAmount(value, 'B'),
          (value: number) => aligned(value, most),
        ])
          for (const value of values) expect(format(value)).not.toMatch(zero);
        for (const text of formatBytesAlike(magnitudes)) expect(text).not.toMatch(zero);
      }),
      { numRuns: effort(20_000) },
    );
    expect([aligned(1e-9, 2), aligned(-1e-9, 2), aligned(0.3, 12_345)]).toEqual(['<0.001', '>-0.001', '<1']);
  });

  it('are 0 for what rounding has left of a difference', () => {
    expect([2.487e-14, -2.487e-14, 2e-12, 0].map((seconds) => withoutRounding(seconds, 1))).toEqual([0, 0, 2e-12, 0]);
    expect(withoutRounding(1e-20, 1e-9)).toBe(1e-20);
  });

  it('have one unit of time', () => {
    const times = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(times, (values) => {
        const units = values.map(alikeSeconds(values)).map((text) => text.split(' ')[1]);
        expect(new Set(units).size).toBe(1);
      }),
      { numRuns: effort(20_000) },
    );
    expect([1.5, 2e-3, 0].map(alikeSeconds([1.5, 2e-3, 0]))).toEqual(['1.500 s', '0.00200 s', '0 s']);
  });

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

it('times of nets have no unit longer than a second', () => {
  expect([5e-3, 12, 1000, 7201.5, 86400 * 3].map(formatNetSeconds)).toEqual([
    '5.000 ms',
    '12.00 s',
    '1000 s',
    '7202 s',
    '259200 s',
  ]);
});

it('times below a picosecond have an exponent', () => {
  expect(formatSeconds(8.327e-17)).toBe('8.327e-17 s');
  expect(formatSeconds(2e-12)).toBe('0.002000 ns');
});
