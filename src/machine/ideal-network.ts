import type { Machine, Transport } from './machine.ts';
import { type Platform, withParts } from './platform.ts';
import { checkWritten, writtenMachine } from './written-machine.ts';

/**
 * The bandwidth of an ideal network, in byte/s. A net's links have finite capacities (NET015), so it is a number that
 * is as good as none: a byte takes 10⁻³⁰ s, 10¹⁵ of them 10⁻¹⁵ s; it leaves room for factors, within what quantities may be.
 */
export const IDEAL_BANDWIDTH = 1e30;

const IDEAL: Transport = { latency: 0, bandwidth: IDEAL_BANDWIDTH };

/**
 * The same machine or platform with a network that costs no time: all links, those within nodes among them, have latency
 * 0 and {@link IDEAL_BANDWIDTH}, and no rank or node spends time on messages (overhead and gap 0). Who waits for whom stays: a message
 * of `eagerBelow` bytes or more starts when the receive is posted, too. Memory and noise stay.
 * The run time on it, over that on the machine itself, is the transfer efficiency of Rosas, Giménez and Labarta
 * (Scalability prediction for fundamental performance factors, 2014).
 *
 * @complexity linear in the groups; of a platform, in its hosts and links
 */
export function idealNetwork(machine: Machine): Machine;
export function idealNetwork(platform: Platform): Platform;
export function idealNetwork(machine: Machine | Platform): Machine | Platform;
export function idealNetwork(machine: Machine | Platform): Machine | Platform {
  if ('route' in machine) return withParts(machine, { links: machine.links.map((link) => ({ ...link, ...IDEAL })) });
  const { groups, network, ...rest } = writtenMachine(machine);
  const ideal = {
    ...rest,
    groups: groups.map((group) => ({ ...group, link: IDEAL, intraNode: IDEAL })),
    network: network?.kind === 'backbone' ? { ...network, ...IDEAL } : network,
    overhead: { send: 0, receive: 0, perByte: 0 },
    gap: 0,
  };
  return checkWritten(ideal, machine.name, 'ideal network');
}
