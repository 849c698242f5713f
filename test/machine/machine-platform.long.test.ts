import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClusterOptions, cluster } from '../../src/machine/cluster.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { networkModel, ownModel } from '../../src/machine/network-model.ts';
import type { Platform } from '../../src/machine/platform.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { linksOf, machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import type { NetworkOptions } from '../../src/machine/topology/topologies.ts';
import { transferCost } from '../../src/machine/transfer-cost.ts';
import { effort } from '../effort.ts';
import { platformText, temporary } from './fixtures.ts';

const link = { latency: '10us', bandwidth: '1.25GB/s' } as const;
const intraNode = { latency: '1us', bandwidth: '5GB/s' } as const;
const plain = { coresPerNode: 4, speed: '1Gf', link, intraNode, eagerBelow: 0 } as const;
const machine = (nodes: number, network: NetworkOptions): Machine => cluster({ ...plain, nodes, network });

/** Names of the links from one host to another. */
function names(platform: Platform, from: number, to: number): string[] {
  return platform.route(from, to).links.map((l) => platform.links[l]!.name);
}

describe('routes of a machine', () => {
  it('of a crossbar: up and down', () => {
    const platform = machinePlatform(machine(3, 'crossbar'));
    expect(names(platform, 0, 2)).toEqual(['node0.up', 'node2.down']);
    expect(names(platform, 1, 1)).toEqual(['node1.intra']);
    expect(platform.route(0, 2).latency).toBe(20e-6);
    expect(platform.hosts[1]).toEqual({ name: 'node1', speed: 1e9, cores: 4 });
  });

  it('of a backbone: up, across and down', () => {
    const platform = machinePlatform(machine(3, { kind: 'backbone', latency: '5us', bandwidth: '2.5GB/s' }));
    expect(names(platform, 2, 0)).toEqual(['node2.up', 'backbone', 'node0.down']);
    expect(platform.links.at(-1)).toEqual({ name: 'backbone', latency: 5e-6, bandwidth: 2.5e9, fatpipe: false });
  });

  it('of a fat tree: over the switches', () => {
    const platform = machinePlatform(machine(4, { kind: 'fat-tree', down: [2, 2], up: [1, 2], cables: [1, 2] }));
    expect(names(platform, 0, 1)).toEqual(['node0-switch0.up', 'node1-switch0.down']);
    expect(names(platform, 0, 3)).toEqual([
      'node0-switch0.up',
      'switch0-switch3.1.up',
      'switch1-switch3.down',
      'node3-switch1.down',
    ]);
  });

  it('of a torus: from node to node', () => {
    const platform = machinePlatform(machine(12, { kind: 'torus', sizes: [4, 3] }));
    expect(names(platform, 0, 5)).toEqual(['node0.0.up', 'node1.1.up']);
    expect(names(platform, 3, 2)).toEqual(['node2.0.down']);
  });

  it('of a dragonfly: to the blade that leads to the group, across, to the node', () => {
    const shape = { groups: 2, chassis: 1, blades: 3, perBlade: 1, wires: [4, 2, 1] };
    const platform = machinePlatform(machine(6, { kind: 'dragonfly', ...shape }));
    expect(names(platform, 0, 5)).toEqual([
      'node0.up',
      'green_link_in_chassis_0_between_routers_0_and_1_6.up',
      'blue_link_between_group_0_and_1_routers_1_and_3_12.up',
      'green_link_in_chassis_0_between_routers_0_and_2_10.up',
      'node5.down',
    ]);
    const wide = platform.links.filter(({ name }) => name.startsWith('blue'));
    expect(wide.map(({ bandwidth }) => bandwidth / platform.links.at(-3)!.bandwidth)).toEqual([4, 4]);
  });

  it('have existing links with distinct names, as many as predicted', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });
    const some = fc.integer({ min: 1, max: 3 });
    const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);
    const any = fc.oneof(
      fc.tuple(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom<NetworkOptions>('crossbar', { kind: 'backbone', ...link }),
      ),
      sizes.map((list): [number, NetworkOptions] => [product(list), { kind: 'torus', sizes: list }]),
      fc.array(fc.tuple(some, some, some), { minLength: 1, maxLength: 3 }).map((levels): [number, NetworkOptions] => {
        const [down, up, cables] = [0, 1, 2].map((k) => levels.map((level) => level[k]!)) as [
          number[],
          number[],
          number[],
        ];
        return [product(down), { kind: 'fat-tree', down, up, cables }];
      }),
      fc
        .tuple(some, some, fc.integer({ min: 1, max: 4 }), some, fc.tuple(some, some, some))
        .map(([groups, chassis, more, perBlade, wires]): [number, NetworkOptions] => {
          const blades = groups - 1 + more;
          const nodes = groups * chassis * blades * perBlade;
          return [nodes, { kind: 'dragonfly', groups, chassis, blades, perBlade, wires }];
        }),
    );
    fc.assert(
      fc.property(any, ([nodes, network]) => {
        const described = machine(nodes, network);
        const platform = machinePlatform(described);
        expect(platform.links).toHaveLength(linksOf(described));
        expect(new Set(platform.links.map((l) => l.name)).size).toBe(platform.links.length);
        for (let from = 0; from < nodes; from++)
          for (let to = 0; to < nodes; to++) {
            const { links, latency } = platform.route(from, to);
            expect(links.every((l) => l >= 0 && l < platform.links.length)).toBe(true);
            expect(links.length > 0 && latency > 0).toBe(true);
            // The intra-node link is used only within a node.
            expect(links.some((l) => l < nodes)).toBe(from === to);
          }
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('costs agree with those of the equivalent SimGrid platform', () => {
  const common =
    'id="c" prefix="node" suffix="" speed="1Gf" core="4" bw="1.25GBps" lat="10us" sharing_policy="SPLITDUPLEX" loopback_bw="5GBps" loopback_lat="1us"';
  it.each<[string, NetworkOptions, string]>([
    ['crossbar', 'crossbar', `<cluster ${common} radical="0-15"/>`],
    [
      'backbone',
      { kind: 'backbone', latency: '5us', bandwidth: '2.5GB/s' },
      `<cluster ${common} radical="0-15" bb_bw="2.5GBps" bb_lat="5us"/>`,
    ],
    [
      'fat tree',
      { kind: 'fat-tree', down: [4, 4], up: [1, 2], cables: [1, 2] },
      `<cluster ${common} radical="0-15" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2"/>`,
    ],
    [
      'torus',
      { kind: 'torus', sizes: [4, 2, 2] },
      `<cluster ${common} radical="0-15" topology="TORUS" topo_parameters="4,2,2"/>`,
    ],
    [
      'dragonfly',
      { kind: 'dragonfly', groups: 2, chassis: 2, blades: 2, perBlade: 2, wires: [3, 2, 4] },
      `<cluster ${common} radical="0-15" topology="DRAGONFLY" topo_parameters="2,3;2,2;2,4;2"/>`,
    ],
  ])('a %s costs as much as the equivalent SimGrid platform', (_, network, xml) => {
    const own = machinePlatform(machine(16, network));
    const simgrid = readSimgridPlatform(temporary(platformText(xml)));
    expect(own.hosts).toEqual(simgrid.hosts);
    for (const model of ['simgrid-plain', 'simgrid-smpi'].map((name) => networkModel(name)))
      for (let from = 0; from < 16; from++)
        for (let to = 0; to < 16; to++) {
          const [a, b] = [own, simgrid].map((platform) => {
            const { links, ...cost } = transferCost(platform, model, from, to);
            return { ...cost, links: [...links].map((l) => ({ ...platform.links[l]!, name: '' })) };
          });
          expect(a).toEqual(b);
        }
  });
});

describe('network model foretoken', () => {
  it('adds nothing to bytes, latencies and bandwidths, and shares equally', () => {
    const model = networkModel('foretoken', { eagerBelow: 5, detachedBelow: 7 });
    expect(model).toEqual(ownModel({ eagerBelow: 5, detachedBelow: 7 }));
    expect(model).toMatchObject({ envelope: 0, eagerBelow: 5, detachedBelow: 7, crossTraffic: 0, testSleep: 0 });
    const cost = transferCost(machinePlatform(machine(2, 'crossbar')), model, 0, 1);
    expect(cost).toMatchObject({ latency: 20e-6, weight: 1, bound: Number.POSITIVE_INFINITY });
    expect([...cost.coefficients]).toEqual([1, 1]);
  });

  it('needs a machine file', () => {
    expect(() => networkModel('foretoken')).toThrow('PLAT030 network model foretoken takes its thresholds');
    expect(() => networkModel('fortoken')).toThrow('Did you mean "foretoken"?');
  });
});

it('a large machine has all its links', () => {
  const options: ClusterOptions = { ...plain, nodes: 2 ** 18, network: { kind: 'torus', sizes: [64, 64, 64] } };
  const platform = machinePlatform(cluster(options));
  expect(platform.links).toHaveLength(7 * 2 ** 18);
});
