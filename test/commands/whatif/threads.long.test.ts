import { describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { free, loop, node } from '../predict/threads/models.ts';

describe('what-if of a thread program', () => {
  const studied = { machine: free, seed: 'a' } as const;

  test('workers, schedulers and parameters as axes, with scaling laws over the workers', async () => {
    const { scenarios, scaling } = await whatif(loop, {
      ...studied,
      vary: { workers: [1, 2, 4], scheduler: ['central', 'os'], 'model.n': [64] },
    });
    expect(scenarios.map(({ status }) => status)).toEqual(new Array(6).fill('done'));
    const four = predict(loop, { machine: free, workers: 4, scheduler: 'central' });
    const found = scenarios.find(({ values }) => values['workers'] === 4 && values['scheduler'] === 'central')!;
    expect(found.figures!['runTime']).toEqual(four.figures.runTime);
    expect(found.figures!['workers']).toEqual({ value: 4, unit: '1' });
    expect(scaling.map(({ axis, values }) => [axis, values['scheduler']])).toEqual([
      ['workers', 'central'],
      ['workers', 'os'],
    ]);
    expect(scaling[0]!.points.map(({ ranks }) => ranks)).toEqual([1, 2, 4]);
    expect(scaling[0]!.points[1]!.speedUp).toBeGreaterThan(1.5);
  });

  test('costs of threads as axes and elasticities', async () => {
    const { scenarios, elasticity } = await whatif(loop, {
      machine: node,
      workers: 1,
      scheduler: 'central',
      vary: { 'machine.threads.spawn': ['50ns', 'x10', 0] },
      elasticity: ['all'],
    });
    const [base, more, none] = scenarios.map(({ figures }) => figures!['runTime']!.value);
    expect(more).toBeGreaterThan(base!);
    expect(none).toBeLessThan(base!);
    const of = Object.fromEntries(elasticity.map((e) => [e.parameter, e.elasticity]));
    expect(Object.keys(of)).toContain('machine.threads.fetch');
    expect(Object.keys(of)).not.toContain('machine.link.latency');
    expect(of['machine.speed']).toBeLessThan(-0.5);
    expect(of['machine.threads.atomic']).toBe(0);
  });

  test('the smallest number of workers that meets a target', async () => {
    const { found } = await whatif(loop, {
      ...studied,
      scheduler: 'central',
      vary: { workers: [1, 2, 3, 4, 5, 6, 7, 8] },
      find: { axis: 'workers', target: 1.2e-4 },
    });
    const time = (workers: number): number =>
      predict(loop, { machine: free, workers, scheduler: 'central' }).figures.runTime.value;
    expect(found[0]!.met).toBe(true);
    const value = found[0]!.value as number;
    expect(time(value)).toBeLessThanOrEqual(1.2e-4);
    expect(time(value - 1)).toBeGreaterThan(1.2e-4);
  });

  test('axes that a thread model does not have', async () => {
    await expect(whatif(loop, { ...studied, vary: { ranks: [1, 2] } as never })).rejects.toThrow(
      /WHAT007 .*has no axis "ranks": it has threads/,
    );
    await expect(whatif(loop, { ...studied, vary: { workers: [1] }, ideals: ['balance'] })).rejects.toThrow(/WHAT012/);
    const failed = await whatif(loop, { ...studied, vary: { workers: [1, 2_000_000] } });
    expect(failed.scenarios[1]).toMatchObject({ status: 'failed', problems: [{ code: 'THR010' }] });
  });
});
