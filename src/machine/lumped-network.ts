import type { LumpedNetwork } from '../models/lumping/routes.ts';
import type { MessagePassingMachine } from '../models/message-passing-parts.ts';
import type { MappedMachine } from './map-machine.ts';
import { unevenFatpipes } from './map-message-passing.ts';
import { changingPart } from './profile.ts';
import { slowsDown } from './shared-cores.ts';
import { transferCost } from './transfer-cost.ts';

/** The network of a machine, as the search for classes of ranks reads it. */
export function lumpedNetwork(machine: MappedMachine, placement: Int32Array): LumpedNetwork {
  const { platform, model } = machine;
  const star = starOf(machine);
  return {
    hostOf: placement,
    hosts: platform.hosts.length,
    links: platform.links,
    cost: (from, to) => transferCost(platform, model, from, to),
    ...(star === undefined ? {} : { star }),
  };
}

/** The links of a crossbar, as its topology numbers them behind those within the nodes; undefined for other networks. */
function starOf({ platform, model, description }: MappedMachine): LumpedNetwork['star'] {
  if (description?.network.kind !== 'crossbar' || model.crossTraffic > 0) return undefined;
  const { hosts, links } = platform;
  const first = hosts.length;
  const numbers = new Map<string, number>();
  const kindOf = Int32Array.from(hosts, (_, h) => {
    const [up, down] = [links[first + 2 * h]!, links[first + 2 * h + 1]!];
    const key = `${up.latency} ${up.bandwidth} ${down.latency} ${down.bandwidth}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  return { first, kindOf, kinds: numbers.size };
}

/**
 * Why ranks on this machine are not lumped; undefined if they may be.
 *
 * @param loads whether the program gives bytes of computations
 */
export function machineObstacle(
  { platform, model, description }: MappedMachine,
  placement: Int32Array,
  loads: boolean,
): string | undefined {
  const ranksOn = new Int32Array(platform.hosts.length);
  for (const host of placement) ranksOn[host]!++;
  const crowded = platform.hosts.find(({ cores }, h) => ranksOn[h]! > cores);
  if (crowded !== undefined) return `ranks share the cores of host ${crowded.name}`;
  const slowed = platform.hosts.find((host, h) => slowsDown(host, ranksOn[h]!));
  if (slowed !== undefined) return `ranks slow down the cores of host ${slowed.name} (turbo)`;
  const changing = changingPart(platform);
  if (changing !== undefined) return `${changing} changes over time`;
  const { sendCost, isendCost, receiveCost, solver, shares } = model;
  if (shares === 'in-order') return 'messages wait for links in the order of arrival';
  if (solver !== undefined) return 'the solver of the network is lazy';
  if (sendCost !== undefined || isendCost !== undefined || receiveCost !== undefined) return 'calls take time';
  if (platform.hosts.some(({ calls }) => calls !== undefined)) return 'calls take time';
  if (description === undefined) return undefined;
  const { noise, gap, overhead, nodes } = description;
  if (noise !== undefined) return 'the machine has noise';
  if (gap > 0) return 'the machine has a gap between messages';
  if (overhead.send > 0 || overhead.receive > 0 || overhead.perByte > 0) return 'messages take time of the cores';
  if (loads && nodes.some(({ memory }) => memory !== undefined)) return 'ranks share memories';
  return undefined;
}

/** Marks the fatpipes whose flows stop together, as the mapping of all ranks does. */
export function withLevels(machine: MessagePassingMachine): MessagePassingMachine {
  const { links, routes, weight } = machine;
  const uneven = unevenFatpipes((l) => links[l]!.fatpipe, { ...routes, weight });
  return { ...machine, links: links.map((link, l) => (uneven.has(l) ? { ...link, level: true } : link)) };
}
