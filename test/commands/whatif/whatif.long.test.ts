import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { scenarioOptions } from '../../../src/commands/whatif/scenario-options.ts';
import { type WhatIfOptions, whatif } from '../../../src/commands/whatif/whatif.ts';
import { readMachineFile } from '../../../src/machine/description/machine-file.ts';
import { changeMachine } from '../../../src/machine/description/machine-parameters.ts';

const trace = 'examples/stencil/stencil-8.ti';
const [yaml, xml] = ['examples/stencil/cluster.yaml', 'examples/stencil/cluster.xml'];
const dir = mkdtempSync(join(tmpdir(), 'foretoken-whatif-'));
afterAll(() => rmSync(dir, { recursive: true }));
const small = join(dir, 'small.yaml');
writeFileSync(small, readFileSync(yaml, 'utf8').replace('nodes: 4', 'nodes: 1'));

describe('a trace in scenarios', () => {
  it('is predicted as in each scenario alone, for any number of threads', async () => {
    const options = {
      machine: yaml,
      vary: { placement: ['block', 'cyclic'], 'network-model': ['foretoken', 'simgrid-smpi'] },
    };
    const one = await whatif(trace, { ...options, workers: 1 });
    expect(await whatif(trace, { ...options, workers: 2 })).toEqual(one);
    const expected = ['block', 'cyclic'].flatMap((placement) =>
      ['foretoken', 'simgrid-smpi'].map(
        (networkModel) => predict(trace, { machine: yaml, placement, networkModel }).figures.runTime,
      ),
    );
    expect(one.scenarios.map((s) => s.figures?.['runTime'])).toEqual(expected);
    expect(one.inputs.map((i) => [i.role, i.path])).toEqual([
      ['trace', trace],
      ['machine', yaml],
    ]);
  });

  it('names unsuitable machines and predicts the others', async () => {
    const { scenarios, complete } = await whatif(trace, { vary: { machine: [yaml, small, 'missing.yaml', xml] } });
    expect(complete).toBe(true);
    expect(scenarios.map((s) => s.status)).toEqual(['done', 'failed', 'failed', 'done']);
    expect(scenarios.flatMap((s) => s.problems ?? []).map((p) => p.code)).toEqual(['MACH021', 'MACH001']);
  });

  it('loses the cost of its network with an ideal network', async () => {
    const { scenarios } = await whatif(trace, { machine: yaml, ideals: ['network'] });
    const [real, ideal] = scenarios;
    expect(ideal!.ideal).toBe('network');
    expect(ideal!.figures!['communicating']!.value).toBeLessThan(1e-20);
    expect(ideal!.figures!['runTime']!.value).toBeGreaterThanOrEqual(real!.figures!['computing']!.value);
    expect(ideal!.difference!.mean).toBeLessThan(0);
  });

  it('is cancelled during a scenario', async () => {
    const control = new AbortController();
    const long = join(dir, 'long.ti');
    const turns = '0 compute 1e6\n0 send 1 0 100000\n'.repeat(100_000);
    writeFileSync(
      long,
      `0 init\n1 init\n${turns}${turns.replaceAll('0 compute', '1 compute').replaceAll('0 send 1', '1 recv 0')}0 finalize\n1 finalize\n`,
    );
    setTimeout(() => control.abort(), 1500);
    const document = await whatif(long, {
      machine: yaml,
      // Enough scenarios for several times the time until the signal.
      vary: { 'machine.speed': Array.from({ length: 32 }, (_, k) => `x${k + 1}`) },
      signal: control.signal,
    });
    expect(document.complete).toBe(false);
    expect(document.scenarios.map((s) => s.status)).toContain('cancelled');
  });
});

describe('parameters of a machine', () => {
  const scenario = { index: 0, values: { 'machine.speed': 'x2', placement: 'cyclic' } };
  it('can be changed, for machine files and platforms', async () => {
    const machine = readMachineFile(yaml);
    const options = scenarioOptions(scenario, { machine: yaml }, 'trace');
    expect(options).toEqual({ placement: 'cyclic', machine: changeMachine(machine, 'speed', 'x2') });
    const vary = { 'machine.speed': ['x1', 'x2'], 'machine.link.latency': ['x1', 'x0'] };
    for (const one of [yaml, xml]) {
      const { scenarios } = await whatif(trace, { machine: one, vary, ideals: ['network'], workers: 1 });
      const times = scenarios.map((s) => s.figures!['runTime']!.value);
      expect(times[0]).toBe(predict(trace, { machine: one }).figures.runTime.value);
      const [base, ideal, still, , twice] = times as [number, number, number, number, number];
      expect(ideal).toBeLessThan(still);
      expect(still).toBeLessThan(base);
      expect(twice).toBeLessThan(base);
    }
  });

  it('have elasticities, optionally all of them', async () => {
    const { elasticity } = await whatif(trace, { machine: xml, elasticity: ['all'], workers: 1 });
    expect(elasticity[0]!.parameter).toBe('machine.speed');
    expect(elasticity.map((e) => e.parameter).sort()).toEqual([
      'machine.link.bandwidth',
      'machine.link.latency',
      'machine.speed',
    ]);
    for (const { elasticity: value } of elasticity) expect(Math.abs(value!)).toBeLessThanOrEqual(1);
  });

  it.each([
    [{ machine: yaml }, { ...scenario, values: { 'machine.speed': true } }, 'WHAT009'],
    [{ machine: yaml }, { ...scenario, values: { placement: 5 } }, 'WHAT009'],
    [{ machine: yaml }, { ...scenario, values: { plaecment: 'x' } }, 'WHAT007'],
    [{ machine: yaml }, { ...scenario, values: { ranks: 5 } }, 'WHAT007'],
    [{ machine: yaml }, { index: 0, values: {}, ideal: 'balance' as const }, 'WHAT012'],
  ])('%j %j is rejected by %s', (options, at, code) => {
    expect(() => scenarioOptions(at, options, 'trace')).toThrow(code);
  });
});

describe('a wrong plan is rejected before any prediction', () => {
  const cases: [string, WhatIfOptions, string][] = [
    [trace, { machine: yaml, vary: { placment: ['block'] } }, 'Did you mean "placement"?'],
    [trace, { machine: yaml, vary: { ranks: [1, 2] } }, 'its number of ranks is recorded'],
    [trace, { machine: yaml, vary: { 'machine.link.latncy': ['x1'] } }, 'Did you mean "link.latency"?'],
    [trace, { machine: xml, vary: { 'machine.link.latncy': ['x1'] } }, 'axis machine.link.latncy'],
    [trace, { machine: yaml, elasticity: ['machine.sped'] }, 'Did you mean "speed"?'],
    [trace, { machine: yaml, elasticity: ['machine.nodes'] }, 'MACH008'],
    [trace, { vary: { machine: [yaml, xml] }, elasticity: ['all'] }, 'APP002'],
    [trace, { machine: yaml }, 'WHAT013'],
    [trace, { vary: { placement: ['block'] } }, 'APP002'],
    ['-', { machine: yaml, vary: { placement: ['block'] } }, 'WHAT014'],
    ['net.json', { machine: yaml, vary: { placement: ['block'] } }, 'APP004'],
    ['missing.ti', { machine: yaml, vary: { placement: ['block'] } }, 'APP001'],
    [trace, { machine: yaml, vary: { placement: ['block'] }, workers: 0 }, 'WHAT016'],
    [trace, { machine: yaml, vary: { placement: ['block', 'cyclic'] }, limit: 1 }, 'WHAT006 the grid has 2 scenarios'],
  ];
  it.each(cases)('the plan for %s with %j is refused: %s', async (input, options, message) => {
    await expect(whatif(input, options)).rejects.toThrow(message);
    await expect(whatif(input, options)).rejects.toBeInstanceOf(InputError);
  });
});
