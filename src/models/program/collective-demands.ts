import type { CollectiveKind } from './statement.ts';

/** What all ranks must name alike in one call of a collective; undefined: nothing. */
export interface Demands {
  readonly root: number | undefined;
  /** The size, in words. */
  readonly size: string | undefined;
}

/** Bytes that a rank of a call says it sends to another rank of the group, and receives from it; undefined: nothing said. */
export interface Amounts {
  to(rank: number): number | undefined;
  from(rank: number): number | undefined;
  /** The only rank with which amounts are exchanged; undefined: all. */
  readonly only: number | undefined;
}

/**
 * What the sizes of `gatherv`, `scatterv` and `alltoallv` say of each pair of ranks: the bytes that one sends must be those
 * that the other receives (MPI 4.1, §6.5, §6.6, §6.8).
 *
 * @param own the rank within the group
 */
export function amountsOf(
  kind: CollectiveKind,
  args: Readonly<Record<string, unknown>>,
  own: number,
): Amounts | undefined {
  const {
    root = 0,
    counts,
    sendCounts,
    recvCounts,
  } = args as Readonly<Record<'counts' | 'sendCounts' | 'recvCounts', readonly number[]>> & { root?: number };
  const nothing = (): undefined => undefined;
  const ofRoot = (rank: number): number | undefined => (rank === root ? counts[own] : undefined);
  const only = own === root ? undefined : root;
  switch (kind) {
    case 'alltoallv':
      return { to: (rank) => sendCounts[rank], from: (rank) => recvCounts[rank], only: undefined };
    case 'gatherv':
      return { to: ofRoot, from: own === root ? (rank) => counts[rank] : nothing, only };
    case 'scatterv':
      return { to: own === root ? (rank) => counts[rank] : nothing, from: ofRoot, only };
    default:
      return undefined;
  }
}

/**
 * What MPI demands all ranks to name alike (MPI 4.1, chapter 6): the root where there is one; the size of each part, or
 * the list of all of them where every rank has it. Sizes of `gatherv`, `scatterv` and `alltoallv` differ by rank: see
 * {@link amountsOf}.
 */
export function demandsOf(kind: CollectiveKind, args: Readonly<Record<string, unknown>>): Demands {
  const { root = 0, bytes = 0, counts } = args as { root?: number; bytes?: number; counts?: readonly number[] };
  switch (kind) {
    case 'barrier':
    case 'alltoallv':
      return { root: undefined, size: undefined };
    case 'bcast':
    case 'reduce':
    case 'gather':
    case 'scatter':
      return { root, size: `${bytes} B` };
    case 'gatherv':
    case 'scatterv':
      return { root, size: undefined };
    case 'allreduce':
    case 'scan':
    case 'exscan':
    case 'allgather':
    case 'alltoall':
      return { root: undefined, size: `${bytes} B` };
    case 'allgatherv':
    case 'reducescatter':
      return { root: undefined, size: `counts ${counts!.join(', ')}` };
  }
}
