/**
 * A collective operation as one rank calls it: its contribution in bytes, independent of the algorithm. Amounts of
 * operations with peers (`sendBytes` of a gather, `recvBytes` of an alltoall …) are per peer, as MPI counts them;
 * arrays have one entry per rank. `flops` of a reduction are executed by every rank after the communication.
 */
export type Collective =
  | { readonly kind: 'barrier' }
  | ({ readonly kind: 'bcast'; readonly bytes: number; readonly root: number } & Elements)
  | ({ readonly kind: 'reduce'; readonly bytes: number; readonly flops: number; readonly root: number } & Elements)
  | ({ readonly kind: 'allreduce'; readonly bytes: number; readonly flops: number } & Elements)
  | { readonly kind: 'scan' | 'exscan'; readonly bytes: number; readonly flops: number }
  | {
      readonly kind: 'gather' | 'scatter';
      readonly sendBytes: number;
      readonly recvBytes: number;
      readonly root: number;
    }
  | { readonly kind: 'allgather' | 'alltoall'; readonly sendBytes: number; readonly recvBytes: number }
  | {
      readonly kind: 'gatherv';
      readonly sendBytes: number;
      readonly recvBytes: readonly number[];
      readonly root: number;
    }
  | {
      readonly kind: 'scatterv';
      readonly sendBytes: readonly number[];
      readonly recvBytes: number;
      readonly root: number;
    }
  | ({ readonly kind: 'allgatherv'; readonly sendBytes: number; readonly recvBytes: readonly number[] } & Elements)
  | { readonly kind: 'alltoallv'; readonly sendBytes: readonly number[]; readonly recvBytes: readonly number[] }
  | ({ readonly kind: 'reducescatter'; readonly recvBytes: readonly number[]; readonly flops: number } & Elements);

/** Member of collectives whose messages are divided by elements, or whose algorithm depends on the number of elements. */
export interface Elements {
  /** Bytes per element. Default 1. */
  readonly elementBytes?: number;
}
