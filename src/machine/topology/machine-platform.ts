import { describedAt, descriptionPlace } from '../described-at.ts';
import { type Machine, nodeCount } from '../machine.ts';
import { createPlatform, type Host, type Link, type Platform } from '../platform.ts';
import { topologyOf } from './topologies.ts';
import type { Ends } from './topology.ts';

/**
 * The platform of a machine: one host per node with all its cores, and first the links `NODE.intra`, then those of the
 * topology. A message within a node crosses only the node's `intra` link, one between nodes the links of its route.
 */
export function machinePlatform(machine: Machine): Platform {
  const { network } = machine;
  const topology = topologyOf(network);
  const hosts: Host[] = [];
  const nodes: Ends[] = [];
  const links: Link[] = [];
  for (const { name: group, count, speed, turbo, power, sockets, cores, link, intraNode } of machine.nodes) {
    const alone = turbo === undefined ? { speed } : aloneSpeed(speed, sockets, turbo);
    for (let k = 0; k < count; k++) {
      const name = `${group}${k}`;
      hosts.push({ name, cores, ...alone, ...(power === undefined ? {} : { power }) });
      nodes.push({ name, link });
      links.push({ name: `${name}.intra`, ...intraNode, fatpipe: true });
    }
  }
  for (const link of topology.links(network, nodes)) links.push(link);
  const between = topology.route(network, nodes);
  const route = (from: number, to: number): readonly number[] =>
    from === to ? [from] : between(from, to).map((link) => nodes.length + link);
  const platform = createPlatform({ name: machine.name, hosts, links, route });
  const place = descriptionPlace(machine);
  return place === undefined ? platform : describedAt(platform, place);
}

/** The speed of the only busy core of a socket, and the factors on it if more are busy. */
function aloneSpeed(speed: number, sockets: number, turbo: readonly number[]): Pick<Host, 'speed' | 'turbo'> {
  const first = turbo[0]!;
  const factors = turbo.map((factor) => factor / first);
  return { speed: speed * first, ...(factors.every((factor) => factor === 1) ? {} : { turbo: { sockets, factors } }) };
}

/** Number of links of a machine, computed without creating them. */
export function linksOf({ nodes, network }: Pick<Machine, 'nodes' | 'network'>): number {
  const count = nodeCount({ nodes });
  return count + topologyOf(network).linkCount(network, count);
}
