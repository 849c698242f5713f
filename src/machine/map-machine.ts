import { didYouMean, fail, quote } from '../base/problem.ts';
import { DEFAULT_COSTS } from '../base/thread-costs.ts';
import type { MessageGap } from '../models/message-gap.ts';
import type { MessagePassingMachine, RankMemory } from '../models/message-passing-parts.ts';
import type { ThreadMachine } from '../models/threads/net/ports.ts';
import type { ServiceLink } from '../net/net.ts';
import { descriptionPlace } from './described-at.ts';
import { type Machine, nodeCount } from './machine.ts';
import { mapMessagePassing } from './map-message-passing.ts';
import type { NetworkModel } from './network-model.ts';
import type { Platform } from './platform.ts';
import { changes } from './profile.ts';
import { socketLinks } from './shared-cores.ts';

/** The target of a mapping: a platform, its network model and, for a foretoken machine, the description it was made from. */
export interface MappedMachine {
  readonly platform: Platform;
  readonly model: NetworkModel;
  readonly description?: Machine;
}

/**
 * Maps the ranks of a message-passing program onto a machine: the tables of {@link mapMessagePassing}, plus memory,
 * overhead, noise, storage and message gap from the description. Parts without cost, such as an overhead of 0 or an
 * unknown memory, are omitted so that the net does not model them. SimGrid platforms have none of these parts. O(ranks
 * + nodes + pairs × route length).
 *
 * @param placement host (node) of each rank
 * @param pairs the communicating pairs (sender, receiver)
 * @param threads threads of each rank. Default: one
 */
export function mapMachine(
  machine: MappedMachine,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
  threads?: Int32Array,
): MessagePassingMachine {
  const mapped = mapNetwork(machine, placement, pairs, threads);
  const { description } = machine;
  if (description === undefined) return mapped;
  const { overhead, noise, memoryAccess, storage, threads: threadCosts } = description;
  const memory = rankMemory(description, placement, threads);
  return {
    ...mapped,
    ...(memory === undefined ? {} : { memory, overlapped: memoryAccess === 'overlapped' }),
    ...(overhead.send > 0 || overhead.receive > 0 || overhead.perByte > 0 ? { overhead } : {}),
    ...(noise === undefined ? {} : { noise }),
    ...(storage === undefined ? {} : { storage }),
    ...(threadCosts === undefined ? {} : { threadCosts }),
  };
}

/** As {@link mapMachine}, restricted to computation and communication, the only activities recorded in a trace. @throws InputError MACH042 */
export function mapNetwork(
  { platform, model, description }: MappedMachine,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
  threads?: Int32Array,
): MessagePassingMachine {
  if (description?.network.kind === 'loggops')
    fail(
      'MACH042',
      'the network is loggops: only predict and whatif take it, without an ideal balance, and rerun of their results; give a network with links',
      { ...descriptionPlace(description), part: 'network' },
    );
  const mapped = mapMessagePassing(platform, model, placement, pairs, threads);
  const gap = messageGap(description?.gap ?? 0, placement, pairs);
  return gap === undefined ? mapped : { ...mapped, gap };
}

/**
 * Network interfaces that enforce a minimum gap between messages: one for each node that exchanges messages with
 * another node. Messages within a node cross no interface. O(pairs).
 *
 * @param seconds g of LogGP
 * @param placement node of each rank
 * @returns undefined if the gap is 0 or no pair communicates across nodes
 */
function messageGap(
  seconds: number,
  placement: Int32Array,
  pairs: { readonly from: Int32Array; readonly to: Int32Array },
): MessageGap | undefined {
  if (seconds === 0) return undefined;
  const interfaces = new Map<number, number>();
  const interfaceOf = (node: number): number => {
    const known = interfaces.get(node);
    if (known === undefined) interfaces.set(node, interfaces.size);
    return known ?? interfaces.size - 1;
  };
  const from = new Int32Array(pairs.from.length).fill(-1);
  const to = from.slice();
  for (let k = 0; k < from.length; k++) {
    const [source, destination] = [placement[pairs.from[k]!]!, placement[pairs.to[k]!]!];
    if (source === destination) continue;
    from[k] = interfaceOf(source);
    to[k] = interfaceOf(destination);
  }
  return interfaces.size === 0 ? undefined : { interfaces: interfaces.size, seconds, from, to };
}

/**
 * The memory of each rank. The ranks of a node occupy its cores in the order of their numbers, each as many as it has
 * threads, and thus one socket after the other; beyond the last core they start again from the first. A thread uses the
 * memory of its socket, which has an equal part of the node's bandwidth. Memories are called `NODE.memory`, or `NODE.memory0`,
 * `NODE.memory1`, … if a node has several sockets. Only memories that some thread uses are listed, by node and socket.
 *
 * @param placement node of each rank
 * @param threads threads of each rank. Default: one
 * @returns undefined if the memory of no rank is known
 * @complexity linear in the ranks and nodes
 */
export function rankMemory(
  machine: Pick<Machine, 'nodes'>,
  placement: Int32Array,
  threads: Int32Array = new Int32Array(placement.length).fill(1),
): RankMemory | undefined {
  if (machine.nodes.every(({ memory }) => memory === undefined)) return undefined;
  const usedOn = new Int32Array(nodeCount(machine));
  /** The first core of each rank. */
  const firstCore = placement.map((node, rank) => {
    const first = usedOn[node]!;
    usedOn[node]! += threads[rank]!;
    return first;
  });
  const ofRank = new Int32Array(placement.length).fill(-1);
  const perCore = new Float64Array(placement.length).fill(Number.POSITIVE_INFINITY);
  const links: ServiceLink[] = [];
  /** By node: its group, and the index of its first socket's memory. */
  const places = new Map<number, { readonly group: Machine['nodes'][number]; readonly first: number }>();
  let node = 0;
  for (const group of machine.nodes) {
    const { name, count, sockets, cores, memory } = group;
    for (let k = 0; k < count; k++, node++) {
      if (memory === undefined || usedOn[node] === 0) continue;
      places.set(node, { group, first: links.length });
      const used = Math.min(sockets, Math.ceil((usedOn[node]! * sockets) / cores));
      for (let s = 0; s < used; s++) {
        const socket = sockets === 1 ? '' : s;
        links.push({ name: `${name}${k}.memory${socket}`, capacity: memory / sockets, fatpipe: false });
      }
    }
  }
  const ofThread = (rank: number, thread: number): number => {
    const place = places.get(placement[rank]!);
    if (place === undefined) return -1;
    const { sockets, cores } = place.group;
    return place.first + Math.floor((((firstCore[rank]! + thread) % cores) * sockets) / cores);
  };
  placement.forEach((at, rank) => {
    const place = places.get(at);
    if (place === undefined) return;
    ofRank[rank] = ofThread(rank, 0);
    perCore[rank] = place.group.memoryPerCore ?? Number.POSITIVE_INFINITY;
  });
  return links.length === 0 ? undefined : { links, ofRank, ofThread, perCore };
}

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
  const changing = platform.hosts.find(changes);
  if (changing !== undefined)
    fail(
      'MACH043',
      `host ${quote(changing.name)} changes over time: a thread model takes hosts of constant speed. Predict a trace or a model of ranks, or give a machine without profiles`,
      descriptionPlace(platform),
    );
  if (description === undefined) {
    const { name, speed, cores } = platform.hosts[0]!;
    return { name, sockets: 1, machine: { speed, cores, costs: DEFAULT_COSTS } };
  }
  const { nodes, noise, threads: costs = DEFAULT_COSTS } = description;
  const found = group === undefined ? nodes[0] : nodes.find(({ name }) => name === group);
  if (found === undefined) {
    const names = nodes.map(({ name }) => name);
    return fail('MACH030', `the machine has no group ${quote(group!)}.${didYouMean(group!, names)}`);
  }
  const { name, cores, sockets, memory, memoryPerCore } = found;
  const { speed, turbo } = platform.hosts[platform.hostIndex(`${name}0`)!]!;
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
      ...(turbo === undefined
        ? {}
        : { turbo: { links: socketLinks({ name: `${name}0`, cores, speed: 1, turbo }), ofCore } }),
      ...(noise === undefined ? {} : { noise }),
      ...(memory === undefined ? {} : { memory: { links, ofCore, perCore } }),
    },
  };
}
