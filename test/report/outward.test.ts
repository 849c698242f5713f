import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerEnd, upperEnd } from '../../src/report/outward.ts';
import { effort } from '../effort.ts';

/** Figures of every magnitude, most of them near those of models, some on the edge of a power of ten. */
const figures = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: -1000, max: 1000, noNaN: true }),
  fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -9, max: 9 }), fc.constantFrom(1, -1))
    .map(([exponent, ulps, sign]) => sign * Number(`1e${exponent}`) * (1 + ulps * Number.EPSILON)),
);

describe('printed ends of an interval', () => {
  it('contain the interval, and are at most one unit of the last digit away', () => {
    fc.assert(
      fc.property(figures, figures, fc.integer({ min: 1, max: 15 }), (one, other, digits) => {
        const [lower, upper] = [Math.min(one, other), Math.max(one, other)];
        const printed = [Number(lowerEnd(lower, digits)), Number(upperEnd(upper, digits))] as const;
        expect(printed[0]).toBeLessThanOrEqual(lower);
        expect(printed[1]).toBeGreaterThanOrEqual(upper);
        const near = (text: number, value: number): void => {
          if (Math.abs(value) < 1e-290 || Math.abs(value) > 1e290) return;
          expect(Math.abs(text / value - 1)).toBeLessThanOrEqual(1.001 * 10 ** (1 - digits));
        };
        near(printed[0], lower);
        near(printed[1], upper);
      }),
      { numRuns: effort(20_000) },
    );
  });

  it.each([
    [2 / 3, '0.666666', '0.666667'],
    [-2 / 3, '-0.666667', '-0.666666'],
    [1 - 1e-9, '0.999999', '1.00000'],
    [1 + 1e-9, '1.00000', '1.00001'],
    [0.25, '0.250000', '0.250000'],
    [3, '3', '3'],
    [1.23456789e-7, '1.23456e-7', '1.23457e-7'],
  ])('of %d are %s and %s', (value, lower, upper) => {
    expect([lowerEnd(value, 6), upperEnd(value, 6)]).toEqual([lower, upper]);
  });
});
