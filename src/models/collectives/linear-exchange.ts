import type { Steps } from './steps.ts';

/**
 * The three linear exchanges of everybody with everybody: all receives and sends posted at once, then one wait for all.
 * P-1 messages sent and received per rank, none to oneself. They differ in the order of posting, which decides who
 * shares a link with whom. `sendBytes` and `recvBytes` are per peer.
 */
type PerPeer = (peer: number) => number;

/** For every other rank in rank order a send and a receive. Source: SimGrid `smpi_nbc_impl.cpp` (`iallgather(v)`). */
export function exchangeInterleaved(steps: Steps, tag: number, sendBytes: PerPeer, recvBytes: PerPeer): void {
  const { rank, size } = steps;
  for (let peer = 0; peer < size; peer++) {
    if (peer === rank) continue;
    steps.isend(peer, tag, sendBytes(peer));
    steps.irecv(peer, tag, recvBytes(peer));
  }
  steps.waitAll();
}

/** All receives in rank order, then all sends in rank order. Source: SimGrid `smpi_nbc_impl.cpp` (`ialltoallv`). */
export function exchangeReceivesFirst(steps: Steps, tag: number, sendBytes: PerPeer, recvBytes: PerPeer): void {
  const { rank, size } = steps;
  for (let peer = 0; peer < size; peer++) if (peer !== rank) steps.irecv(peer, tag, recvBytes(peer));
  for (let peer = 0; peer < size; peer++) if (peer !== rank) steps.isend(peer, tag, sendBytes(peer));
  steps.waitAll();
}

/**
 * Receives from rank+1, rank+2 … round the ring, then sends to rank-1, rank-2 ….
 * Source: SimGrid `alltoall-basic-linear.cpp`.
 */
export function exchangeRotated(steps: Steps, tag: number, sendBytes: PerPeer, recvBytes: PerPeer): void {
  const { rank, size } = steps;
  for (let i = 1; i < size; i++) {
    const peer = (rank + i) % size;
    steps.irecv(peer, tag, recvBytes(peer));
  }
  for (let i = 1; i < size; i++) {
    const peer = (rank - i + size) % size;
    steps.isend(peer, tag, sendBytes(peer));
  }
  steps.waitAll();
}
