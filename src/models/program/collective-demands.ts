import type { CollectiveKind } from './statement.ts';

/** What all ranks must name alike in one call of a collective; undefined: nothing. */
export interface Demands {
  readonly root: number | undefined;
  /** The size, in words. */
  readonly size: string | undefined;
}

/**
 * What MPI demands all ranks to name alike (MPI 4.1, chapter 6): the root where there is one; the size of each part, or
 * the list of all of them where every rank has it. Sizes of `gatherv`, `scatterv` and `alltoallv` differ by rank.
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
