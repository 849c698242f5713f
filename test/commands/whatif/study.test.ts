import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { InputError, type Problem } from '../../../src/base/problem.ts';
import { type AxisValue, parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import { grid, type Scenario } from '../../../src/commands/whatif/axes/grid.ts';
import { elasticities } from '../../../src/commands/whatif/axes/machine-paths.ts';
import { findMinimum, SHORT } from '../../../src/commands/whatif/find.ts';
import type { Outcome } from '../../../src/commands/whatif/predictors/predictor.ts';
import { runScenarios } from '../../../src/commands/whatif/run-scenarios.ts';
import { pairedDifference, runStudy } from '../../../src/commands/whatif/study.ts';

const outcome = (runTime: number, more: Partial<Outcome> = {}): Outcome => ({
  runTime,
  complete: true,
  blocked: 0,
  figures: {},
  ...more,
});
const problem: Problem = { code: 'MACH021', message: 'more ranks than cores' };
const ranksOf = (scenario: Scenario): number => Number(scenario.values['ranks']);
const amdahl = (s: Scenario): Outcome => outcome(0.1 + 0.9 / ranksOf(s));

describe('scenarios', () => {
  test('end in order with the same outcomes for any number of parallel predictions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        async (delays, workers) => {
          const scenarios = delays.map((_, index) => ({ index, values: {} }));
          let running = 0;
          const ends = await runScenarios(
            scenarios,
            async ({ index }) => {
              expect(++running).toBeLessThanOrEqual(workers);
              await new Promise((resolve) => setTimeout(resolve, delays[index]!));
              running--;
              if (delays[index] === 3) throw new InputError([problem]);
              return outcome(index);
            },
            { workers },
          );
          expect(ends).toEqual(
            delays.map((d, index) =>
              d === 3 ? { status: 'failed', problems: [problem] } : { status: 'predicted', outcome: outcome(index) },
            ),
          );
        },
      ),
      { numRuns: 20 },
    );
  });

  it('that are cancelled keep known results', async () => {
    const control = new AbortController();
    const told: number[] = [];
    const ends = await runScenarios(grid(parseAxes(['a=1..5'])), ({ index }) => outcome(index), {
      signal: control.signal,
      progress: (done) => {
        told.push(done);
        if (done === 2) control.abort();
      },
    });
    expect(ends.map((e) => e.status)).toEqual(['predicted', 'predicted', 'cancelled', 'cancelled', 'cancelled']);
    expect(told).toEqual([1, 2]);
  });

  it('that are running are cancelled, too', async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(), 10);
    const ends = await runScenarios(grid([]), () => new Promise<Outcome>(() => {}), { signal: control.signal });
    expect(ends).toEqual([{ status: 'cancelled' }]);
  });

  it('all end if the predictor itself fails', async () => {
    const run = runScenarios(grid([]), () => {
      throw new TypeError('a fault');
    });
    await expect(run).rejects.toThrow('a fault');
  });
});

describe('a search', () => {
  test('finds the smallest value for a falling run time in few steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5000 }), fc.nat(6000), async (count, least) => {
        let asked = 0;
        const found = await findMinimum(
          count,
          1,
          (k) => {
            asked++;
            return k >= least ? 1 : 2;
          },
          (time) => time,
        );
        expect(found.met).toBe(least < count);
        if (found.met) expect(found).toMatchObject({ position: least, verified: true });
        expect(asked).toBe(found.tried.length);
        const log = Math.ceil(Math.log2(count + 1));
        // Without a position that meets the target, the equal times may hide one: it is looked for.
        expect(asked).toBeLessThanOrEqual(found.met ? 2 * log + 1 : Math.max(SHORT, 4 * log + 2));
      }),
    );
  });

  test('of any run time finds a value that meets the target while the one before does not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.nat(9), { nil: undefined }), { minLength: 1 }), async (times) => {
        const found = await findMinimum(
          times.length,
          4,
          (k) => k,
          (k) => times[k],
        );
        const meets = (k: number): boolean => (times[k] ?? Infinity) <= 4;
        const tried = found.tried.map((t) => t.position);
        if (found.met) {
          expect(meets(found.position!)).toBe(true);
          if (found.position! > 0) {
            expect(meets(found.position! - 1)).toBe(false);
            expect(tried).toContain(found.position! - 1);
          }
        } else {
          expect(tried.some(meets)).toBe(false);
          const least = Math.min(...tried.map((k) => times[k] ?? Infinity));
          expect(found.position === undefined ? Infinity : times[found.position]).toBe(least);
        }
      }),
    );
  });
});

describe('elasticity', () => {
  it('of a power is its exponent; the largest comes first', async () => {
    const exponent: Record<string, number> = { a: 0.5, b: -1, c: 0, d: 0.5 };
    const found = await elasticities(['a', 'b', 'c', 'd', 'e'], (p, factor) =>
      exponent[p] === undefined ? undefined : { value: 3 * factor ** exponent[p] },
    );
    expect(found.map((f) => f.parameter)).toEqual(['b', 'a', 'd', 'c', 'e']);
    expect(found[0]!.elasticity).toBeCloseTo(-1, 12);
    expect(found[1]!.elasticity).toBeCloseTo(0.5, 12);
    expect(found[4]!.elasticity).toBeNull();
    expect(found[0]).not.toHaveProperty('low');
  });

  it('has an interval with replications, for the part they do not share', async () => {
    // Replication k takes noise(k) × (1 + factor × own(k)); the common noise cancels out.
    const of = (own: readonly number[]) => (_: string, factor: number) => {
      const replications = own.map((x, k) => (1 + k) * (1 + factor * x));
      return { value: replications.reduce((a, b) => a + b, 0) / replications.length, replications };
    };
    const [shared] = await elasticities(['a'], of([1, 1, 1, 1]));
    expect(shared!.elasticity).toBeCloseTo(0.5, 4);
    expect(shared!.high! - shared!.low!).toBeLessThan(1e-12);
    const own = [0.5, 1, 2, 1.5];
    const [found] = await elasticities(['a'], of(own));
    expect(found!.low!).toBeLessThan(found!.elasticity!);
    expect(found!.high! - found!.elasticity!).toBeCloseTo(found!.elasticity! - found!.low!, 12);
    // The slope of log E[T] at 1, by hand: d log(Σ n (1 + f x)) / d log f = Σ n x / Σ n (1 + x); its jack-knife variance.
    const slope = (left: number): number => {
      let [rising, all] = [0, 0];
      for (const [k, x] of own.entries()) {
        if (k === left) continue;
        rising += (1 + k) * x;
        all += (1 + k) * (1 + x);
      }
      return rising / all;
    };
    const without = own.map((_, k) => slope(k));
    const mean = without.reduce((a, b) => a + b, 0) / 4;
    const deviation = Math.sqrt((3 / 4) * without.reduce((a, s) => a + (s - mean) ** 2, 0));
    const half = found!.high! - found!.elasticity!;
    // 3.182: Student's t with 3 degrees of freedom. Both values estimate the same quantity to first order.
    expect(half / (3.182 * deviation)).toBeGreaterThan(0.5);
    expect(half / (3.182 * deviation)).toBeLessThan(2);
  });
});

describe('differences', () => {
  it('are paired: shared variation of replications cancels out', () => {
    const found = pairedDifference([10, 20, 30], [11, 21, 31])!;
    expect(found).toEqual({
      ...{ value: 1, unit: 's', lower: 1, upper: 1, certainty: 0.95 },
      ...{ mean: 1, low: 1, high: 1, relative: 0.05 },
    });
  });

  it('have an interval by Student’s t', () => {
    // Differences 1, 2, 3: mean 2, standard deviation 1, t(0.975; 2) = 4.302652730.
    const { low, high } = pairedDifference([0, 0, 0], [1, 2, 3])!;
    expect(low).toBeCloseTo(2 - 4.30265273 / Math.sqrt(3), 8);
    expect(high).toBeCloseTo(2 + 4.30265273 / Math.sqrt(3), 8);
  });

  it('of single runs have none', () => {
    expect(pairedDifference([4], [3])).toEqual({
      value: -1,
      unit: 's',
      mean: -1,
      low: null,
      high: null,
      relative: -0.25,
    });
    expect(pairedDifference([], [3])).toBeUndefined();
  });
});

describe('a study', () => {
  it('fits scaling laws to each series of ranks', async () => {
    const result = await runStudy({ axes: parseAxes(['machine=a,b', 'ranks=1..8*2']) }, amdahl);
    expect(result.scaling.map((s) => s.values)).toEqual([{ machine: 'a' }, { machine: 'b' }]);
    expect(result.scaling[0]!.amdahl!.serialShare).toBeCloseTo(0.1, 12);
    expect(result.scaling[0]!.points.map((p) => p.ranks)).toEqual([1, 2, 4, 8]);
    expect(result.scenarios[3]!.difference!.relative).toBeCloseTo(0.1 + 0.9 / 8 - 1, 12);
    expect(result.complete).toBe(true);
  });

  it('names failed scenarios and continues', async () => {
    const { scenarios } = await runStudy({ axes: parseAxes(['ranks=1..8*2']) }, (s) => {
      if (ranksOf(s) === 4) throw new InputError([problem]);
      return ranksOf(s) === 2 ? outcome(1, { blocked: 2 }) : amdahl(s);
    });
    expect(scenarios.map((s) => s.status)).toEqual(['done', 'deadlock', 'failed', 'done']);
    expect(scenarios[2]!.problems).toEqual([problem]);
    expect(scenarios[1]!.difference).toBeUndefined();
  });

  it('searches for each combination of the other axes', async () => {
    const factor: Record<string, number> = { slow: 2, fast: 1 };
    const predict = (s: Scenario): Outcome => outcome(factor[String(s.values['machine'])]! * amdahl(s).runTime!);
    const result = await runStudy(
      { axes: parseAxes(['machine=slow,fast', 'ranks=1..1000']), find: { axis: 'ranks', target: 0.21001 } },
      predict,
    );
    expect(result.found).toMatchObject([
      { values: { machine: 'slow' }, met: true, value: 180, verified: true },
      { values: { machine: 'fast' }, met: true, value: 9, verified: true },
    ]);
    expect(result.scenarios.length).toBeLessThan(40);
    expect(result.scenarios.map((s) => s.index)).toEqual(result.scenarios.map((_, k) => k));
  });

  it('returns the nearest value if the target cannot be met', async () => {
    const { found } = await runStudy(
      { axes: parseAxes(['ranks=1..10']), find: { axis: 'ranks', target: 0.05 } },
      amdahl,
    );
    expect(found).toMatchObject([
      { met: false, value: 10, runTime: 0.19, verified: true, decided: true, tried: 10, of: 10 },
    ]);
  });

  /** Run time of 1 s per microsecond of latency. */
  const byLatency = ({ values }: Scenario): Outcome => {
    const text = String(values['machine.link.latency']);
    const scale = text.endsWith('ms') ? 1000 : text.endsWith('ns') ? 0.001 : 1;
    return outcome(scale * Number(/[\d.]+/.exec(text)![0]));
  };
  it.each([
    ['ascending', '1us,2us,4us', 2.5, true, '1us'],
    ['descending', '4us,2us,1us', 2.5, true, '2us'],
    ['descending in several units', '1ms,4us,1us,900ns', 0.95, true, '900ns'],
    ['in no order', '4us,900ns,1ms,2us', 0.95, true, '900ns'],
    ['factors', 'x4,x2,x1,x0.5', 1, true, 'x1'],
    ['a range of factors', 'x64..x1*0.5', 5, true, 'x4'],
    ['ranges and values', '8us..2us*0.5,1us', 1.5, true, '1us'],
    ['none', '4us,2us', 1, false, '2us'],
  ])('searches values with units: %s', async (_, values, target, met, value) => {
    const axes = parseAxes([`machine.link.latency=${values}`]);
    const { found } = await runStudy({ axes, find: { axis: 'machine.link.latency', target } }, byLatency);
    expect(found).toMatchObject([{ met, value }]);
  });

  it.each([
    ['machine.link.latency=1us,2GB/s', '"1us" and "2GB/s" cannot be compared'],
    ['machine.link.latency=1us,x2', '"1us" and "x2" cannot be compared'],
    [
      'machine.link.latency=1us,fast',
      'expected a number, also with a unit (2us), or a change (x0.5, +10%), got "fast"',
    ],
    ['model.n=1us,2us', 'expected a number, got "1us"'],
  ])('rejects a search of %s', async (text, says) => {
    const plan = { axes: parseAxes([text]), find: { axis: text.slice(0, text.indexOf('=')), target: 1 } };
    await expect(runStudy(plan, byLatency)).rejects.toThrow(says);
  });

  it.each([
    ['rank', 1],
    ['ranks', -1],
    ['placement', 1],
  ])('rejects a search of %s for %d s', async (axis, target) => {
    const plan = { axes: parseAxes(['ranks=1..10', 'placement=block']), find: { axis, target } };
    await expect(runStudy(plan, amdahl)).rejects.toMatchObject({ problems: [{ code: 'WHAT011' }] });
  });

  it('computes elasticities from changes of one per cent', async () => {
    const asked: AxisValue[] = [];
    const { elasticity } = await runStudy({ axes: [], elasticity: ['machine.speed'] }, ({ values }) => {
      const change = values['machine.speed'];
      if (change !== undefined) asked.push(change);
      return outcome(5 / Number(String(change ?? 'x1').slice(1)));
    });
    expect(asked.sort()).toEqual(['x0.99', 'x1.01']);
    expect(elasticity[0]!.elasticity).toBeCloseTo(-1, 12);
  });

  it('reports common warnings once and shares random numbers', async () => {
    const warning: Problem = { code: 'TI043', message: 'odd' };
    const result = await runStudy({ axes: parseAxes(['a=1,2']) }, ({ index }) =>
      outcome(2 + index, { replications: [1 + index, 3 + index], warnings: [warning] }),
    );
    expect(result.warnings).toEqual([warning]);
    expect(result.scenarios[1]!.difference).toMatchObject({ mean: 1, low: 1, high: 1, relative: 0.5 });
  });
});
