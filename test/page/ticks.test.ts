import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickLabels, ticksOf } from '../../src/page/draw/ticks.ts';
import { effort } from '../effort.ts';

/** Ranges at any distance from zero: their length may be below the distance of neighbouring numbers. */
const ranges = fc
  .tuple(
    fc.oneof(
      fc.constant(0),
      fc.double({ min: -20, max: 20, noNaN: true }).map((e) => Math.sign(e) * 10 ** Math.abs(e)),
    ),
    fc.double({ min: -15, max: 15, noNaN: true }).map((e) => 10 ** e),
  )
  .map(([from, length]) => ({ from, to: from + length }));

describe('marks of an axis', () => {
  it('are a few increasing times inside the range, each with its own label', () => {
    fc.assert(
      fc.property(ranges, fc.integer({ min: 2, max: 20 }), (range, most) => {
        const ticks = ticksOf(range, most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        for (const [k, { time }] of ticks.entries()) {
          expect(time).toBeGreaterThanOrEqual(range.from - 1e-9 * (range.to - range.from));
          expect(time).toBeLessThanOrEqual(range.to);
          if (k > 0) expect(time).toBeGreaterThan(ticks[k - 1]!.time);
        }
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
        // A range of thousands of representable numbers has marks.
        const resolution = Number.EPSILON * Math.max(Math.abs(range.from), Math.abs(range.to));
        if (range.to - range.from > 1000 * resolution) expect(ticks.length).toBeGreaterThan(0);
      }),
      { numRuns: effort(10_000) },
    );
  });

  it('count from the first one far from zero', () => {
    expect(ticksOf({ from: 0, to: 2 }, 4).map(({ label }) => label)).toEqual([
      '0.0 s',
      '0.5 s',
      '1.0 s',
      '1.5 s',
      '2.0 s',
    ]);
    expect(ticksOf({ from: 1.7e9, to: 1.7e9 + 2.2e-3 }, 3).map(({ label }) => label)).toEqual([
      '1700000000 s',
      '+1 ms',
      '+2 ms',
    ]);
  });
});

describe('labels of evenly spaced marks', () => {
  it('are at the same distances as the marks', () => {
    expect(tickLabels([108.5, 108.75, 109, 109.25])).toEqual(['108.50', '108.75', '109.00', '109.25']);
    expect(tickLabels([0, 50, 100])).toEqual(['0', '50', '100']);
    expect(tickLabels([1, 10, 100])).toEqual(['1', '10', '100']);
    expect(tickLabels([0.001, 0.01234567, 0.1])).toEqual(['0.001', '0.01235', '0.1']);
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -1e8, max: 1e8 })),
        fc.constantFrom(1, 2, 2.5, 5),
        fc.integer({ min: -30, max: 30 }),
        fc.integer({ min: 2, max: 10 }),
        (begin, factor, power, count) => {
          const step = factor * 10 ** power;
          const values = Array.from({ length: count }, (_, k) => (begin + k) * step);
          const labels = tickLabels(values).map(Number);
          expect(new Set(labels).size).toBe(count);
          for (const [k, label] of labels.entries()) expect(Math.abs(label - values[k]!)).toBeLessThan(1e-6 * step);
        },
      ),
      { numRuns: effort(10_000) },
    );
  });
});
