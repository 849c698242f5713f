/** What one step of a rank does: the `op` column of the table of operations. */
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
  end: 9,
} as const;

/** The name of an operation by its number, for messages and reports. */
export const OP_NAMES: readonly string[] = Object.keys(OP);

/**
 * The distinct operations of a program's ranks, column by column: a rank's token carries the number of the operation it
 * is at, and everything else is looked up here. Consecutive rows with `more` = 1 belong to one action (an expanded
 * collective); a row's amount is `size`, or that of the rank's position where `size` is negative.
 */
export interface Operations {
  readonly count: number;
  readonly op: Int32Array;
  readonly more: Int32Array;
  /** Flops of a compute, seconds of a sleep, bytes of a send; −1: the amount stands at the position. */
  readonly size: Float64Array;
  /** Sends: the sender, receives: the receiver; otherwise the rank itself. */
  readonly rank: Int32Array;
  /** Sends: the receiver, receives: the sender or −1 for any source; otherwise 0. */
  readonly peer: Int32Array;
  /** Number of the (source, destination, tag) of a send or receive without wildcards; otherwise 0. */
  readonly channel: Int32Array;
  readonly channels: number;
  /** Number of the tag of a send or receive, −1 for any tag; otherwise 0. */
  readonly tag: Int32Array;
  readonly tags: number;
  /** 1 where a send goes to, or a receive is of, a rank that receives with wildcards: matched by scanning. */
  readonly loose: Int32Array;
  /** Number of the (source rank, destination rank) of a send; otherwise 0. */
  readonly pair: Int32Array;
  readonly pairs: { readonly from: Int32Array; readonly to: Int32Array };
  /** Number of the request of an isend, irecv, wait or test; otherwise 0. */
  readonly request: Int32Array;
  readonly requests: number;
  /** 1 where some wait or test names the request of an isend or irecv; others are only waited for all together. */
  readonly named: Int32Array;
  /** Whether some rank tests a request. */
  readonly tests: boolean;
}
