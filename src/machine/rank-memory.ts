import type { RankMemory } from '../models/message-passing-parts.ts';
import type { ServiceLink } from '../net/net.ts';
import { type Machine, nodeCount } from './machine.ts';

/**
 * The memory of each rank. The ranks of a node occupy its cores in the order of their numbers, and thus one socket
 * after the other; if there are more ranks than cores, they start again from the first core. A rank uses the memory of
 * its socket, which has an equal part of the node's bandwidth. Memories are called `NODE.memory`, or `NODE.memory0`,
 * `NODE.memory1`, … if a node has several sockets. Only memories that some rank uses are listed, by node and socket.
 *
 * @param placement node of each rank
 * @returns undefined if the memory of no rank is known
 * @complexity linear in the ranks and nodes
 */
export function rankMemory(machine: Pick<Machine, 'nodes'>, placement: Int32Array): RankMemory | undefined {
  if (machine.nodes.every(({ memory }) => memory === undefined)) return undefined;
  const ranksOn = new Int32Array(nodeCount(machine));
  const order = placement.map((node) => ranksOn[node]!++);
  const ofRank = new Int32Array(placement.length).fill(-1);
  const perCore = new Float64Array(placement.length).fill(Number.POSITIVE_INFINITY);
  const links: ServiceLink[] = [];
  /** By node: its group, and the index of its first socket's memory. */
  const places = new Map<number, { readonly group: Machine['nodes'][number]; readonly first: number }>();
  let node = 0;
  for (const group of machine.nodes) {
    const { name, count, sockets, cores, memory } = group;
    for (let k = 0; k < count; k++, node++) {
      if (memory === undefined || ranksOn[node] === 0) continue;
      places.set(node, { group, first: links.length });
      const used = Math.min(sockets, Math.ceil((ranksOn[node]! * sockets) / cores));
      for (let s = 0; s < used; s++) {
        const socket = sockets === 1 ? '' : s;
        links.push({ name: `${name}${k}.memory${socket}`, capacity: memory / sockets, fatpipe: false });
      }
    }
  }
  placement.forEach((at, rank) => {
    const place = places.get(at);
    if (place === undefined) return;
    const { sockets, cores, memoryPerCore = Number.POSITIVE_INFINITY } = place.group;
    ofRank[rank] = place.first + Math.floor(((order[rank]! % cores) * sockets) / cores);
    perCore[rank] = memoryPerCore;
  });
  return links.length === 0 ? undefined : { links, ofRank, perCore };
}
