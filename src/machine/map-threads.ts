import { didYouMean, fail, quote } from '../base/problem.ts';
import { DEFAULT_COSTS } from '../base/thread-costs.ts';
import type { ThreadMachine } from '../models/threads/net/ports.ts';
import type { MappedMachine } from './map-machine.ts';

/** The node that a thread program runs on. */
export interface ThreadNode {
  readonly name: string;
  readonly sockets: number;
  readonly machine: ThreadMachine;
}

/**
 * The first node of a machine, or the first one of a group, as seen by the threads of one process: its cores, the memory of
 * each of its sockets, and the costs of thread operations. A SimGrid platform gives speed and cores only.
 *
 * @throws InputError MACH030 for an unknown group
 */
export function mapThreads({ platform, description }: Omit<MappedMachine, 'model'>, group?: string): ThreadNode {
  if (description === undefined) {
    const { name, speed, cores } = platform.hosts[0]!;
    return { name, sockets: 1, machine: { speed, cores, costs: DEFAULT_COSTS } };
  }
  const { nodes, threads: costs = DEFAULT_COSTS } = description;
  const found = group === undefined ? nodes[0] : nodes.find(({ name }) => name === group);
  if (found === undefined) {
    const names = nodes.map(({ name }) => name);
    return fail('MACH030', `the machine has no group ${quote(group!)}.${didYouMean(group!, names)}`);
  }
  const { name, speed, cores, sockets, memory, memoryPerCore } = found;
  const links = Array.from({ length: sockets }, (_, s) => ({
    name: `${name}0.memory${sockets === 1 ? '' : s}`,
    capacity: (memory ?? 0) / sockets,
    fatpipe: false,
  }));
  const ofCore = Int32Array.from({ length: cores }, (_, core) => Math.floor((core * sockets) / cores));
  const perCore = memoryPerCore ?? Number.POSITIVE_INFINITY;
  return {
    name: `${name}0`,
    sockets,
    machine: {
      speed,
      cores,
      costs,
      numaNodes: sockets,
      ...(memory === undefined ? {} : { memory: { links, ofCore, perCore } }),
    },
  };
}
