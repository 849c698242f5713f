import { collectiveTag, type Steps } from './steps.ts';

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

/**
 * All ranks report to rank 0, which then releases them, with empty messages.
 *
 * Two messages per rank, 2 (P − 1) at rank 0. Source: SimGrid `barrier-ompi.cpp` (`ompi_basic_linear`).
 */
export function barrierLinear(steps: Steps): void {
  const { rank, size } = steps;
  if (rank > 0) {
    steps.send(0, collectiveTag.barrier, 0);
    steps.recv(0, collectiveTag.barrier, 0);
    return;
  }
  for (let source = 1; source < size; source++) steps.irecv(source, collectiveTag.barrier, 0);
  steps.waitAll();
  for (let target = 1; target < size; target++) steps.isend(target, collectiveTag.barrier, 0);
  steps.waitAll();
}

/**
 * All ranks send to the root, which posts all receives in rank order: gather, gatherv and the linear reduce.
 *
 * One message per rank, P − 1 at the root; the root's own part is not a message.
 * Source: SimGrid `smpi_nbc_impl.cpp` (`igather`, `igatherv`, `ireduce`).
 *
 * @param sendBytes bytes that this rank sends
 * @param recvBytes bytes that the root receives from a rank
 */
export function gatherLinear(
  steps: Steps,
  tag: number,
  root: number,
  sendBytes: number,
  recvBytes: (source: number) => number,
): void {
  const { rank, size } = steps;
  if (rank !== root) {
    steps.isend(root, tag, sendBytes);
  } else {
    for (let source = 0; source < size; source++) {
      if (source !== root) steps.irecv(source, tag, recvBytes(source));
    }
  }
  steps.waitAll();
}

/**
 * The root posts a send to every other rank in rank order and waits for all of them: scatter and scatterv.
 *
 * One message per rank, P − 1 at the root; the root's own part is not a message.
 * Source: SimGrid `smpi_nbc_impl.cpp` (`iscatter`, `iscatterv`).
 *
 * @param sendBytes bytes that the root sends to a rank
 * @param recvBytes bytes that this rank receives
 */
export function scatterLinear(
  steps: Steps,
  tag: number,
  root: number,
  sendBytes: (target: number) => number,
  recvBytes: number,
): void {
  const { rank, size } = steps;
  if (rank !== root) {
    steps.irecv(root, tag, recvBytes);
  } else {
    for (let target = 0; target < size; target++) {
      if (target !== root) steps.isend(target, tag, sendBytes(target));
    }
  }
  steps.waitAll();
}

/**
 * Prefix reduction (scan and exscan): a receive from every lower rank, and a send of the own part to every higher rank.
 *
 * P − 1 messages per rank, P (P − 1) / 2 in total. Source: SimGrid `smpi_nbc_impl.cpp` (`iscan`, `iexscan`).
 */
export function scanLinear(steps: Steps, bytes: number): void {
  const { rank, size } = steps;
  for (let source = 0; source < rank; source++) steps.irecv(source, collectiveTag.scan, bytes);
  for (let target = rank + 1; target < size; target++) steps.isend(target, collectiveTag.scan, bytes);
  steps.waitAll();
}
