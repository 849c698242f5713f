import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

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
