import type { PointToPoint } from './point-to-point.ts';

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
