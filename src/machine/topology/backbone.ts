import type { Transport } from '../platform.ts';
import { nodeCables, type Topology, type TransportOptions, transportMembers } from './topology.ts';

/** One switch with an internal link, which all messages cross between the two cables. */
export const backbone: Topology<Transport, Transport, TransportOptions> = {
  what: 'a backbone',
  members: transportMembers,
  equalCables: false,
  example: (_, link) => link,
  linkCount: (_, nodes) => 2 * nodes + 1,
  *links({ latency, bandwidth }, nodes) {
    yield* nodeCables(nodes);
    yield { name: 'backbone', latency, bandwidth, fatpipe: false };
  },
  route:
    (_, { length }) =>
    (from, to) => [2 * from, 2 * length, 2 * to + 1],
};
