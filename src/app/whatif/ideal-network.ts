import type { Machine, Transport } from '../../machine/machine.ts';

/** No latency, and the largest bandwidth that a machine may have (byte/s). */
const FREE: Transport = { latency: 0, bandwidth: 1e100 };

/** The machine whose network costs nothing, between its nodes and within them; its protocol stays. */
export function idealNetwork(machine: Machine): Machine {
  const { network } = machine;
  return {
    ...machine,
    nodes: machine.nodes.map((group) => ({ ...group, link: FREE, intraNode: FREE })),
    network: network.kind === 'backbone' ? { ...network, ...FREE } : network,
  };
}
