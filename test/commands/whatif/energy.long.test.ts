import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { compare } from '../../../src/commands/compare/compare.ts';
import { renderComparison } from '../../../src/commands/compare/comparison-view.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { readTarget } from '../../../src/commands/whatif/predictors/compared-figure.ts';
import { whatif } from '../../../src/commands/whatif/whatif.ts';
import { whatIfCsv } from '../../../src/commands/whatif/whatif-csv.ts';
import { renderWhatIf } from '../../../src/commands/whatif/whatif-view.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { changeMachine } from '../../../src/machine/description/machine-parameters.ts';
import { noise } from '../../../src/models/noise.ts';
import { spmd } from '../../../src/models/program/model.ts';

const POWER = { idle: 100, full: 200 };
const of = (power: { idle: number; busy?: number; full: number } | undefined, nodes = 3) =>
  cluster({
    ...{ nodes, coresPerNode: 2, speed: 1e9, link: { latency: 1e-4, bandwidth: 1e9 }, eagerBelow: 0 },
    ...(power === undefined ? {} : { power }),
  });
const machine = of(POWER);
/** One rank on one of two cores of node 0, for 2 s at 1 Gflop/s. */
const work = spmd({ name: 'w', params: { flops: 2e9 }, build: (m) => m.compute({ flops: m.p.flops }) });
/** Ranks that compute for different times, then exchange messages. */
const uneven = spmd({
  name: 'u',
  build(m) {
    m.compute({ flops: (s) => 1e8 * (s.rank + 1) });
    m.allreduce({ bytes: 1e6 });
  },
});

describe('studies that compare the energy', () => {
  test('it is the power of idle and busy cores times the run time', async () => {
    const { scenarios, options } = await whatif(work, {
      ...{ machine, ranks: 1, workers: 1 },
      vary: { 'machine.speed': ['x1', 'x2', 'x4'] },
      figures: ['energy'],
    });
    // Node 0 has one of two cores busy, the others none: 150 + 2 × 100 W, for 2, 1 and 0.5 s.
    expect(scenarios.map(({ figures }) => figures!['energy'])).toEqual(
      [700, 350, 175].map((value) => ({ value: expect.closeTo(value, 9), unit: 'J' })),
    );
    expect(scenarios.map(({ difference }) => difference)).toEqual([
      undefined,
      expect.objectContaining({ value: expect.closeTo(-350, 9), unit: 'J', relative: expect.closeTo(-0.5, 9) }),
      expect.objectContaining({ value: expect.closeTo(-525, 9), unit: 'J', relative: expect.closeTo(-0.75, 9) }),
    ]);
    expect(options.figures).toBe('energy');
  });

  test('the scenario with least energy need not be the fastest, and the headline names it', async () => {
    const document = await whatif(uneven, {
      machine,
      ranks: 4,
      workers: 1,
      vary: { 'machine.nodes': [2, 3, 4] },
      figures: ['energy'],
    });
    const energies = document.scenarios.map(({ figures }) => figures!['energy']!.value);
    for (const [k, nodes] of [2, 3, 4].entries())
      expect(energies[k]).toBe(predict(uneven, { ranks: 4, machine: of(POWER, nodes) }).figures.energy!.value);
    expect(Math.min(...energies)).toBe(energies[0]);
    const text = renderWhatIf(document, { width: 100, colour: false, unicode: true });
    expect(text).toMatch(/^3 scenarios: energy [\d.]+ J to [\d.]+ J, least with machine.nodes 2\n/);
    expect(text).toMatch(/run time +energy, J +change of energy/);
    expect(whatIfCsv(document)).toMatch(/,energy \[J\],difference \[J\],relative difference,/);
  });

  test('targets without a unit are in SI units, and others are refused', () => {
    for (const name of ['runTime', 'energy'] as const) {
      for (const [text, value] of [
        ['60', 60],
        ['1e-3', 1e-3],
        ['.5', 0.5],
        ['2E2', 200],
      ] as const)
        expect(readTarget(text, name), text).toBe(value);
      for (const text of ['1.2.3', '', 'e3', '-1', '1e', '5 5', 'NaN'])
        expect(() => readTarget(text, name), text).toThrow(InputError);
    }
    expect(readTarget('2kJ', 'energy')).toBe(2000);
    expect(readTarget('1.5ms', 'runTime')).toBe(1.5e-3);
    expect(() => readTarget('2kJ', 'runTime')).toThrow(/UNIT002/);
    expect(() => readTarget('2s', 'energy')).toThrow(/UNIT002/);
  });

  test('a search meets a target in joules', async () => {
    const search = (target: number) =>
      whatif(work, {
        ...{ machine, ranks: 1, workers: 1 },
        vary: { 'machine.speed': ['1Gf', '2Gf', '4Gf'] },
        find: { axis: 'machine.speed', target },
        figures: ['energy'],
      });
    expect((await search(400)).found).toMatchObject([
      { met: true, value: '2Gf', energy: expect.closeTo(350, 9), runTime: expect.closeTo(1, 9), target: 400 },
    ]);
    const missed = await search(100);
    expect(missed.found).toMatchObject([{ met: false, decided: true, value: '4Gf', energy: expect.closeTo(175, 9) }]);
    const text = renderWhatIf(missed, { width: 120, colour: false, unicode: true });
    expect(text).toContain('no given value of machine.speed meets the target of 100 J; nearest is 4Gf, 175 J');
  });

  test('elasticities of the powers add up to 1: the energy is linear in them', async () => {
    const powers = ['machine.power.idle', 'machine.power.full'];
    const { elasticity } = await whatif(uneven, {
      machine,
      ranks: 4,
      workers: 1,
      elasticity: powers,
      figures: ['energy'],
    });
    expect(elasticity.map(({ parameter }) => parameter).sort()).toEqual([...powers].sort());
    // An omitted `busy` follows `idle`. Central differences of a linear function have an error of the third order.
    expect(elasticity.reduce((sum, one) => sum + one.elasticity!, 0)).toBeCloseTo(1, 4);
    const all = (figures: readonly string[]) =>
      whatif(uneven, { machine, ranks: 4, workers: 1, elasticity: ['all'], figures });
    const names = async (figures: readonly string[]) =>
      (await all(figures)).elasticity.map(({ parameter }) => parameter).filter((name) => name.includes('power'));
    expect((await names(['energy'])).sort()).toEqual(['busy', 'full', 'idle'].map((name) => `machine.power.${name}`));
    expect(await names(['runTime'])).toEqual([]);
  });

  test('with replications, differences of the energy are paired and have intervals', async () => {
    const noisy = cluster({
      ...{ nodes: 3, coresPerNode: 2, speed: 1e9, link: { latency: 0, bandwidth: 1e9 }, eagerBelow: 0 },
      ...{ power: POWER, noise: noise.lognormal(0.2) },
    });
    const { scenarios } = await whatif(uneven, {
      ...{ machine: noisy, ranks: 4, workers: 1 },
      vary: { 'machine.power.idle': ['x1', 'x2'] },
      replications: 8,
      figures: ['energy'],
    });
    const { difference, figures } = scenarios[1]!;
    expect(difference).toMatchObject({ unit: 'J', low: expect.any(Number), high: expect.any(Number) });
    expect(difference!.low!).toBeLessThan(difference!.high!);
    const gap = figures!['energy']!.value - scenarios[0]!.figures!['energy']!.value;
    expect(difference!.value).toBeCloseTo(gap, 6);
  });

  test('a scenario without a known power fails with the reason; the others go on', async () => {
    const document = await whatif(uneven, {
      machine: of(undefined),
      ranks: 4,
      workers: 1,
      vary: { placement: ['block'] },
      figures: ['energy'],
    });
    expect(document.scenarios[0]).toMatchObject({ status: 'failed', problems: [{ code: 'WHAT026' }] });
  });

  test('other figures of programs are refused', async () => {
    const study = (figures: readonly string[]) =>
      whatif(work, { machine, ranks: 1, workers: 1, vary: { 'model.flops': [1e6] }, figures });
    await expect(study(['enrgy'])).rejects.toThrow(
      'WHAT022 a program has no figure "enrgy" to compare. Did you mean "energy"? Known: runTime, energy.',
    );
    await expect(study(['energy', 'runTime'])).rejects.toThrow('WHAT022 expected one figure');
    expect((await study(['runTime'])).options.figures).toBeUndefined();
  });
});

test('a comparison has the energy of both predictions', () => {
  const on = (nodes: number): { input: string; document: PredictionDocument } => ({
    input: 'u',
    document: predict(uneven, { ranks: 4, machine: of(POWER, nodes) }),
  });
  const a = on(2);
  const b = on(3);
  const document = compare(a, b);
  const [x, y] = [a, b].map((one) => one.document.figures.energy!.value) as [number, number];
  expect(document.figures.find(({ name }) => name === 'energy')).toEqual({
    ...{ name: 'energy', unit: 'J', a: x, b: y, difference: y - x, relative: (y - x) / x },
  });
  expect(renderComparison(document, { width: 100, colour: false, unicode: true })).toMatch(
    /\nenergy +[\d.]+ J +[\d.]+ J +\+/,
  );
});

describe('powers as parameters of machines', () => {
  test('busy follows an equal idle, unless it is changed itself', () => {
    expect(changeMachine(machine, 'power.idle', 50).nodes[0]!.power).toEqual({ idle: 50, busy: 50, full: 200 });
    expect(changeMachine(of({ idle: 90, busy: 95, full: 99 }), 'power.idle', 'x0.5').nodes[0]!.power).toEqual({
      ...{ idle: 45, busy: 95, full: 99 },
    });
  });

  test('a machine without power has none', () => {
    expect(() => changeMachine(of(undefined), 'power.idle', 50)).toThrow('MACH030');
  });
});
