import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

/**
 * P-1 rounds of one exchange each. In round i the partner is rank XOR i where P is a power of two (SimGrid
 * `alltoall-pair.cpp`); SimGrid aborts for other P, where Open MPI's pairwise exchange (to rank+i, from rank-i) is taken.
 *
 * P-1 messages per rank, never more than one each way under way.
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
