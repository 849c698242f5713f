import { cablesOf, type FatTreeShape, nodesOfLevel } from './description/fat-tree-shape.ts';
import { type Machine, nodeCount, type Transport } from './machine.ts';
import type { Host, Link } from './platform.ts';

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

/** Number of cables of a torus: one per node and dimension, to the next node; none in dimensions of size 1. */
export function cableCount(sizes: readonly number[]): number {
  const nodes = sizes.reduce((a, b) => a * b, 1);
  return nodes * sizes.filter((size) => size > 1).length;
}

/**
 * Route of a message through a torus by dimension-order routing: all hops along the first dimension, then along the
 * second, and so on. In each ring it takes the shorter direction, upward if both are equally long. The number of hops
 * is the Manhattan distance on the torus. O(hops).
 *
 * The cable of node n along the k-th dimension (counting only those of size above 1) is number k × nodes + n. Its
 * upward direction, to the next node, is link 2 × number; its downward direction is the link after that.
 *
 * Source: Dally & Seitz, Deadlock-free message routing in multiprocessor interconnection networks, 1987.
 */
export function torusRoute(sizes: readonly number[], from: number, to: number): number[] {
  const links: number[] = [];
  const nodes = sizes.reduce((a, b) => a * b, 1);
  let at = from;
  let stride = 1;
  let rank = 0;
  for (const size of sizes) {
    if (size === 1) continue;
    const goal = Math.floor(to / stride) % size;
    const start = Math.floor(at / stride) % size;
    const ahead = (goal - start + size) % size;
    const up = 2 * ahead <= size;
    for (let left = up ? ahead : size - ahead; left > 0; left--) {
      const here = Math.floor(at / stride) % size;
      const next = at + ((here + (up ? 1 : size - 1)) % size) * stride - here * stride;
      // A downward hop uses the cable of the node at which it arrives.
      links.push(2 * (rank * nodes + (up ? at : next)) + (up ? 0 : 1));
      at = next;
    }
    stride *= size;
    rank++;
  }
  return links;
}
