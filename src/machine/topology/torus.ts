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

/** One hop of a route through a torus. */
export interface TorusHop {
  /** The node that the hop leaves. */
  readonly from: number;
  /** Number of the cable: k × nodes + n for that of node n along the k-th dimension, counting only those of size above 1. */
  readonly cable: number;
  /** True to the next node, false to the one before: such a hop uses the cable of the node at which it arrives. */
  readonly up: boolean;
}

/**
 * Hops of a message through a torus by dimension-order routing: all hops along the first dimension, then along the
 * second, and so on. In each ring it takes the shorter direction. If both are equally long, it goes up, except from the
 * middle of a ring to position 0, which is SimGrid 3.32's choice. The number of hops is the Manhattan distance on the
 * torus. O(hops).
 *
 * Source: Dally & Seitz, Deadlock-free message routing in multiprocessor interconnection networks, 1987.
 */
export function torusHops(sizes: readonly number[], from: number, to: number): TorusHop[] {
  const hops: TorusHop[] = [];
  const nodes = product(sizes);
  let at = from;
  let stride = 1;
  let rank = 0;
  for (const size of sizes) {
    if (size === 1) continue;
    const goal = Math.floor(to / stride) % size;
    const start = Math.floor(at / stride) % size;
    const ahead = (goal - start + size) % size;
    const up = 2 * ahead < size || (2 * ahead === size && goal !== 0);
    for (let left = up ? ahead : size - ahead; left > 0; left--) {
      const here = Math.floor(at / stride) % size;
      const next = at + ((here + (up ? 1 : size - 1)) % size) * stride - here * stride;
      hops.push({ from: at, cable: rank * nodes + (up ? at : next), up });
      at = next;
    }
    stride *= size;
    rank++;
  }
  return hops;
}

/**
 * Links of {@link torusHops}: link 2 × cable is its upward direction, to the next node, and the link after that its
 * downward direction.
 */
export function torusRoute(sizes: readonly number[], from: number, to: number): number[] {
  return torusHops(sizes, from, to).map(({ cable, up }) => 2 * cable + (up ? 0 : 1));
}
