import type { Collective } from '../../trace/collective.ts';
import type { Nodes, NodesSeen } from './nodes.ts';

/** The list of steps of one rank, which algorithms append to; assigns request numbers. */
export class Steps {
  readonly rank: number;
  readonly size: number;
  readonly list: PointToPoint[] = [];
  /**
   * Appends the steps of a collective that an algorithm calls (an allreduce may be a reduce and a bcast), by the
   * algorithm that is chosen for it. The flops of the inner call are ignored.
   */
  readonly call: (collective: Collective) => void;
  /** Nodes of the ranks; without them, each rank counts as a node. */
  readonly seen: NodesSeen;
  /** By rank: 1 after the set-up of its communicators of nodes, which is absent if nothing is set up. */
  readonly ready: Uint8Array | undefined;
  readonly #call: (steps: Steps, collective: Collective) => void;
  #posted = 0;
  /** Requests to wait for, in posting order. */
  #open: number[] = [];
  /** Numbers of requests that were waited for singly; they are used again. */
  readonly #free: number[] = [];

  constructor(
    rank: number,
    size: number,
    call: (steps: Steps, collective: Collective) => void = noInnerCalls,
    seen?: NodesSeen,
    ready?: Uint8Array,
  ) {
    this.rank = rank;
    this.size = size;
    this.#call = call;
    this.call = (collective) => call(this, collective);
    this.seen = seen;
    this.ready = ready;
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

  /** Posts a send; returns its request number. */
  isend(peer: number, tag: number, bytes: number): number {
    const request = this.#request();
    this.list.push({ op: 'isend', peer, tag, bytes, request });
    return request;
  }

  /** Posts a receive; returns its request number. */
  irecv(peer: number, tag: number, bytes: number): number {
    const request = this.#request();
    this.list.push({ op: 'irecv', peer, tag, bytes, request });
    return request;
  }

  /** Waits for one request. Later posts use its number again, so that a long pipeline needs few requests. */
  wait(request: number): void {
    this.#open.splice(this.#open.indexOf(request), 1);
    this.#free.push(request);
    this.list.push({ op: 'wait', request });
  }

  /** Waits for every open request, in posting order. */
  waitAll(): void {
    const group = this.#open.length > 1;
    for (const request of this.#open) this.list.push({ op: 'wait', request, ...(group ? { group } : {}) });
    this.#open = [];
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

  /** The nodes of the ranks; undefined if each rank counts as one, as among the ranks of one node. */
  get nodes(): Nodes | undefined {
    return typeof this.seen === 'object' ? this.seen : undefined;
  }

  /**
   * Appends the steps of a collective among some ranks, whose ranks are places in the list. Nothing for other ranks and for a single one. No request is
   * open meanwhile, so that request numbers are free.
   */
  among(ranks: readonly number[], run: (steps: Steps) => void): void {
    const place = ranks.indexOf(this.rank);
    if (place < 0 || ranks.length === 1) return;
    const inner = new Steps(place, ranks.length, (steps, collective) => this.#call(steps, collective), 'inside');
    run(inner);
    this.take(inner.list.map((step) => ('peer' in step ? { ...step, peer: ranks[step.peer]! } : step)));
  }

  /** Appends steps of an inner collective, whose peers are ranks of this one. */
  protected take(steps: readonly PointToPoint[]): void {
    this.list.push(...steps);
  }

  /** Appends a computation, if it is not empty. */
  compute(flops: number): void {
    if (flops > 0) this.list.push({ op: 'compute', flops });
  }

  #request(): number {
    const request = this.#free.pop() ?? this.#posted++;
    this.#open.push(request);
    return request;
  }
}

function noInnerCalls(): never {
  throw new Error('this algorithm needs Steps with inner calls');
}

/** The call of a collective of kind K. */
export type Call<K extends Collective['kind']> = Collective & { readonly kind: K };

/** Appends the steps of `steps.rank` in a collective of kind K, without flops. */
export type Algorithm<K extends Collective['kind']> = (steps: Steps, collective: Call<K>) => void;

/** The algorithm of each kind of collective. */
export type Selector = { readonly [K in Collective['kind']]: Algorithm<K> };

/**
 * One step of one rank of an expanded collective, in execution order.
 *
 * `bytes` is the message size (without envelope) of a send, and the buffer size of a receive; the sender's value
 * counts. Waits with `group` follow one another and wait for all open requests, in whatever order these complete. Request
 * numbers are local to one expansion, from 0; a number is used again only after its wait. Tags are
 * negative (see {@link collectiveTag}), so no message of the program matches one of a collective; a receive of the
 * program with any tag must match only tags from 0. Messages with the same (source, destination, tag) match in posting
 * order.
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
  | { readonly op: 'wait'; readonly request: number; readonly group?: boolean }
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
  allreduce: -14,
} as const;
