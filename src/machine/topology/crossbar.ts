import { nodeCables, type Topology } from './topology.ts';

/** One switch that is never a bottleneck: up the cable of the sender, down that of the receiver. */
export const crossbar: Topology<object> = {
  what: 'a crossbar',
  members: {},
  equalCables: false,
  example: () => ({}),
  linkCount: (_, nodes) => 2 * nodes,
  links: (_, nodes) => nodeCables(nodes),
  route: () => (from, to) => [2 * from, 2 * to + 1],
};
