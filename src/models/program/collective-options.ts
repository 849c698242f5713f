import type { CollectiveKind } from './statement.ts';

/** Allowed options of each collective. */
export const COLLECTIVE_OPTIONS: Readonly<Record<CollectiveKind, readonly string[]>> = {
  barrier: [],
  bcast: ['bytes', 'root'],
  reduce: ['bytes', 'flops', 'root'],
  allreduce: ['bytes', 'flops'],
  scan: ['bytes', 'flops'],
  exscan: ['bytes', 'flops'],
  gather: ['bytes', 'root'],
  scatter: ['bytes', 'root'],
  allgather: ['bytes'],
  alltoall: ['bytes'],
  gatherv: ['counts', 'root'],
  scatterv: ['counts', 'root'],
  allgatherv: ['counts'],
  alltoallv: ['sendCounts', 'recvCounts'],
  reducescatter: ['counts', 'flops'],
};
