import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

/**
 * Bruck's all-to-all: in round k every rank passes on, to the rank 2^k further, all blocks whose remaining distance has
 * bit k set. Fewer, larger messages: for short blocks. The local rotations before and after cost no time.
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
