import type { Steps } from './steps.ts';

/**
 * The three linear all-to-all exchanges post all receives and sends at once, followed by one wait for all of them: P −
 * 1 messages sent and received per rank. They differ in the order of posting, which determines which messages share a
 * link. `sendBytes` and `recvBytes` are per peer.
 */
type PerPeer = (peer: number) => number;

/** A send and a receive for every other rank, in rank order. Source: SimGrid `smpi_nbc_impl.cpp` (`iallgather(v)`). */
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
 * Receives from rank + 1, rank + 2 …, then sends to rank − 1, rank − 2 …, modulo P.
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
