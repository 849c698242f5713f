import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { machineParameters } from '../../../src/machine/description/machine-parameters.ts';
import { IDEAL_BANDWIDTH, idealNetwork } from '../../../src/machine/ideal-network.ts';
import { networkModel } from '../../../src/machine/network-model.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';
import { machinePlatform } from '../../../src/machine/topology/machine-platform.ts';
import type { NetworkOptions } from '../../../src/machine/topology/topologies.ts';
import { transferCost } from '../../../src/machine/transfer-cost.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-ideal-'));
afterAll(() => rmSync(folder, { recursive: true }));
const transport = { latency: '10us', bandwidth: '1GB/s' } as const;
const real = (network: NetworkOptions) =>
  cluster({
    ...{ nodes: 4, coresPerNode: 2, speed: '1Gf', memory: '10GB/s', link: transport, eagerBelow: '1kB', network },
    overhead: { send: '1us', receive: '1us', perByte: '1ns' },
    noise: 'exponential',
  });
const networks: NetworkOptions[] = [
  'crossbar',
  { kind: 'backbone', ...transport },
  { kind: 'torus', sizes: [2, 2] },
  { kind: 'fat-tree', down: [2, 2], up: [1, 2] },
];

describe('an ideal network', () => {
  it('has no latency, no overhead and unlimited bandwidth; the rest is unchanged', () => {
    const values = (machine: ReturnType<typeof real>) =>
      Object.fromEntries(machineParameters(machine).map(({ path, value }) => [path, value]));
    const machine = real({ kind: 'backbone', ...transport });
    const before = structuredClone(machine);
    const ideal = idealNetwork(machine);
    expect(machine).toEqual(before);
    expect(values(ideal)).toEqual({
      ...values(machine),
      ...{ 'link.latency': 0, 'intraNode.latency': 0, 'network.latency': 0 },
      ...{ 'link.bandwidth': 1e30, 'intraNode.bandwidth': 1e30, 'network.bandwidth': 1e30 },
      ...{ 'overhead.send': 0, 'overhead.receive': 0, 'overhead.perByte': 0 },
    });
    expect(ideal.noise).toEqual({ kind: 'exponential' });
    expect(idealNetwork(ideal)).toEqual(ideal);
  });

  it.each(networks)('%j: the run takes as long as its computing', (network) => {
    const trace = join(folder, 'trace.ti');
    const all = (line: (rank: number) => string): string => Array.from({ length: 8 }, (_, r) => line(r)).join('\n');
    const lines = [
      all((r) => `${r} init`),
      all((r) => `${r} compute ${1e8 * (r + 1)}`),
      all((r) => `${r} allreduce 1000000 0`),
      all((r) => `${r} alltoall 1000000 1000000`),
      '0 compute 5e8\n0 send 7 0 1000000000000\n7 recv 0 0 1000000000000',
      all((r) => `${r} finalize`),
    ];
    writeFileSync(trace, `${lines.join('\n')}\n`);
    const time = (machine: ReturnType<typeof real>): number => predict(trace, { machine }).figures.runTime.value;
    expect(Math.abs(time(idealNetwork(real(network))) - 1.3)).toBeLessThan(1e-14);
    expect(time(real(network))).toBeGreaterThan(100);
  });

  it('of a platform costs nothing under any network model', () => {
    const file = readSimgridPlatform('examples/stencil/cluster.xml');
    for (const platform of [file, machinePlatform(real('crossbar'))]) {
      const ideal = idealNetwork(platform);
      expect(ideal.hosts).toEqual(platform.hosts);
      expect(ideal.links.map((l) => l.name)).toEqual(platform.links.map((l) => l.name));
      expect(ideal.links.every((l) => l.latency === 0 && l.bandwidth === IDEAL_BANDWIDTH)).toBe(true);
      for (const name of ['simgrid-plain', 'simgrid-smpi'])
        expect(transferCost(ideal, networkModel(name), 0, 1)).toMatchObject({
          latency: 0,
          weight: 1,
          bound: Number.POSITIVE_INFINITY,
        });
    }
    expect(file.links.some((l) => l.latency > 0)).toBe(true);
  });
});
