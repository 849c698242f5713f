import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawCurves } from '../../../src/commands/whatif/law-curves.ts';
import { amdahlErrors, gustafsonErrors, scalabilityErrors } from '../../../src/commands/whatif/law-intervals.ts';
import { fitAmdahl, fitGustafson, fitScalability } from '../../../src/commands/whatif/scaling-laws.ts';
import { effort } from '../../effort.ts';

const RANKS = [1, 2, 4, 8, 16];
const share = fc.double({ min: 0.01, max: 0.9, noNaN: true });

describe('curves of fitted laws', () => {
  it('go through run times that follow the law', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 100, noNaN: true }), share, share, (time, serial, kappa) => {
        const [amdahl] = lawCurves({
          amdahl: fitAmdahl(RANKS.map((ranks) => ({ ranks, runTime: time * (serial + (1 - serial) / ranks) })))!,
        });
        for (const p of RANKS) expect(amdahl!.at(p) / (time * (serial + (1 - serial) / p))).toBeCloseTo(1, 8);
        const slow = (n: number): number => (time * (1 + serial * (n - 1) + 0.1 * kappa * n * (n - 1))) / n;
        const [scalability] = lawCurves({
          scalability: fitScalability(RANKS.map((ranks) => ({ ranks, runTime: slow(ranks) })))!,
        });
        for (const n of RANKS) expect(scalability!.at(n) / slow(n)).toBeCloseTo(1, 8);
        const [gustafson] = lawCurves({
          gustafson: fitGustafson(
            RANKS.map((ranks) => ({ ranks, runTime: time, parallelism: ranks - serial * (ranks - 1) })),
          )!,
        });
        for (const p of RANKS) expect(gustafson!.at(p)).toBeCloseTo(p - serial * (p - 1), 8);
      }),
      { numRuns: effort(200) },
    );
  });

  it('have bands with every value that the numbers take inside their intervals', () => {
    const seconds = fc.array(fc.double({ min: 0.5, max: 1.5, noNaN: true }), { minLength: 4, maxLength: 4 });
    const inside = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 5, maxLength: 5 }), share, inside, (noise, serial, at) => {
        const all = RANKS.map((ranks, k) => {
          const times = noise[k]!.map((factor) => (serial + (1 - serial) / ranks) * factor);
          const parallel = noise[k]!.map((factor) => Math.min(ranks, (ranks - serial * (ranks - 1)) * factor));
          const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
          return { ranks, seconds: times, runTime: mean(times), parallel, parallelism: mean(parallel) };
        });
        const fits = {
          amdahl: amdahlErrors(all, fitAmdahl(all)!),
          gustafson: gustafsonErrors(all, fitGustafson(all)!),
          ...(fitScalability(all) === undefined ? {} : { scalability: scalabilityErrors(all, fitScalability(all)!) }),
        };
        for (const { law, band, at: value } of lawCurves(fits)) {
          const key = law === 'Amdahl' ? 'amdahl' : law === 'Gustafson' ? 'gustafson' : 'scalability';
          const { errors, ...fit } = fits[key]!;
          const chosen = Object.entries(errors ?? {}).map(([name, { lower, upper }], k): [string, number | null] => [
            name,
            lower === null || upper === null ? null : lower + at[k]! * (upper - lower),
          ]);
          if (band === undefined) {
            expect(chosen.length === 0 || chosen.some(([, number]) => number === null)).toBe(true);
            continue;
          }
          const [other] = lawCurves({ [key]: { ...fit, ...Object.fromEntries(chosen) } });
          for (const p of [1, 3, 16, 40]) {
            const [lower, upper] = band(p);
            const slack = 1e-12 * Math.abs(upper);
            for (const of of [value(p), other!.at(p)]) {
              expect(of).toBeGreaterThanOrEqual(lower - slack);
              expect(of).toBeLessThanOrEqual(upper + slack);
            }
          }
        }
      }),
      { numRuns: effort(200) },
    );
  });
});
