import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ticksOf } from '../../src/page/draw/ticks.ts';
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
