import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cluster } from '../../src/machine/cluster.ts';
import { nodeCount } from '../../src/machine/machine.ts';
import { linksOf, machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import { exampleNetwork, TOPOLOGIES, TOPOLOGY_NAMES } from '../../src/machine/topology/topologies.ts';

const link = { latency: 1e-6, bandwidth: 1e9 };
const plain = { coresPerNode: 1, speed: 1e9, link, intraNode: { latency: 0, bandwidth: 5e9 }, eagerBelow: 0 };

describe.each(TOPOLOGY_NAMES)('the topology %s', (kind) => {
  it('has distinct links, as many as predicted, and a route between any two nodes', () => {
    for (let nodes = 1; nodes <= 9; nodes++) {
      const machine = cluster({ ...plain, nodes, network: exampleNetwork(kind, nodes, link) });
      const { links, route } = machinePlatform(machine);
      expect(links).toHaveLength(linksOf(machine));
      expect(new Set(links.map(({ name }) => name)).size).toBe(links.length);
      for (let from = 0; from < nodes; from++)
        for (let to = 0; to < nodes; to++) {
          const crossed = route(from, to).links;
          if (from === to) expect(crossed).toEqual([from]);
          else expect(crossed.length).toBeGreaterThan(0);
          // No message between nodes crosses a link within one, and none crosses a link twice.
          if (from !== to) expect(crossed.every((l) => l >= nodes && links[l] !== undefined)).toBe(true);
          expect(new Set(crossed).size).toBe(crossed.length);
        }
    }
  });

  it('has different links in groups unless all cables are equal', () => {
    const groups = [{ nodes: 2 }, { nodes: 2, link: { latency: 2e-6, bandwidth: 1e9 } }];
    const mixed = () => cluster({ ...plain, groups, network: exampleNetwork(kind, 4, link) });
    if (TOPOLOGIES[kind].equalCables) expect(mixed).toThrow(`MACH011 cluster.groups.1.link: all cables of a ${kind}`);
    else expect(nodeCount(mixed())).toBe(4);
  });

  it('is explained', () => {
    expect(readFileSync('docs/machine.md', 'utf8')).toMatch(new RegExp(`^\\| \`(\\{ kind: )?${kind}[\`,]`, 'm'));
  });
});

it('the examples have the topology, or are crossbars where there is none of this size', () => {
  for (const kind of TOPOLOGY_NAMES) expect(exampleNetwork(kind, 4, link)).toMatchObject({ kind });
});
