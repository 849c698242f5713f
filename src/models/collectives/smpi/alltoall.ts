import { alltoallBruck, alltoallPairwise } from '../alltoall.ts';
import { exchangeReceivesFirst, exchangeRotated } from '../linear.ts';
import { type Algorithm, collectiveTag, type Steps } from '../steps.ts';
import { exchangeTrees } from './recursive-doubling.ts';

type PerPeer = (peer: number) => number;

/** Number of simultaneously open exchanges of a throttled all-to-all (SimGrid: `MV2_ALLTOALL_THROTTLE_FACTOR`). */
const OPEN = 4;

/** Algorithms of an alltoall by SimGrid's names. */
export const alltoallAlgorithms = {
  basic_linear: (steps, c) =>
    exchangeRotated(
      steps,
      collectiveTag.alltoall,
      () => c.sendBytes,
      () => c.recvBytes,
    ),
  bruck: (steps, c) => alltoallBruck(steps, c.sendBytes),
  pair: (steps, c) => alltoallPairwise(steps, c.sendBytes, c.recvBytes),
  ring: (steps, c) =>
    distances(
      steps,
      collectiveTag.alltoall,
      () => c.sendBytes,
      () => c.recvBytes,
    ),
  // All data go to all ranks, as in an allgather of the whole send buffers. Source: SimGrid `alltoall-rdb.cpp`.
  rdb: (steps, c) =>
    exchangeTrees(steps, collectiveTag.alltoall, 0, (from, to) => (to - from) * c.sendBytes * steps.size),
  mvapich2_scatter_dest: (steps, c) => {
    if (c.recvBytes === 0) return;
    throttled(
      steps,
      collectiveTag.alltoall,
      () => c.sendBytes,
      () => c.recvBytes,
      true,
    );
  },
} satisfies Record<string, Algorithm<'alltoall'>>;

/** Algorithms of an alltoallv by SimGrid's names. */
export const alltoallvAlgorithms = {
  default: receivesFirst,
  ompi_basic_linear: receivesFirst,
  // SimGrid refuses `pair` on ranks that are not a power of two; a selector that takes it there gets the ring.
  pair: pairsOrDistances,
  ring: pairsOrDistances,
  bruck: (steps, c) =>
    throttled(
      steps,
      collectiveTag.alltoallv,
      (i) => c.sendBytes[i]!,
      (i) => c.recvBytes[i]!,
      false,
    ),
} satisfies Record<string, Algorithm<'alltoallv'>>;

function receivesFirst(
  steps: Steps,
  c: { readonly sendBytes: readonly number[]; readonly recvBytes: readonly number[] },
): void {
  exchangeReceivesFirst(
    steps,
    collectiveTag.alltoallv,
    (i) => c.sendBytes[i]!,
    (i) => c.recvBytes[i]!,
  );
}

/** Exchanges with the rank ⊕ i in round i, or at growing distances if the ranks are not a power of two. Source: SimGrid `alltoallv-ring.cpp`. */
function pairsOrDistances(
  steps: Steps,
  c: { readonly sendBytes: readonly number[]; readonly recvBytes: readonly number[] },
): void {
  const { rank, size } = steps;
  const [sendBytes, recvBytes] = [(i: number) => c.sendBytes[i]!, (i: number) => c.recvBytes[i]!];
  if ((size & (size - 1)) !== 0) {
    distances(steps, collectiveTag.alltoallv, sendBytes, recvBytes);
    return;
  }
  for (let i = 1; i < size; i++) {
    const peer = rank ^ i;
    steps.sendrecv(peer, sendBytes(peer), peer, recvBytes(peer), collectiveTag.alltoallv);
  }
}

/** In round i a rank sends to the rank i after it and receives from the rank i before it. Source: SimGrid `alltoall-ring.cpp`. */
function distances(steps: Steps, tag: number, sendBytes: PerPeer, recvBytes: PerPeer): void {
  const { rank, size } = steps;
  for (let i = 1; i < size; i++) {
    const [to, from] = [(rank + i) % size, (rank - i + size) % size];
    steps.sendrecv(to, sendBytes(to), from, recvBytes(from), tag);
  }
}

/**
 * Four exchanges at a time, at growing distances: receives from the ranks after it, sends to the ranks before it, and a
 * wait for all of them. SimGrid's alltoall sends a rank's own part through the network; its alltoallv copies it.
 *
 * Source: SimGrid `alltoall-mvapich-scatter-dest.cpp`, `alltoallv-bruck.cpp`.
 */
function throttled(steps: Steps, tag: number, sendBytes: PerPeer, recvBytes: PerPeer, withItself: boolean): void {
  const { rank, size } = steps;
  for (let first = 0; first < size; first += OPEN) {
    const end = Math.min(size, first + OPEN);
    for (let i = first; i < end; i++) {
      const from = (rank + i) % size;
      if (from !== rank || withItself) steps.irecv(from, tag, recvBytes(from));
    }
    for (let i = first; i < end; i++) {
      const to = (rank - i + size) % size;
      if (to !== rank || withItself) steps.isend(to, tag, sendBytes(to));
    }
    steps.waitAll();
  }
}
