import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nonNegativeLeastSquares } from '../../../src/commands/whatif/least-squares.ts';
import { fitAmdahl, fitScalability, scalingPoints } from '../../../src/commands/whatif/scaling-laws.ts';

/** At least `least` different rank counts. */
const rankCounts = (least: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.integer({ min: 1, max: 4096 }), { minLength: least, maxLength: 12 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const seconds = fc.double({ min: 1e-6, max: 1e6, noNaN: true });

describe('data that follow a law reproduce its parameters', () => {
  test('Amdahl', () => {
    fc.assert(
      fc.property(rankCounts(2), seconds, share, (ranks, t1, s) => {
        const fit = fitAmdahl(ranks.map((p) => ({ ranks: p, runTime: t1 * (s + (1 - s) / p) })))!;
        // The achievable accuracy depends on the largest share of the smaller term in a run time.
        const [low, high] = [Math.min(...ranks), Math.max(...ranks)];
        const tolerance = (1e-10 * high) / (1 - low / high);
        expect(Math.abs(fit.serialTime / t1 - 1)).toBeLessThan(tolerance);
        expect(Math.abs(fit.serialShare - s)).toBeLessThan(tolerance);
        expect(fit.serialShare).toBeGreaterThanOrEqual(0);
        expect(fit.serialShare).toBeLessThanOrEqual(1);
        expect(fit.rSquared).toBeGreaterThan(1 - 1e-6);
      }),
    );
  });

  test('the universal scalability law', () => {
    const kappas = fc.double({ min: 0, max: 0.1, noNaN: true });
    fc.assert(
      fc.property(seconds, share, kappas, (t1, sigma, kappa) => {
        const ranks = [1, 2, 4, 8, 16, 32, 64];
        const time = (n: number): number => (t1 * (1 + sigma * (n - 1) + kappa * n * (n - 1))) / n;
        const fit = fitScalability(ranks.map((n) => ({ ranks: n, runTime: time(n) })))!;
        expect(fit.serialTime / t1).toBeCloseTo(1, 9);
        expect(fit.contention).toBeCloseTo(sigma, 9);
        expect(fit.coherence).toBeCloseTo(kappa, 9);
        expect(fit.rSquared).toBeGreaterThan(1 - 1e-9);
        if (kappa > 1e-4 && sigma < 0.99)
          expect(fit.peak! / Math.max(1, Math.sqrt((1 - sigma) / kappa))).toBeCloseTo(1, 5);
      }),
    );
  });
});

describe('for any measurements', () => {
  const measured = fc.array(fc.record({ ranks: fc.integer({ min: 1, max: 1000 }), runTime: seconds }), {
    minLength: 1,
    maxLength: 10,
  });

  test('parameters stay in their ranges, and the law with more parameters fits no worse', () => {
    fc.assert(
      fc.property(measured, (points) => {
        const [amdahl, usl] = [fitAmdahl(points), fitScalability(points)];
        const different = new Set(points.map((p) => p.ranks)).size;
        if (different < 2) expect(amdahl).toBeUndefined();
        if (different < 3) expect(usl).toBeUndefined();
        for (const value of [amdahl?.serialShare, usl?.contention, amdahl?.rSquared, usl?.rSquared]) {
          expect(value ?? 0).toBeGreaterThanOrEqual(0);
          expect(value ?? 0).toBeLessThanOrEqual(1);
        }
        expect(usl?.coherence ?? 0).toBeGreaterThanOrEqual(0);
        if (amdahl !== undefined && usl !== undefined)
          expect(usl.rSquared).toBeGreaterThanOrEqual(amdahl.rSquared - 1e-9);
      }),
    );
  });

  it('is rejected without run time', () => {
    expect(
      fitAmdahl([
        { ranks: 1, runTime: 0 },
        { ranks: 2, runTime: 1 },
      ]),
    ).toBeUndefined();
  });
});

test('no other numbers ≥ 0 fit better', () => {
  const column = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 5, maxLength: 5 });
  const miss = (columns: number[][], c: readonly number[], y: number[]): number =>
    y.reduce((sum, v, i) => sum + (v - c.reduce((s, x, j) => s + x * columns[j]![i]!, 0)) ** 2, 0);
  const others = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.tuple(column, column, column), column, others, (columns, y, other) => {
      const found = nonNegativeLeastSquares(columns, y);
      expect(found.every((c) => c >= 0)).toBe(true);
      expect(miss(columns, found, y)).toBeLessThanOrEqual(miss(columns, other, y) * (1 + 1e-9) + 1e-9);
    }),
  );
});

test('speed-up and efficiency are relative to the fewest ranks', () => {
  const points = scalingPoints([
    { ranks: 8, runTime: 2 },
    { ranks: 2, runTime: 6 },
  ]);
  expect(points).toEqual([
    { ranks: 2, runTime: 6, speedUp: 1, efficiency: 1 },
    { ranks: 8, runTime: 2, speedUp: 3, efficiency: 0.75 },
  ]);
});
