import type { Collective } from '../../trace/collective.ts';

/** The list of steps of one rank, which algorithms append to; assigns request numbers. */
export class Steps {
  readonly rank: number;
  readonly size: number;
  readonly list: PointToPoint[] = [];
  #posted = 0;
  #waited = 0;

  constructor(rank: number, size: number) {
    this.rank = rank;
    this.size = size;
  }

  /**
   * A blocking send: returns when the message is sent (small) or has arrived (large), as the machine's protocol
   * defines.
   */
  send(peer: number, tag: number, bytes: number): void {
    this.list.push({ op: 'send', peer, tag, bytes });
  }

  recv(peer: number, tag: number, bytes: number): void {
    this.list.push({ op: 'recv', peer, tag, bytes });
  }

  isend(peer: number, tag: number, bytes: number): void {
    this.list.push({ op: 'isend', peer, tag, bytes, request: this.#posted++ });
  }

  irecv(peer: number, tag: number, bytes: number): void {
    this.list.push({ op: 'irecv', peer, tag, bytes, request: this.#posted++ });
  }

  /** Waits for every request posted since the last call, in posting order. */
  waitAll(): void {
    while (this.#waited < this.#posted) this.list.push({ op: 'wait', request: this.#waited++ });
  }

  /**
   * Simultaneous send and receive (SimGrid's `Request::sendrecv`): the send is posted first. With itself as both peers
   * a rank does nothing.
   */
  sendrecv(to: number, sendBytes: number, from: number, recvBytes: number, tag: number): void {
    if (to === this.rank && from === this.rank) return;
    this.isend(to, tag, sendBytes);
    this.irecv(from, tag, recvBytes);
    this.waitAll();
  }

  /** Appends a computation, if it is not empty. */
  compute(flops: number): void {
    if (flops > 0) this.list.push({ op: 'compute', flops });
  }
}

/** The algorithm of each kind of collective: appends the steps of `steps.rank`, without flops. */
export type Selector = {
  readonly [K in Collective['kind']]: (steps: Steps, collective: Collective & { readonly kind: K }) => void;
};

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
