/** Cables of a torus: one per node and dimension, from the node to the next; none along a dimension of one node. */
export function cableCount(sizes: readonly number[]): number {
  const nodes = sizes.reduce((a, b) => a * b, 1);
  return nodes * sizes.filter((size) => size > 1).length;
}

/**
 * The way of a message through a torus by dimension-order routing: along the first dimension as far as it must, then
 * along the second, and so on; round each ring the shorter way, and upwards where both are equally long. As many hops as
 * the Manhattan distance on the torus. O(hops).
 *
 * The cable of node n along the k-th dimension of more than one node is number k × nodes + n; its upward direction, to
 * the next node, is link 2 × number, its downward one the link after that.
 *
 * Source: Dally & Seitz, Deadlock-free message routing in multiprocessor interconnection networks, 1987.
 */
export function torusRoute(sizes: readonly number[], from: number, to: number): number[] {
  const links: number[] = [];
  const nodes = sizes.reduce((a, b) => a * b, 1);
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
      // Downwards it is the cable of the node that the message comes to.
      links.push(2 * (rank * nodes + (up ? at : next)) + (up ? 0 : 1));
      at = next;
    }
    stride *= size;
    rank++;
  }
  return links;
}
