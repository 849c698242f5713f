import {
  exchangeInterleaved,
  exchangeReceivesFirst,
  exchangeRotated,
  gatherLinear,
  scanLinear,
  scatterLinear,
} from './linear.ts';
import { type Selector, type Steps, collectiveTag as tag } from './steps.ts';

/**
 * Non-blocking collectives of SimGrid 3.32 (`smpi_nbc_impl.cpp`), whatever `smpi/coll-selector` and the sizes are: the call
 * posts all its sends and receives at once, and its wait waits for all of them. So an ibarrier releases a rank before all
 * others have arrived, an ibcast is linear, and an iallreduce sends everything to everybody: P − 1 messages per rank.
 */
export const simgridNonblocking: Selector = {
  barrier: barrierPosted,
  bcast: (steps, c) => scatterLinear(steps, tag.bcast, c.root, () => c.bytes, c.bytes),
  reduce: (steps, c) => gatherLinear(steps, tag.reduce, c.root, c.bytes, () => c.bytes),
  allreduce: (steps, c) =>
    exchangeInterleaved(
      steps,
      tag.reduce,
      () => c.bytes,
      () => c.bytes,
    ),
  scan: (steps, c) => scanLinear(steps, c.bytes),
  exscan: (steps, c) => scanLinear(steps, c.bytes),
  gather: (steps, c) => gatherLinear(steps, tag.gather, c.root, c.sendBytes, () => c.recvBytes),
  gatherv: (steps, c) => gatherLinear(steps, tag.gatherv, c.root, c.sendBytes, (i) => c.recvBytes[i]!),
  scatter: (steps, c) => scatterLinear(steps, tag.scatter, c.root, () => c.sendBytes, c.recvBytes),
  scatterv: (steps, c) => scatterLinear(steps, tag.scatterv, c.root, (i) => c.sendBytes[i]!, c.recvBytes),
  allgather: (steps, c) =>
    exchangeInterleaved(
      steps,
      tag.allgather,
      () => c.sendBytes,
      () => c.recvBytes,
    ),
  allgatherv: (steps, c) =>
    exchangeInterleaved(
      steps,
      tag.allgatherv,
      () => c.sendBytes,
      (i) => c.recvBytes[i]!,
    ),
  alltoall: (steps, c) =>
    exchangeRotated(
      steps,
      tag.alltoall,
      () => c.sendBytes,
      () => c.recvBytes,
    ),
  alltoallv: (steps, c) =>
    exchangeReceivesFirst(
      steps,
      tag.alltoallv,
      (i) => c.sendBytes[i]!,
      (i) => c.recvBytes[i]!,
    ),
  reducescatter: (steps, { recvBytes: parts }) =>
    exchangeInterleaved(
      steps,
      tag.reducescatter,
      (i) => parts[i]!,
      () => parts[steps.rank]!,
    ),
};

/** Empty messages from every rank to rank 0 and back, all posted at once: 2 per rank, 2 (P − 1) at rank 0. */
function barrierPosted(steps: Steps): void {
  const { rank, size } = steps;
  if (rank > 0) {
    steps.isend(0, tag.barrier, 0);
    steps.irecv(0, tag.barrier, 0);
  } else {
    for (let peer = 1; peer < size; peer++) {
      steps.irecv(peer, tag.barrier, 0);
      steps.isend(peer, tag.barrier, 0);
    }
  }
  steps.waitAll();
}
