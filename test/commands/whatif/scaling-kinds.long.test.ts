import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { explain } from '../../../src/commands/predict/view/explain.ts';
import { parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import { checkPlan } from '../../../src/commands/whatif/axes/check-plan.ts';
import type { Outcome } from '../../../src/commands/whatif/predictors/predictor.ts';
import { fitGustafson, scalingPoints } from '../../../src/commands/whatif/scaling-laws.ts';
import { runStudy } from '../../../src/commands/whatif/study.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { whatIfCsv } from '../../../src/commands/whatif/whatif-csv.ts';
import type { ScalingKind, WhatIfDocument } from '../../../src/commands/whatif/whatif-result.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { ANY, spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

const machine = cluster({
  nodes: 64,
  coresPerNode: 1,
  speed: '4Gf',
  link: { latency: '12us', bandwidth: '1.25GB/s' },
  eagerBelow: 65536,
});
const outcome = (runTime: number): Outcome => ({
  runTime,
  complete: true,
  blocked: 0,
  figures: { parallelism: { value: 1, unit: '1' } },
});

async function study(runTime: (ranks: number) => number, scaling?: ScalingKind): Promise<WhatIfDocument> {
  const plan = { axes: parseAxes(['ranks=1..64*2']), ...(scaling === undefined ? {} : { scaling }) };
  const result = await runStudy(plan, ({ values }) => outcome(runTime(Number(values['ranks']))));
  const options = scaling === undefined ? {} : { scaling };
  return { inputs: [], options, ...result } as unknown as WhatIfDocument;
}
const page = (document: WhatIfDocument): string =>
  renderWhatIf(document, { width: 200, colour: false, unicode: false }).replaceAll(/\n +/g, ' ');

describe('weak scaling', () => {
  test("Gustafson's law is found again, whatever its parameters", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (time, share) => {
          const measured = [2, 3, 8, 64].map((p) => ({ ranks: p, runTime: time, parallelism: p - share * (p - 1) }));
          const fit = fitGustafson(measured)!;
          expect(fit.serialShare).toBeCloseTo(share, 9);
          expect(fit.serialTime).toBe(time);
        },
      ),
    );
    expect(fitGustafson([2, 4].map((ranks) => ({ ranks, runTime: 1 })))).toBeUndefined();
  });

  test('serial work of one rank is the serial share, although run times are constant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 99 }), async (percent) => {
        const model = spmd({
          name: 'serial',
          build(m) {
            m.compute({ flops: 1e9 * (100 - percent) });
            m.when(
              (s) => s.rank === 0,
              () => m.compute({ flops: 1e9 * percent }),
            );
          },
        });
        const { scaling } = await whatif(model, { machine, vary: { ranks: [1, 2, 8] }, scaling: 'weak', workers: 1 });
        expect(scaling[0]!.growth).toBeCloseTo(0, 9);
        expect(scaling[0]!.gustafson!.serialShare).toBeCloseTo(percent / 100, 6);
      }),
      { numRuns: effort(25) },
    );
  });

  it('has the efficiency t(base) / t(n), in table, CSV and JSON', async () => {
    const document = await study((ranks) => 10 + 0.1 * Math.log2(ranks), 'weak');
    const [series] = document.scaling;
    expect(series).toMatchObject({ kind: 'weak', gustafson: { rSquared: expect.any(Number) } });
    expect(series).not.toHaveProperty('amdahl');
    expect(series).not.toHaveProperty('scalability');
    expect(series!.points.at(-1)).toEqual({
      ranks: 64,
      runTime: 10.6,
      speedUp: (10 / 10.6) * 64,
      efficiency: 10 / 10.6,
    });
    const text = page(document);
    expect(text).toMatch(/scaled speed-up +efficiency/);
    expect(text).toMatch(/ 64 +10\.60 +\+6\.000 % +60\.38 +94\.3 %/);
    expect(text).toContain("Gustafson's law, by measured parallelism:");
    expect(text).toContain('Run time: 6.0 % longer on 64 ranks than on 1');
    expect(text).not.toContain('Amdahl');
    const [head, , , , , , , last] = whatIfCsv(document).split('\r\n');
    expect(head).toContain('relative difference,scaled speed-up,efficiency,problem');
    expect(last!.split(',').at(-2)).toBe(String(10 / 10.6));
  });

  it('is set by the user and stored in the document; without it nothing changes', async () => {
    const model = spmd({ name: 'constant', build: (m) => m.compute({ flops: 1e9 }) });
    const vary = { ranks: [1, 2, 8] };
    const weak = await whatif(model, { machine, vary, scaling: 'weak', workers: 1 });
    expect(weak.options['scaling']).toBe('weak');
    expect(weak.scaling[0]!.points.map((p) => p.efficiency)).toEqual([1, 1, 1]);
    expect(weak.scaling[0]!.gustafson!.serialShare).toBeCloseTo(0, 12);
    const strong = await whatif(model, { machine, vary, workers: 1 });
    expect(strong.scaling[0]!.points.map((p) => p.efficiency)).toEqual([1, 0.5, 0.125]);
    expect(strong.options).not.toHaveProperty('scaling');
    expect(whatIfCsv(strong)).not.toContain('efficiency');
  });

  it.each([
    ['weak', ['placement=block,cyclic']],
    ['wek', ['ranks=1,2']],
  ])('rejects %s with %s', (scaling, axes) => {
    const options = { scaling: scaling as ScalingKind };
    expect(() => checkPlan({ what: 'a model', axes: ['ranks'] }, parseAxes(axes), options)).toThrow(/WHAT020/);
  });

  it('omits ratios of zero run times', () => {
    const points = scalingPoints([
      { ranks: 1, runTime: 0 },
      { ranks: 2, runTime: 1 },
    ]);
    expect(points.map((p) => [p.speedUp, p.efficiency])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});

describe('the text of scaling laws', () => {
  it.each([
    ['flat', () => 5, ['so more ranks are not faster', 'the run time does not depend on the number of ranks']],
    ['ideal', (p: number) => 64 / p, ['this law sets no limit', 'falls in proportion to the ranks']],
    ['serial', (p: number) => 1 + 9 / p, ['so the speed-up is at most 10.0', 'falls towards a limit']],
    ['rising', (p: number) => p, ['so more ranks are not faster', 'one rank is fastest']],
  ])('of a curve that is %s', async (_, runTime, sentences) => {
    const text = page(await study(runTime));
    for (const sentence of sentences) expect(text).toContain(sentence);
    expect(text).not.toMatch(/always faster|any number of/);
  });
});

describe('the balance of a master and its workers', () => {
  const sink = spmd({
    name: 'sink',
    build: (m) =>
      m.when(
        (s) => s.rank === 0,
        () => m.loop(20 * (m.size - 1), () => m.recv({ from: ANY })),
        () =>
          m.loop(20, () => {
            m.interval('work', () => m.compute({ flops: (s) => 1e6 + 1000 * s.rank }));
            m.send({ to: 0, bytes: 8 });
          }),
      ),
  });

  it('excludes the master, and the report says so', async () => {
    const document = predict(sink, { machine, ranks: 8 });
    const expected = (1e6 + 4000) / (1e6 + 7000);
    expect(document.figures.loadBalance.value).toBeCloseTo(expected, 9);
    expect(document.intervals![0]!.loadBalance).toBeCloseTo(expected, 9);
    expect(explain(document)!.why).toContain('Rank 0 does not compute and is excluded from the balance.');
    expect(explain(predict(sink, { machine, ranks: 3 }))!.limit).toContain('Ranks that do not compute: 1 of 3');
    const study = await whatif(sink, { machine, vary: { ranks: [8] }, workers: 1 });
    expect(study.scenarios[0]!.figures!['loadBalance']!.value).toBeCloseTo(expected, 9);
  });

  it('counts a rank that computes elsewhere in the balance of an interval', () => {
    const pivot = spmd({
      name: 'pivot',
      build: (m) => {
        m.interval('pivot', () =>
          m.when(
            (s) => s.rank === 0,
            () => m.compute({ flops: 1e6 }),
          ),
        );
        m.interval('update', () => m.compute({ flops: 1e6 }));
      },
    });
    const { intervals } = predict(pivot, { machine, ranks: 4 });
    expect(intervals!.map((i) => i.loadBalance)).toEqual([0.25, 1]);
  });
});
