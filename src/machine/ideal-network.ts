import { assertMachine, checkWritten, writtenMachine } from './description/machine-parameters.ts';
import { mapLinks } from './link-list.ts';
import type { Machine, MachineChange } from './machine.ts';
import { type Host, type Platform, type Transport, type Turbo, withParts } from './platform.ts';
import { quantitiesOf } from './topology/topologies.ts';

/**
 * Bandwidth of an ideal network, in byte/s. Links of a net need finite capacities (NET015). At 10³⁰ byte/s even 10¹⁵
 * bytes take only 10⁻¹⁵ s, and factors can still be applied to it without leaving the range of quantities.
 */
export const IDEAL_BANDWIDTH = 1e30;

const IDEAL: Transport = { latency: 0, bandwidth: IDEAL_BANDWIDTH };

/**
 * The same machine or platform with a network that costs no time. All links, including those within nodes, have latency
 * 0 and {@link IDEAL_BANDWIDTH}; message overhead, call times of machines and gap are 0. Dependencies between ranks remain: a message of
 * `eagerBelow` bytes or more still starts only when the receive is posted. Memory and noise are unchanged.
 *
 * The run time on the ideal network divided by the run time on the machine itself is the transfer efficiency of Rosas,
 * Giménez and Labarta (Scalability prediction for fundamental performance factors, 2014).
 *
 * @complexity linear in the groups of a machine, or in the hosts and links of a platform
 */
export function idealNetwork(machine: Machine): Machine;
/** The same platform with a network that costs no time. */
export function idealNetwork(platform: Platform): Platform;
/** The same machine or platform with a network that costs no time. */
export function idealNetwork(machine: Machine | Platform): Machine | Platform;
export function idealNetwork(machine: Machine | Platform): Machine | Platform {
  assertMachine(machine);
  if ('route' in machine)
    return withParts(machine, {
      links: mapLinks(machine.links, ({ profiles: { state } = {}, ...link }) => ({
        ...link,
        ...IDEAL,
        ...(state === undefined ? {} : { profiles: { state } }),
      })),
    });
  const { network } = machine;
  const { groups, callTimes: _, changes = [], ...rest } = writtenMachine(machine);
  const idealMembers = Object.fromEntries(
    quantitiesOf(network.kind).flatMap(([name, dimension]) =>
      // A threshold is no cost.
      dimension === 'size' ? [] : [[name, dimension === 'time' ? 0 : IDEAL_BANDWIDTH]],
    ),
  );
  // Speeds change and parts fail on an ideal network, too.
  const kept = changes.flatMap(({ bandwidth: __, latency: ___, every, ...change }) => {
    if (change.speed === undefined) return change.fails === undefined ? [] : [change];
    return [{ ...change, ...(every === undefined ? {} : { every }) }];
  });
  const ideal = {
    ...rest,
    groups: groups.map((group) => ({ ...group, link: IDEAL, intraNode: IDEAL })),
    network: { ...network, ...idealMembers },
    overhead: { send: 0, receive: 0, perByte: 0 },
    gap: 0,
    ...(kept.length === 0 ? {} : { changes: kept }),
  };
  return checkWritten(ideal, machine.name, 'ideal network');
}

/** Speed of a core while all cores of its host compute, without changes over time. */
const speedOf = ({ speed, turbo }: Pick<Host, 'speed'> & { readonly turbo?: Turbo | readonly number[] }): number => {
  const factors = turbo === undefined ? [] : 'factors' in turbo ? turbo.factors : turbo;
  return speed * (factors.at(-1) ?? 1);
};

/**
 * The same machine or platform whose hosts are all as fast as the fastest one, without changes of speed over time; undefined if they are.
 *
 * @complexity linear in the groups of a machine, or in the hosts of a platform
 */
export function equallyFast(machine: Machine | Platform): Machine | Platform | undefined {
  if ('route' in machine) {
    const fastest = machine.hosts.reduce((a, b) => (speedOf(b) > speedOf(a) ? b : a));
    const { speed, turbo } = fastest;
    if (machine.hosts.every((host) => host.profiles?.speed === undefined && speedOf(host) === speedOf(fastest)))
      return undefined;
    return withParts(machine, {
      hosts: machine.hosts.map(({ turbo: _, profiles: { speed: __, ...profiles } = {}, ...host }) => ({
        ...host,
        speed,
        ...(turbo === undefined ? {} : { turbo }),
        profiles,
      })),
    });
  }
  const { changes = [], nodes, ...rest } = machine;
  const fastest = nodes.reduce((a, b) => (speedOf(b) > speedOf(a) ? b : a));
  const { speed, turbo } = fastest;
  const isChanged = changes.some((change) => change.speed !== undefined);
  if (!isChanged && nodes.every((group) => speedOf(group) === speedOf(fastest))) return undefined;
  // The period of a node is that of its speed.
  const kept = changes.flatMap(({ speed: factors, every, ...change }): MachineChange[] => {
    if (factors === undefined) return [{ ...change, ...(every === undefined ? {} : { every }) }];
    return change.fails === undefined ? [] : [change];
  });
  return {
    ...rest,
    nodes: nodes.map(({ turbo: _, ...group }) => ({ ...group, speed, ...(turbo === undefined ? {} : { turbo }) })),
    ...(kept.length === 0 ? {} : { changes: kept }),
  };
}
