import { describedAt, descriptionPlace } from '../described-at.ts';
import { type Machine, nodeCount } from '../machine.ts';
import { createPlatform, type Host, type Platform } from '../platform.ts';
import { FatTreeZone } from './fat-tree.ts';
import { machineLinks } from './machine-links.ts';
import { torusRoute } from './torus.ts';
import type { NetPoint } from './zone.ts';

/**
 * The platform of a machine: one host per node with all its cores, and the links of `machineLinks`. A message within a
 * node crosses only the node's `intra` link. A message between nodes crosses the sender's upward and the receiver's
 * downward cable (crossbar), with the backbone in between (backbone), or is routed by D-mod-k (fat tree) or dimension
 * by dimension (torus).
 */
export function machinePlatform(machine: Machine): Platform {
  const hosts: Host[] = [];
  for (const { name, count, speed, cores } of machine.nodes)
    for (let k = 0; k < count; k++) hosts.push({ name: `${name}${k}`, speed, cores });
  const links = machineLinks(machine, hosts);
  const between = routeBetween(machine);
  const route = (from: number, to: number): readonly number[] => (from === to ? [from] : between(from, to));
  const platform = createPlatform({ name: machine.name, hosts, links, route });
  const place = descriptionPlace(machine);
  return place === undefined ? platform : describedAt(platform, place);
}

/** Returns the routing function: the links from one node to another node. */
function routeBetween({ network, nodes }: Machine): (from: number, to: number) => readonly number[] {
  const count = nodeCount({ nodes });
  const up = (node: number): number => count + 2 * node;
  switch (network.kind) {
    case 'crossbar':
      return (from, to) => [up(from), up(to) + 1];
    case 'backbone':
      return (from, to) => [up(from), 3 * count, up(to) + 1];
    case 'torus':
      return (from, to) => torusRoute(network.sizes, from, to).map((link) => count + link);
    case 'fat-tree': {
      const links = { firstCable: count, perCable: 2, firstLoopback: -1, firstLimiter: -1 } as const;
      const zone = new FatTreeZone('fat-tree', undefined, 0, network, links, 0);
      const point = (at: number): NetPoint => ({ name: '', kind: 'host', zone, at, host: at });
      return (from, to) => zone.localRoute(point(from), point(to)).links;
    }
  }
}
