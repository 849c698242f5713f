import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figure, halfWidth } from '../../../src/commands/exact/figure-text.ts';
import { effort } from '../../effort.ts';

/** Numbers as integers in units of 2^-SCALE 10^-SCALE: exact, without rounding. */
const SCALE = 160;
const TWOS = 1n << BigInt(SCALE);
const TENS = 10n ** BigInt(SCALE);

/** A double of at least 2^-SCALE ulps, exactly. */
function exactly(value: number): bigint {
  let [whole, twos] = [value, 0];
  for (; !Number.isInteger(whole); twos++) whole *= 2;
  return BigInt(whole) * (TWOS >> BigInt(twos)) * TENS;
}

/** A printed decimal such as `-1.25e-7`, exactly. */
function decimal(text: string): bigint {
  const [mantissa, exponent = '0'] = text.split('e') as [string, string?];
  const [before, after = ''] = mantissa.split('.') as [string, string?];
  return BigInt(before + after) * 10n ** BigInt(SCALE + Number(exponent) - after.length) * TWOS;
}

const magnitudes = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -20, max: 6 }), fc.constantFrom(1, -1))
  .map(([x, exponent, sign]) => sign * x * 10 ** exponent);
const figures = fc.oneof(magnitudes, fc.integer({ min: -1000, max: 1000 }));
/** Distances of ends from the figure, relative to it; also those far below the last printed digit. */
const distances = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -17, max: 1 }))
  .map(([x, exponent]) => x * 10 ** exponent);

describe('a printed figure ± its printed half-width', () => {
  it('contains the interval, exactly', () => {
    const property = fc.property(
      figures,
      distances,
      distances,
      fc.constantFrom(1, 0.95),
      (value, down, up, certainty) => {
        const size = Math.abs(value) || 1;
        const interval = { lower: value - down * size, upper: value + up * size, certainty };
        fc.pre([value, interval.lower, interval.upper].every((x) => x === 0 || Math.abs(x) > 1e-25));
        const printed = figure(value, interval);
        const half = halfWidth(printed, interval);
        expect(half).toMatch(/^(?:0|[1-9]e-?\d+)$/);
        expect(decimal(printed) - decimal(half)).toBeLessThanOrEqual(exactly(interval.lower));
        expect(decimal(printed) + decimal(half)).toBeGreaterThanOrEqual(exactly(interval.upper));
        // At most one unit of its digit too wide, and what reading a decimal as a double can lose.
        const distance = Math.max(Number(printed) - interval.lower, interval.upper - Number(printed));
        const lost = Math.abs(Number(printed)) * Number.EPSILON;
        expect(Number(half)).toBeLessThanOrEqual(2.001 * (distance + lost));
      },
    );
    fc.assert(property, { numRuns: effort(20_000) });
  });

  it.each([
    // The figure is rounded by up to half a unit of its last digit; the interval is much narrower.
    [2 / 3, 1e-15, 1, '0.666666667', '4e-10'],
    [2 / 3, 1e-15, 0.95, '0.666667', '4e-7'],
    [0.25, 2 ** -50, 1, '0.250000000', '9e-16'],
    [3, 0, 1, '3', '0'],
    [0.5, 0.05, 0.95, '0.500000', '6e-2'],
  ])('of %d ± %d with certainty %d are %s and %s', (value, half, certainty, printed, expected) => {
    const interval = { lower: value - half, upper: value + half, certainty };
    expect([figure(value, interval), halfWidth(figure(value, interval), interval)]).toEqual([printed, expected]);
  });

  it('says that there is none, or that an end is not known', () => {
    expect(halfWidth('1', { lower: null, upper: null, certainty: 0 })).toBe('none');
    expect(halfWidth('1', { lower: 0, upper: null, certainty: 1 })).toBe('unknown');
  });
});
