import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ParallelismMeter } from '../../src/analysis/parallelism.ts';
import { effort } from '../effort.ts';

/** Levels over time; some last no time, or only as long as rounding. */
const changes = fc.array(
  fc.record({ after: fc.constantFrom(0, 0, 1e-18, 0.25, 1, 3), by: fc.integer({ min: -3, max: 3 }) }),
  { minLength: 1, maxLength: 30 },
);

test('figures are those of the levels that last', () => {
  fc.assert(
    fc.property(changes, (list) => {
      const meter = new ParallelismMeter();
      const lasting: { readonly level: number; readonly seconds: number }[] = [];
      let [time, level] = [1, 0];
      for (const { after, by } of list) {
        lasting.push({ level, seconds: time + after - time });
        time += after;
        const change = Math.max(-level, by);
        level += change;
        meter.change(time, change);
      }
      const own = lasting.filter(({ seconds }) => seconds > 1e-9);
      const total = (of: typeof own): number => of.reduce((sum, { seconds }) => sum + seconds, 0);
      expect(meter.max).toBe(Math.max(0, ...own.map((one) => one.level)));
      expect(meter.one).toBeCloseTo(total(own.filter((one) => one.level === 1)), 9);
      expect(meter.integral).toBeCloseTo(
        own.reduce((sum, one) => sum + one.level * one.seconds, 0),
        9,
      );
    }),
    { numRuns: effort(1000) },
  );
});
