import { describe, expect, test } from 'vitest';
import {
  growthError,
  gustafsonErrors,
  pointErrors,
  type Replicated,
} from '../../../src/commands/whatif/law-intervals.ts';
import { fitGustafson, scalingPoints } from '../../../src/commands/whatif/scaling-laws.ts';
import { runStudy } from '../../../src/commands/whatif/study.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { exponential, type FigureError, NetBuilder, parseAxes, whatif } from '../../../src/index.ts';

/** Normal numbers by the method of Box and Muller from a linear congruential generator (Numerical Recipes, §7.1). */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(1664525, state) + 1013904223) | 0;
    return ((state >>> 8) + 0.5) / 2 ** 24;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

const RUNS = 1000;
/** 3.3 standard deviations of the share of intervals that contain the truth. */
const NOISE = 3.3 * Math.sqrt((0.95 * 0.05) / RUNS);
const isInside = ({ lower, upper }: FigureError, truth: number): boolean => lower! <= truth && truth <= upper!;

/** T(p) = 10 (0.2 + 0.8 / p), with a common factor of each replication and a small one of each point. */
function measuredAmdahl(normal: () => number, own: number, serial = 0.2): Replicated[] {
  const common = Array.from({ length: 15 }, () => 1 + 0.1 * normal());
  return [1, 2, 4, 8].map((ranks) => {
    const seconds = common.map((factor) => 10 * (serial + (1 - serial) / ranks) * (factor + own * normal()));
    return { ranks, runTime: seconds.reduce((a, b) => a + b, 0) / 15, seconds };
  });
}

const studyOf = (all: readonly Replicated[]): ReturnType<typeof runStudy> =>
  runStudy({ axes: parseAxes([`ranks=${all.map(({ ranks }) => ranks).join()}`]) }, ({ index }) => ({
    runTime: all[index]!.runTime,
    complete: true,
    blocked: 0,
    figures: { tokens: { value: all[index]!.runTime, unit: '1' } },
    replications: all[index]!.seconds,
    samples: { tokens: all[index]!.seconds },
  }));

describe('intervals of scaling', () => {
  test("Amdahl's law is known as often as its intervals say", async () => {
    const normal = normals(3);
    const inside = { serialTime: 0, serialShare: 0, speedUp: 0 };
    for (let run = 0; run < RUNS; run++) {
      const { scaling } = await studyOf(measuredAmdahl(normal, 0.02));
      const { amdahl, points } = scaling[0]!;
      if (isInside(amdahl!.errors!.serialTime, 10)) inside.serialTime += 1;
      if (isInside(amdahl!.errors!.serialShare, 0.2)) inside.serialShare += 1;
      if (isInside(points[3]!.errors!.speedUp, 1 / 0.3)) inside.speedUp += 1;
    }
    for (const [name, count] of Object.entries(inside))
      expect(Math.abs(count / RUNS - 0.95), name).toBeLessThan(0.01 + NOISE);
  });

  test('of a law without serial work lie within its range', async () => {
    const normal = normals(5);
    let inside = 0;
    for (let run = 0; run < RUNS; run++) {
      const { amdahl } = (await studyOf(measuredAmdahl(normal, 0.05, 0))).scaling[0]!;
      const { serialShare } = amdahl!.errors!;
      expect(serialShare.lower).toBeGreaterThanOrEqual(0);
      expect(isInside(serialShare, amdahl!.serialShare)).toBe(true);
      if (isInside(serialShare, 0)) inside += 1;
    }
    // One side of the interval is cut off at the truth.
    expect(inside / RUNS).toBeGreaterThan(0.95 - 0.01 - NOISE);
  });

  test('noise that all points share does not widen what is a ratio', async () => {
    const { amdahl, points } = (await studyOf(measuredAmdahl(normals(7), 0))).scaling[0]!;
    expect(amdahl!.errors!.serialTime.upper! - amdahl!.errors!.serialTime.lower!).toBeGreaterThan(0.2);
    expect(amdahl!.errors!.serialShare.upper).toBeCloseTo(0.2, 9);
    expect(points[3]!.errors!.speedUp.lower).toBeCloseTo(1 / 0.3, 9);
    expect(points[3]!.errors!.efficiency.upper).toBeCloseTo(1 / 2.4, 9);
  });

  test('by hand: growth and parallelism of two replications', () => {
    const all: Replicated[] = [
      { ranks: 1, runTime: 1.5, parallelism: 1, seconds: [1, 2], parallel: [1, 1] },
      { ranks: 4, runTime: 3, parallelism: 3.1, seconds: [2, 4], parallel: [3, 3.2] },
    ];
    expect(growthError(all)).toEqual({ lower: 1, upper: 1, certainty: 0.95 });
    const fit = gustafsonErrors(all, fitGustafson(all)!);
    // s = (4 − P) / 3: 1 / 3 and 0.8 / 3, each relative to P of its own, so the pseudo-values are the other one.
    expect(fit.serialShare).toBeCloseTo(0.3, 12);
    const half = (12.7062047 * Math.abs(1 / 3 - 0.8 / 3)) / 2;
    expect(fit.errors!.serialShare.upper).toBeCloseTo(0.3 + half, 6);
    expect(fit.errors!.serialShare.lower).toBe(0);
    expect(pointErrors(all.slice(0, 1), scalingPoints(all.slice(0, 1)))[0]!.errors!.speedUp).toMatchObject({
      lower: 1,
      upper: 1,
    });
  });
});

describe('paired differences of figures', () => {
  test('contain the difference of two expectations as often as they say, and are as narrow as the pairs allow', async () => {
    const normal = normals(11);
    let inside = 0;
    for (let run = 0; run < RUNS; run++) {
      const common = Array.from({ length: 10 }, () => 5 * normal());
      const values = [0, 0.3].map((shift) => common.map((x) => 100 + x + shift + 0.1 * normal()));
      const { scenarios } = await runStudy({ axes: parseAxes(['delay.t=1,2']) }, ({ index }) => ({
        runTime: 1,
        complete: true,
        blocked: 0,
        figures: { tokens: { value: 100, unit: '1' } },
        replications: values[index]!.map(() => 1),
        samples: { tokens: values[index]! },
      }));
      const { tokens } = scenarios[1]!.differences!;
      if (isInside(tokens as FigureError, 0.3)) inside += 1;
      // Of ten pairs whose differences have the deviation 0.14; unpaired, the interval has a width of more than 9.
      expect(tokens!.upper! - tokens!.lower!).toBeLessThan(0.6);
    }
    expect(Math.abs(inside / RUNS - 0.95)).toBeLessThan(NOISE);
  });

  test('of a net with twice the delay are half of the rate; where nothing changes, none is seen', async () => {
    const n = new NetBuilder('clock');
    const [hand, other] = [n.place('hand', {}, { initial: 1 }), n.place('other', {}, { initial: 1 })];
    for (const [name, place] of [
      ['tick', hand],
      ['tock', other],
    ] as const)
      n.transition(name, (t) => {
        t.take(place);
        t.delay(exponential(1));
        t.put(place, {});
      });
    const options = { until: 200, replications: 8, vary: { 'delay.tick': ['x1', 'x2'] } } as const;
    const document = await whatif(n.build(), options);
    const { differences } = document.scenarios[1]!;
    const { value, lower, upper } = differences!['rate tick']!;
    expect(lower! < -0.5 && -0.5 < upper!).toBe(true);
    expect(value).toBeLessThan(-0.4);
    expect(differences!['rate tock']).toMatchObject({ value: 0, lower: 0, upper: 0 });
    const view = renderWhatIf(document, { width: 100, colour: false, unicode: true });
    expect(view).toMatch(/delay\.tick=x2 +rate tick, 1\/s +-0\.\d+ +-0\.\d+ to -0\.\d+/);
    expect(view).toMatch(/no difference seen: .*rate tock/);
    for (const workers of [1, 2, 3]) expect(await whatif(n.build(), { ...options, workers })).toEqual(document);
  });

  test('that are rounding are not listed as seen, and one of 10⁻⁹ s is', async () => {
    // A sum of times that should be 0 differs by rounding in each replication, always upwards.
    const { scenarios, ...others } = await runStudy({ axes: parseAxes(['delay.t=1,2,3']) }, ({ index }) => ({
      runTime: 2,
      complete: true,
      blocked: 0,
      figures: { waiting: { value: [0, 1e-16, 1e-9][index]!, unit: 's' } },
      replications: [2, 2 + [0, 1e-15, 1e-9][index]!, 2],
      samples: { waiting: [0, 1, 2].map((k) => [0, 1e-16, 1e-9][index]! * (1 + k / 100)) },
    }));
    expect(scenarios[1]!.differences!['waiting']!.lower).toBeGreaterThan(0);
    const document = { inputs: [], options: {}, seed: '1', scenarios, ...others };
    const view = renderWhatIf(document as never, { width: 100, colour: false, unicode: true });
    expect(view).not.toMatch(/delay\.t=2 +waiting/);
    expect(view).toMatch(/delay\.t=3 +waiting, s +\+1\.0\d*e-9/);
  });
});
