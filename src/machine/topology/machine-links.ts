import { type Machine, nodeCount, type Transport } from '../machine.ts';
import type { Host, Link } from '../platform.ts';
import { cablesOf, type FatTreeShape, nodesOfLevel } from './fat-tree-shape.ts';
import { cableCount } from './torus.ts';

/**
 * The links of a machine in this order: `NODE.intra` of every node, then the links of the network. For a crossbar or
 * backbone the latter are `NODE.up` and `NODE.down` of every node (consecutive), then `backbone`; for a fat tree or
 * torus, `.up` and `.down` of every cable.
 */
export function machineLinks(machine: Machine, hosts: readonly Host[]): Link[] {
  const links: Link[] = [];
  let at = 0;
  for (const { count, intraNode } of machine.nodes)
    for (let k = 0; k < count; k++) links.push({ name: `${hosts[at++]!.name}.intra`, ...intraNode, fatpipe: true });
  const cable = (name: string, { latency, bandwidth }: Transport): void => {
    for (const direction of ['up', 'down'])
      links.push({ name: `${name}.${direction}`, latency, bandwidth, fatpipe: false });
  };
  const { network } = machine;
  const { link } = machine.nodes[0]!;
  switch (network.kind) {
    case 'crossbar':
    case 'backbone': {
      at = 0;
      for (const group of machine.nodes) for (let k = 0; k < group.count; k++) cable(hosts[at++]!.name, group.link);
      const { kind, ...inside } = network;
      if (kind === 'backbone') links.push({ name: kind, ...(inside as Transport), fatpipe: false });
      break;
    }
    case 'fat-tree':
      for (const name of treeCables(network, hosts)) cable(name, link);
      break;
    case 'torus':
      network.sizes.forEach((size, axis) => {
        if (size > 1) for (const { name } of hosts) cable(`${name}.${axis}`, link);
      });
      break;
  }
  return links;
}

/** Names of the cables of a fat tree: `LOWER-UPPER`, with a number appended from the second parallel cable on. */
function* treeCables(shape: FatTreeShape, hosts: readonly Host[]): Generator<string> {
  const n = hosts.length;
  const switchName = (id: number): string => `switch${2 * n - 1 - id}`;
  let left = n * shape.up[0]! * shape.cables[0]!;
  let before = '';
  let number = 0;
  for (const { lower, upper } of cablesOf(shape)) {
    const both = `${left-- > 0 ? hosts[lower]!.name : switchName(lower)}-${switchName(upper)}`;
    number = both === before ? number + 1 : 0;
    before = both;
    yield number === 0 ? both : `${both}.${number}`;
  }
}

/** Number of links of a machine, computed without creating them. */
export function linksOf(machine: Machine): number {
  const nodes = nodeCount(machine);
  const { network } = machine;
  switch (network.kind) {
    case 'crossbar':
      return 3 * nodes;
    case 'backbone':
      return 3 * nodes + 1;
    case 'torus':
      return nodes + 2 * cableCount(network.sizes);
    case 'fat-tree': {
      let links = nodes;
      for (const [level, up] of network.up.entries())
        links += 2 * nodesOfLevel(network, level) * up * network.cables[level]!;
      return links;
    }
  }
}
