import * as fc from 'fast-check';
import { cluster } from '../machine/cluster.ts';
import type { Machine } from '../machine/machine.ts';
import { exampleNetwork, TOPOLOGY_NAMES } from '../machine/topology/topologies.ts';
import { checkMembers, integerOption } from './arbitrary-net.ts';

/** Options of {@link arbitraryMachine}. */
export interface ArbitraryMachineOptions {
  /** Maximum number of nodes, default 8. */
  readonly nodes?: number;
  /** Minimum number of cores of all nodes together, so that this number of ranks fits with one core each; default 1. */
  readonly cores?: number;
}

/**
 * Machines: nodes with one or more sockets and cores, connected by a network of any topology, with or without
 * memory and overheads. Shrinks to a single node with one core on a crossbar, or to the minimum number of cores.
 *
 * @throws InputError TEST002 for invalid options
 */
export function arbitraryMachine(options: ArbitraryMachineOptions = {}): fc.Arbitrary<Machine> {
  const part = 'arbitraryMachine';
  checkMembers(part, options, ['nodes', 'cores']);
  const maximum = integerOption(part, 'nodes', options.nodes ?? 8, 1, 4096);
  const cores = integerOption(part, 'cores', options.cores ?? 1, 1, 1 << 20);
  return fc
    .record({
      nodes: fc.nat({ max: maximum - 1 }),
      sockets: fc.nat({ max: 1 }),
      coresPerSocket: fc.nat({ max: 7 }),
      network: fc.nat({ max: TOPOLOGY_NAMES.length - 1 }),
      speed: fc.nat({ max: 9 }),
      latency: fc.nat({ max: 20 }),
      bandwidth: fc.nat({ max: 20 }),
      eager: fc.nat({ max: 3 }),
      memory: fc.nat({ max: 4 }),
      overhead: fc.nat({ max: 4 }),
    })
    .map((n) => {
      const nodes = 1 + n.nodes;
      const sockets = 1 + n.sockets;
      const min = Math.ceil(cores / (nodes * sockets));
      const coresPerNode = sockets * Math.max(min, 1 + n.coresPerSocket);
      const link = { latency: 1e-6 * (1 + n.latency), bandwidth: 1e9 * (1 + n.bandwidth) };
      return cluster({
        name: 'random',
        nodes,
        socketsPerNode: sockets,
        coresPerNode,
        speed: 1e9 * (1 + n.speed),
        link,
        eagerBelow: [65536, 0, 1024, 1 << 20][n.eager]!,
        network: exampleNetwork(TOPOLOGY_NAMES[n.network]!, nodes, link),
        ...(n.memory === 0 ? {} : { memory: 1e10 * n.memory }),
        ...(n.overhead === 0 ? {} : { overhead: { send: 1e-7 * n.overhead, receive: 1e-7 * n.overhead } }),
      });
    });
}
