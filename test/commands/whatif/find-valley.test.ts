import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMinimum, SHORT } from '../../../src/commands/whatif/find.ts';
import { effort } from '../../effort.ts';

/** A run time, or undefined for a position that does not run. */
type Times = readonly (number | undefined)[];

const find = (times: Times, target: number) =>
  findMinimum(
    times.length,
    target,
    (position) => times[position],
    (time) => time,
  );

/** The smallest position that meets the target, from all run times. */
const smallest = (times: Times, target: number): number =>
  times.findIndex((time) => time !== undefined && time <= target);

/** Times that fall strictly and then rise strictly; either part may be empty. */
const valley = (max: number): fc.Arbitrary<number[]> =>
  fc
    .record({
      falls: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 0, maxLength: max }),
      rises: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 0, maxLength: max }),
      bottom: fc.integer({ min: 1, max: 100 }),
    })
    .map(({ falls, rises, bottom }) => {
      let up = bottom;
      const left = falls.map((by) => {
        up += by;
        return up;
      });
      up = bottom;
      const right = rises.map((by) => {
        up += by;
        return up;
      });
      return [...left.reverse(), bottom, ...right];
    });

describe('a search where run times do not fall all along', () => {
  it('finds the smallest position of any valley, in few measurements', async () => {
    await fc.assert(
      fc.asyncProperty(valley(200), fc.integer({ min: 1, max: 300 }), async (times, target) => {
        const expected = smallest(times, target);
        const found = await find(times, target);
        const log = Math.log2(times.length + 1);
        expect(found.met).toBe(expected >= 0);
        if (expected >= 0) expect(found.position).toBe(expected);
        else {
          expect(times[found.position!]).toBe(Math.min(...times));
          // A minimum at the end of the axis is decided by falling times, one inside a long axis is not.
          expect(found.decided).toBe(times.length <= SHORT || found.tried.length === times.length || !found.rises);
        }
        if (times.length > SHORT) expect(found.tried.length).toBeLessThanOrEqual(6 * log + 6);
      }),
      { numRuns: effort(10_000) },
    );
  });

  it('never denies an answer on a short axis, whatever the times', async () => {
    const any = fc.array(fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 4 }), {
      minLength: 1,
      maxLength: SHORT,
    });
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 0, max: 20 }), async (times, target) => {
        const found = await find(times, target);
        expect(found.met).toBe(smallest(times, target) >= 0);
        expect(found.decided).toBe(true);
        if (found.met) expect(times[found.position!]).toBeLessThanOrEqual(target);
      }),
      { numRuns: effort(10_000) },
    );
  });

  it('on a long axis, a denial is decided only if times fall or all were measured', async () => {
    const any = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: SHORT + 1, maxLength: 100 });
    await fc.assert(
      fc.asyncProperty(any, fc.integer({ min: 0, max: 60 }), async (times, target) => {
        const { met, decided, position, tried, rises } = await find(times, target);
        if (met) expect(times[position!]).toBeLessThanOrEqual(target);
        else if (decided) expect(tried.length === times.length || !rises).toBe(true);
      }),
      { numRuns: effort(5000) },
    );
  });

  it('T(p) = 64 / p + p is met by 8 ranks of 1, 2, 4 … 64', async () => {
    const times = [1, 2, 4, 8, 16, 32, 64].map((p) => 64 / p + p);
    expect(await find(times, 17)).toMatchObject({ met: true, decided: true, position: 3 });
    expect(await find(times, 15)).toMatchObject({ met: false, decided: true, verified: true, position: 3 });
    const long = Array.from({ length: 64 }, (_, k) => 64 / (k + 1) + k + 1);
    expect(await find(long, 16.2)).toMatchObject({ met: true, position: 6 });
    expect(await find(long, 15.9)).toMatchObject({ met: false, decided: false, position: 7 });
  });
});
