import { collectiveTag, type Steps } from './steps.ts';

/**
 * P − 1 rounds of one exchange each. If P is a power of two, the partner in round i is rank XOR i (SimGrid
 * `alltoall-pair.cpp`). For other P, where SimGrid aborts, Open MPI's pairwise exchange (to rank + i, from rank − i) is
 * used.
 *
 * P − 1 messages per rank, at most one in each direction at a time.
 */
export function alltoallPairwise(steps: Steps, sendBytes: number, recvBytes: number): void {
  const { rank, size } = steps;
  const powerOfTwo = (size & (size - 1)) === 0;
  for (let i = 1; i < size; i++) {
    const to = powerOfTwo ? rank ^ i : (rank + i) % size;
    const from = powerOfTwo ? to : (rank - i + size) % size;
    steps.sendrecv(to, sendBytes, from, recvBytes, collectiveTag.alltoall);
  }
}

/**
 * Bruck's all-to-all: in round k every rank sends all blocks whose remaining distance has bit k set to the rank at
 * distance 2^k. Fewer and larger messages, suited for short blocks. The local rotations before and after take no time.
 *
 * ⌈log₂ P⌉ messages per rank of about P/2 blocks each.
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997; SimGrid `alltoall-bruck.cpp`.
 */
export function alltoallBruck(steps: Steps, blockBytes: number): void {
  const { rank, size } = steps;
  for (let distance = 1; distance < size; distance *= 2) {
    let blocks = 0;
    for (let block = 1; block < size; block++) if ((block & distance) !== 0) blocks++;
    const bytes = blocks * blockBytes;
    steps.sendrecv((rank + distance) % size, bytes, (rank - distance + size) % size, bytes, collectiveTag.alltoall);
  }
}
