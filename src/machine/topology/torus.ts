import { required } from '../../base/form.ts';
import { cable, levels, placesMisfit, product, type Topology } from './topology.ts';

/** A grid of nodes, closed to a ring in each dimension. */
export interface Torus {
  /** Nodes along each dimension; the first varies fastest. */
  readonly sizes: readonly number[];
}

/** The cable `NODE.DIMENSION` leads to the next node along this dimension. */
export const torus: Topology<Torus> = {
  what: 'a torus',
  members: { sizes: required(levels('Nodes along each dimension; the first varies fastest.')) },
  equalCables: true,
  misfit: ({ sizes }, nodes) => placesMisfit('sizes', sizes, nodes),
  example: (nodes) => ({ sizes: [nodes] }),
  linkCount: ({ sizes }) => 2 * cableCount(sizes),
  *links({ sizes }, nodes) {
    for (const [axis, size] of sizes.entries())
      if (size > 1) for (const { name, link } of nodes) yield* cable(`${name}.${axis}`, link);
  },
  route:
    ({ sizes }) =>
    (from, to) =>
      torusRoute(sizes, from, to),
};

/** Number of cables of a torus: one per node and dimension, to the next node; none in dimensions of size 1. */
export function cableCount(sizes: readonly number[]): number {
  const nodes = product(sizes);
  return nodes * sizes.filter((size) => size > 1).length;
}

/**
 * Route of a message through a torus by dimension-order routing: all hops along the first dimension, then along the
 * second, and so on. In each ring it takes the shorter direction, upward if both are equally long. The number of hops
 * is the Manhattan distance on the torus. O(hops).
 *
 * The cable of node n along the k-th dimension (counting only those of size above 1) is number k × nodes + n. Its
 * upward direction, to the next node, is link 2 × number; its downward direction is the link after that.
 *
 * Source: Dally & Seitz, Deadlock-free message routing in multiprocessor interconnection networks, 1987.
 */
export function torusRoute(sizes: readonly number[], from: number, to: number): number[] {
  const links: number[] = [];
  const nodes = product(sizes);
  let at = from;
  let stride = 1;
  let rank = 0;
  for (const size of sizes) {
    if (size === 1) continue;
    const goal = Math.floor(to / stride) % size;
    const start = Math.floor(at / stride) % size;
    const ahead = (goal - start + size) % size;
    const up = 2 * ahead <= size;
    for (let left = up ? ahead : size - ahead; left > 0; left--) {
      const here = Math.floor(at / stride) % size;
      const next = at + ((here + (up ? 1 : size - 1)) % size) * stride - here * stride;
      // A downward hop uses the cable of the node at which it arrives.
      links.push(2 * (rank * nodes + (up ? at : next)) + (up ? 0 : 1));
      at = next;
    }
    stride *= size;
    rank++;
  }
  return links;
}
