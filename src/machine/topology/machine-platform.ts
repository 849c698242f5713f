import { describedAt, descriptionPlace } from '../described-at.ts';
import { type FactorsOverTime, type Machine, type MachineChange, nodeCount } from '../machine.ts';
import { createPlatform, type Host, type Link, type Platform, type Profile } from '../platform.ts';
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
  for (const change of machine.changes ?? []) applied(change, hosts, links);
  const platform = createPlatform({ name: machine.name, hosts, links, route });
  const place = descriptionPlace(machine);
  return place === undefined ? platform : describedAt(platform, place);
}

/** Gives a node or link its profiles; machines with changes are small enough to search by name. */
function applied(
  { of, speed, bandwidth, latency, every, fails, returns }: MachineChange,
  hosts: Host[],
  links: Link[],
): void {
  const over = (factors: FactorsOverTime, value: number): Profile => ({
    times: factors.map(({ at }) => at),
    values: factors.map(({ factor }) => factor * value),
    ...(every === undefined ? {} : { period: every }),
  });
  const state: { readonly state?: Profile } =
    fails === undefined
      ? {}
      : {
          state: returns === undefined ? { times: [fails], values: [0] } : { times: [fails, returns], values: [0, 1] },
        };
  const host = hosts.findIndex(({ name }) => name === of);
  if (host >= 0) {
    const profiles = { ...(speed === undefined ? {} : { speed: over(speed, 1) }), ...state };
    hosts[host] = { ...hosts[host]!, profiles };
    return;
  }
  const link = links.findIndex(({ name }) => name === of);
  const given = links[link]!;
  links[link] = {
    ...given,
    profiles: {
      ...(bandwidth === undefined ? {} : { bandwidth: over(bandwidth, given.bandwidth) }),
      ...(latency === undefined ? {} : { latency: over(latency, given.latency) }),
      ...state,
    },
  };
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
