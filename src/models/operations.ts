/** Kind of a rank's step: the `op` column of the operations table. */
export const OP = {
  compute: 0,
  sleep: 1,
  send: 2,
  isend: 3,
  recv: 4,
  irecv: 5,
  wait: 6,
  waitall: 7,
  test: 8,
  waitany: 9,
  end: 10,
  /** A receive of a one-sided transfer, posted by the rank that puts or gets; the row's rank is the receiver. */
  expose: 11,
  /** Waits for all one-sided transfers that arrive at the rank, and unlocks its window. */
  drain: 12,
  /** Waits for those of one rank to another, the requests of one number, and unlocks the window of the row's peer. */
  flush: 13,
  /** Waits until the window of the row's peer is not locked. */
  pass: 14,
  /** Waits for that, and locks it. */
  lock: 15,
} as const;

/** Names of the operations by number, for messages and reports. */
export const OP_NAMES: readonly string[] = Object.keys(OP);

/**
 * Table of the distinct operations of all ranks, in columns. A rank's token carries the row of its current operation;
 * everything else is looked up here. A row with `more` = 1 is followed by another row of the same action (an expanded
 * collective). The amount of a row is `size`; if that is negative, the amount at the rank's position.
 */
export interface Operations {
  readonly count: number;
  readonly op: Int32Array;
  readonly more: Int32Array;
  /** Flops of a compute, seconds of a sleep, bytes of a send; −1: given at the position. */
  readonly size: Float64Array;
  /** The sender for sends, the receiver for receives, otherwise the rank itself. */
  readonly rank: Int32Array;
  /** The receiver for sends; for receives the sender, or −1 for any source; otherwise 0. */
  readonly peer: Int32Array;
  /** Number of the (source, destination, tag) of a send or receive without wildcards; otherwise 0. */
  readonly channel: Int32Array;
  readonly channels: number;
  /** Number of the tag of a send or receive, −1 for any tag; otherwise 0. */
  readonly tag: Int32Array;
  readonly tags: number;
  /** 1 for sends to, and receives of, ranks that receive with wildcards: matched by scanning. */
  readonly wildcard: Int32Array;
  /** Number of the (source rank, destination rank) of a send; otherwise 0. */
  readonly pair: Int32Array;
  readonly pairs: { readonly from: Int32Array; readonly to: Int32Array };
  /** Number of the request of an isend, irecv, wait or test; of a waitany the lowest of those it takes; otherwise 0. */
  readonly request: Int32Array;
  readonly requests: number;
  /** {@link MODE} of a send or isend, otherwise 0; undefined if all sends are standard ones. */
  readonly mode?: Int32Array;
  /** 1 for an isend or irecv whose request a wait or test names; all others complete only in a waitall. */
  readonly named: Int32Array;
  /** True if some rank tests a request. */
  readonly tests: boolean;
  /** True if some rank waits for any of its requests. */
  readonly anyWaits?: boolean;
  /** The rank that takes the step of a row: not that of `rank` where it is the passive end of a one-sided transfer. Absent without those. */
  readonly by?: Int32Array;
}
