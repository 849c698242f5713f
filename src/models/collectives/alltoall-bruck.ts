import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

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
