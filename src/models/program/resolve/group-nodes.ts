import { type CollectiveChoice, needsNodes } from '../../collectives/choice.ts';
import { type Nodes, nodesOf } from '../../collectives/nodes.ts';
import type { Communicator } from '../record/communicator.ts';

/** The nodes of the ranks of communicators, for algorithms of collectives that depend on them. */
export class GroupNodes {
  /** The host of each rank of the world; undefined: no algorithm depends on it. */
  readonly #hosts: ArrayLike<number> | undefined;
  /** By communicator and first rank of the world in the group. */
  readonly #known = new Map<string, Nodes>();

  /** @param hosts the host of each rank of the world; without them each rank counts as a node */
  constructor(choice: CollectiveChoice, hosts: ArrayLike<number> | undefined) {
    this.#hosts = needsNodes(choice) ? hosts : undefined;
  }

  /** The nodes of the group of a rank; equal objects for all ranks of a group. O(ranks of the group), once. */
  of(comm: Communicator, rank: number): Nodes | undefined {
    const hosts = this.#hosts;
    if (hosts === undefined) return undefined;
    const key = `${comm.number} ${comm.worldRank(rank, 0)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const size = comm.sizeOf(rank);
    const nodes = nodesOf(Int32Array.from({ length: size }, (_, k) => hosts[comm.worldRank(rank, k)!]!));
    this.#known.set(key, nodes);
    return nodes;
  }
}
