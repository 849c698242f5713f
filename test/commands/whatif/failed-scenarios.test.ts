import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Problem } from '../../../src/base/problem.ts';
import { InputError } from '../../../src/base/problem.ts';
import { parseAxes } from '../../../src/commands/whatif/axes/axes.ts';
import type { Scenario } from '../../../src/commands/whatif/axes/grid.ts';
import { findMinimum } from '../../../src/commands/whatif/find.ts';
import type { Outcome } from '../../../src/commands/whatif/predictors/predictor.ts';
import { runStudy } from '../../../src/commands/whatif/study.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { whatIfCsv } from '../../../src/commands/whatif/whatif-csv.ts';
import type { WhatIfDocument } from '../../../src/commands/whatif/whatif-result.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { spmd } from '../../../src/models.ts';

const outcome = (runTime: number, more: Partial<Outcome> = {}): Outcome => ({
  runTime,
  complete: true,
  blocked: 0,
  figures: {},
  ...more,
});
const refused = (message: string, code: Problem['code'] = 'MODEL029'): never => {
  throw new InputError([{ code, message }]);
};
const ranksOf = ({ values }: Scenario): number => Number(values['ranks']);
const page = (document: Partial<WhatIfDocument>): string =>
  renderWhatIf({ inputs: [], options: {}, warnings: [], ...document } as unknown as WhatIfDocument, {
    width: 100,
    colour: false,
    unicode: false,
  });

/** Run time falls with the rank count; only square rank counts run. */
const squares = (s: Scenario): Outcome =>
  Number.isInteger(Math.sqrt(ranksOf(s))) ? outcome(1 / ranksOf(s)) : refused('square only');

describe('a search among failures', () => {
  test('finds the smallest position that runs and meets the target, for falling run times', async () => {
    const times = fc.array(fc.option(fc.nat(99), { nil: undefined, freq: 2 }), { minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(times, fc.nat(99), async (drawn, target) => {
        const falling = drawn.filter((t) => t !== undefined).sort((a, b) => b - a);
        const all = drawn.map((t) => (t === undefined ? undefined : falling.shift()));
        const expected = all.findIndex((t) => t !== undefined && t <= target);
        const found = await findMinimum(
          all.length,
          target,
          (k) => k,
          (k) => all[k],
        );
        expect(found.met).toBe(expected >= 0);
        if (expected >= 0) expect(found).toMatchObject({ position: expected, verified: true });
        expect(new Set(found.tried.map((t) => t.position)).size).toBe(found.tried.length);
      }),
    );
  });

  test('stops at the limit of measurements and says that values remain', async () => {
    const found = await findMinimum(
      1e9,
      1,
      (k) => k,
      () => undefined,
      50,
    );
    expect(found.tried).toHaveLength(50);
    expect(found).toMatchObject({ met: false, position: undefined, verified: false });
  });

  test('does not try more ranks than cores', async () => {
    let asked = 0;
    const plan = { axes: parseAxes(['ranks=1..100000']), find: { axis: 'ranks', target: 0.001 } };
    const { found } = await runStudy(plan, (s) => {
      asked++;
      return ranksOf(s) > 64 ? refused('more ranks than cores', 'MACH021') : outcome(1 / ranksOf(s));
    });
    expect(found).toMatchObject([{ met: false, value: 64, verified: false }]);
    expect(asked).toBeLessThan(40);
  });

  it('returns the value that runs and reports the values in between', async () => {
    const plan = { axes: parseAxes(['ranks=1..64']), find: { axis: 'ranks', target: 0.28 } };
    const study = await runStudy(plan, squares);
    expect(study.found).toMatchObject([{ met: true, value: 4, runTime: 0.25, verified: true }]);
    expect(page(study)).toContain(
      'ranks 4 takes 250.0 ms, within the target of 280.0 ms; 1 takes longer, the 2 values between fail',
    );
    expect(study.complete).toBe(true);
  });

  it('skips a failing baseline and immediate deadlocks', async () => {
    const plan = { axes: parseAxes(['ranks=2..16']), find: { axis: 'ranks', target: 10 } };
    const study = await runStudy(plan, (s) => {
      if (ranksOf(s) === 2) return refused('at least 3');
      return ranksOf(s) < 6 ? outcome(0, { blocked: 1 }) : outcome(3);
    });
    expect(study.found).toMatchObject([{ met: true, value: 6, runTime: 3 }]);
    expect(page(study)).toContain('all 4 values before it fail');
  });

  it('returns nothing if every value fails', async () => {
    const plan = { axes: parseAxes(['ranks=1..20']), find: { axis: 'ranks', target: 1 } };
    const study = await runStudy(plan, () => refused('never'));
    expect(study.found).toHaveLength(1);
    expect(study.found[0]).toMatchObject({ met: false, verified: true });
    expect(study.found[0]).not.toHaveProperty('value');
    expect(study.scenarios).toHaveLength(20);
  });

  it('says that the first value meets the target', async () => {
    const study = await runStudy({ axes: parseAxes(['ranks=1..9']), find: { axis: 'ranks', target: 2 } }, squares);
    expect(page(study)).toContain('ranks 1 takes 1.000 s, within the target of 2.000 s; it is the first value');
  });

  it('searches a model that accepts only square numbers of ranks, on fewer nodes than values', async () => {
    const model = spmd({
      name: 'square',
      build(m) {
        if (Math.sqrt(m.size) % 1) throw new Error('square only');
        m.compute({ flops: 1e9 / m.size });
      },
    });
    const machine = cluster({
      nodes: 30,
      coresPerNode: 1,
      speed: '4Gf',
      link: { latency: '12us', bandwidth: '1GB/s' },
      eagerBelow: 65536,
    });
    const find = (target: number): Promise<WhatIfDocument> =>
      whatif(model, { machine, vary: parseAxes(['ranks=1..64']), find: { axis: 'ranks', target }, workers: 1 });
    expect((await find(0.07)).found).toMatchObject([{ met: true, value: 4, runTime: 0.0625, verified: true }]);
    expect((await find(0.028)).found).toMatchObject([{ met: true, value: 9, verified: true }]);
    expect((await find(0.001)).found).toMatchObject([{ met: false, value: 25, runTime: 0.01 }]);
  });
});

describe('scenarios without a run time', () => {
  const predict = (s: Scenario): Outcome => {
    if (ranksOf(s) === 1) return refused('one rank is too few');
    const figures = { loadBalance: { value: 0.5, unit: '1' } };
    return ranksOf(s) === 2 ? outcome(0, { blocked: 2, figures }) : outcome(12 / ranksOf(s), { figures });
  };

  it('are not a baseline: the first completed scenario is', async () => {
    const { scenarios, scaling } = await runStudy({ axes: parseAxes(['ranks=1..4,6']) }, predict);
    expect(scenarios.map((s) => s.status)).toEqual(['failed', 'deadlock', 'done', 'done', 'done']);
    expect(scenarios.map((s) => s.difference?.mean)).toEqual([undefined, undefined, undefined, -1, -2]);
    expect(scenarios[1]).not.toHaveProperty('figures');
    expect(scaling[0]!.points.map((p) => [p.ranks, p.speedUp])).toEqual([
      [3, 1],
      [4, 4 / 3],
      [6, 2],
    ]);
    expect(scaling[0]!.amdahl!.serialShare).toBeCloseTo(0, 12);
  });

  it('leave their cells empty in the table and in CSV', async () => {
    const study = await runStudy({ axes: parseAxes(['ranks=1..4']) }, predict);
    const lines = page(study).split('\n');
    expect(lines.find((l) => /^ +2 /.test(l))).toMatch(/^ +2( +-)+ +deadlock$/);
    expect(lines.find((l) => /^ +3 /.test(l))).toContain('baseline');
    const rows = whatIfCsv({ options: {}, ...study } as unknown as WhatIfDocument).split('\r\n');
    expect(rows[0]).toBe('ranks,status,runTime [s],loadBalance,difference [s],relative difference,problem');
    expect(rows[2]).toBe('2,deadlock,,,,,');
  });

  it('prefer a plain baseline to an idealised one', async () => {
    const study = await runStudy({ axes: parseAxes(['ranks=2,3']), ideals: ['network'] }, (s) =>
      ranksOf(s) === 2 && s.ideal === undefined ? refused('not this one') : outcome(ranksOf(s)),
    );
    expect(study.scenarios.map((s) => s.difference?.mean)).toEqual([undefined, -1, undefined, 0]);
  });

  it('have no elasticity, and a reason', async () => {
    const { elasticity, warnings } = await runStudy({ axes: [], elasticity: ['machine.a', 'machine.b'] }, (s) => {
      if (String(s.values['machine.a']) === 'x1.01') return refused('too much');
      return outcome(0, s.values['machine.b'] === 'x0.99' ? { blocked: 1 } : {});
    });
    expect(elasticity.map((e) => e.elasticity)).toEqual([null, null]);
    expect(warnings.map((w) => `${w.code} ${w.message}`)).toEqual([
      'WHAT019 the elasticity of machine.a is unknown: with 1 % more the run fails: MODEL029 too much',
      'WHAT019 the elasticity of machine.b is unknown: with 1 % less the program deadlocks',
    ]);
  });
});
