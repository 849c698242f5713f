/**
 * One step of one rank of an expanded collective, in execution order.
 *
 * `bytes` is the message size (without envelope) of a send, and the buffer size of a receive; the sender's value
 * counts. Request numbers are local to one expansion: 0, 1, 2 … in posting order. Tags are negative (see
 * {@link collectiveTag}), so no message of the program matches one of a collective; a receive of the program with any
 * tag must match only tags from 0. Messages with the same (source, destination, tag) match in posting order.
 */
export type PointToPoint =
  | { readonly op: 'send'; readonly peer: number; readonly tag: number; readonly bytes: number }
  | {
      readonly op: 'isend';
      readonly peer: number;
      readonly tag: number;
      readonly bytes: number;
      readonly request: number;
    }
  | { readonly op: 'recv'; readonly peer: number; readonly tag: number; readonly bytes: number }
  | {
      readonly op: 'irecv';
      readonly peer: number;
      readonly tag: number;
      readonly bytes: number;
      readonly request: number;
    }
  | { readonly op: 'wait'; readonly request: number }
  | { readonly op: 'compute'; readonly flops: number };

/**
 * Tags of the messages inside collectives. An allreduce is a reduce and a bcast and uses their tags; scan and exscan
 * share one tag, as do all alltoall algorithms. Consecutive collectives then match in order, as in SimGrid.
 */
export const collectiveTag = {
  barrier: -1,
  bcast: -2,
  reduce: -3,
  gather: -4,
  gatherv: -5,
  scatter: -6,
  scatterv: -7,
  allgather: -8,
  allgatherv: -9,
  alltoall: -10,
  alltoallv: -11,
  reducescatter: -12,
  scan: -13,
} as const;
