import type { CollectiveKind } from '../record/statement.ts';

/** Arguments that must be equal on all ranks of a collective call; undefined: not restricted. */
export interface Demands {
  readonly root: number | undefined;
  readonly size: string | undefined;
}

/**
 * Bytes that a rank declares to send to each other rank of the group and to receive from it; undefined: not declared.
 */
export interface Amounts {
  to(rank: number): number | undefined;
  from(rank: number): number | undefined;
  /** The only rank with which amounts are exchanged; undefined: all ranks. */
  readonly only: number | undefined;
}

/**
 * Amounts per pair of ranks that a call of `gatherv`, `scatterv` or `alltoallv` declares: the bytes sent by one rank
 * must equal those received by the other (MPI 4.1, §6.5, §6.6, §6.8).
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
 * Arguments that MPI requires to be equal on all ranks (MPI 4.1, chapter 6): the root, if any, and the size per part,
 * or the list of sizes if every rank has it. For `gatherv`, `scatterv` and `alltoallv`, whose sizes differ by rank, see
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

/**
 * Bytes of the elements that a call names: those that the rank sends, to each other rank where that is one number; all
 * that it receives for a reducescatter; undefined for a barrier.
 *
 * @param own the rank within the group
 */
export function namedBytes(
  kind: CollectiveKind,
  args: Readonly<Record<string, unknown>>,
  own: number,
): number | undefined {
  const {
    root = 0,
    bytes,
    counts,
    sendCounts,
  } = args as {
    readonly root?: number;
    readonly bytes?: number;
    readonly counts?: readonly number[];
    readonly sendCounts?: readonly number[];
  };
  const sum = (parts: readonly number[] | undefined): number => (parts ?? []).reduce((a, b) => a + b, 0);
  switch (kind) {
    case 'barrier':
      return undefined;
    case 'alltoallv':
      return sum(sendCounts);
    case 'reducescatter':
      return sum(counts);
    case 'gatherv':
    case 'allgatherv':
      return counts?.[own];
    case 'scatterv':
      return own === root ? sum(counts) : counts?.[own];
    default:
      return bytes ?? 0;
  }
}
