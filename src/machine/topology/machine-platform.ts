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
  if (machine.changes !== undefined) applyChanges(machine.changes, hosts, links);
  const platform = createPlatform({ name: machine.name, hosts, links, route });
  const place = descriptionPlace(machine);
  return place === undefined ? platform : describedAt(platform, place);
}

/** Gives the nodes and links that change their profiles. O(hosts + links + changes). */
function applyChanges(changes: readonly MachineChange[], hosts: Host[], links: Link[]): void {
  const hostOf = new Map(hosts.map(({ name }, k) => [name, k]));
  const linkOf = new Map(links.map(({ name }, k) => [name, k]));
  for (const change of changes) {
    const host = hostOf.get(change.of);
    const link = linkOf.get(change.of)!;
    if (host === undefined) links[link] = changedLink(links[link]!, change);
    else hosts[host] = changedHost(hosts[host]!, change);
  }
}

function changedHost(host: Host, { speed, every, fails, returns }: MachineChange): Host {
  const ofSpeed = speed === undefined ? {} : { speed: over(speed, 1, every) };
  return { ...host, profiles: { ...ofSpeed, ...stateOver(fails, returns) } };
}

function changedLink(link: Link, { bandwidth, latency, every, fails, returns }: MachineChange): Link {
  return {
    ...link,
    profiles: {
      ...(bandwidth === undefined ? {} : { bandwidth: over(bandwidth, link.bandwidth, every) }),
      ...(latency === undefined ? {} : { latency: over(latency, link.latency, every) }),
      ...stateOver(fails, returns),
    },
  };
}

/** The profile of a value from factors on it. */
const over = (factors: FactorsOverTime, value: number, every: number | undefined): Profile => ({
  times: factors.map(({ at }) => at),
  values: factors.map(({ factor }) => factor * value),
  ...(every === undefined ? {} : { period: every }),
});

function stateOver(fails: number | undefined, returns: number | undefined): { readonly state?: Profile } {
  if (fails === undefined) return {};
  return {
    state: returns === undefined ? { times: [fails], values: [0] } : { times: [fails, returns], values: [0, 1] },
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
