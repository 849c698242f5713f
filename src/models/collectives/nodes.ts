/**
 * The nodes of the ranks of a communicator, as SMPI knows them: ranks on one host. Algorithms that have different steps inside a
 * node and between nodes read them.
 */
export interface Nodes {
  /** Ranks of each node in ascending order; the first one is its leader. Nodes ascend by their leaders. */
  readonly members: readonly (readonly number[])[];
  /** Number of the node of each rank. */
  readonly of: Int32Array;
  /** Number of ranks of every node, or undefined if nodes differ. */
  readonly each: number | undefined;
  /** True if the ranks of every node are consecutive. */
  readonly blocked: boolean;
}

/** The nodes of ranks on these hosts. O(ranks). */
export function nodesOf(hosts: ArrayLike<number>): Nodes {
  const numbers = new Map<number, number>();
  const members: number[][] = [];
  const of = new Int32Array(hosts.length);
  for (let rank = 0; rank < hosts.length; rank++) {
    const host = hosts[rank]!;
    const node = numbers.get(host) ?? members.push([]) - 1;
    numbers.set(host, node);
    members[node]!.push(rank);
    of[rank] = node;
  }
  const sizes = new Set(members.map(({ length }) => length));
  const blocked = members.every((ranks) => ranks.at(-1)! - ranks[0]! === ranks.length - 1);
  return { members, of, each: sizes.size === 1 ? members[0]!.length : undefined, blocked };
}

/** True if ranks share nodes in the same way. */
export function sameNodes(a: Nodes | undefined, b: Nodes | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.of.every((node, rank) => node === b.of[rank]));
}

/**
 * Knowledge of an algorithm about nodes: the nodes of the ranks; `inside` for a call among the ranks of one node or among leaders;
 * without either, each rank counts as a node.
 */
export type NodesSeen = Nodes | 'inside' | undefined;

/** True if the nodes are known, and some have several ranks. */
export const hasShared = (nodes: NodesSeen): nodes is Nodes => typeof nodes === 'object' && nodes.each !== 1;

/** Number of ranks of every node among P ranks; undefined if nodes differ. */
export function ranksPerNode(nodes: NodesSeen, size: number): number | undefined {
  if (nodes === 'inside') return size;
  return nodes === undefined ? 1 : nodes.each;
}
