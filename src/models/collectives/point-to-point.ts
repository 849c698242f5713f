/**
 * One step of one rank of an expanded collective, in the order in which the rank takes them.
 *
 * `bytes` of a send is what travels (without envelope); of a receive, what the receiver has room for: the sender
 * decides. Request numbers are local to one expansion: 0, 1, 2 … in posting order. Tags are negative (see
 * {@link collectiveTag}), so no message of the program itself meets one of a collective; a receive of the program with
 * any tag must match tags from 0 up only. Messages of one (source, destination, tag) match in the order of posting.
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
 * The tag of each kind of message inside collectives. An allreduce is a reduce and a bcast and uses their tags; scan
 * and exscan share one, as do all alltoall algorithms: consecutive collectives then match in order, as in SimGrid.
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
