import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

/**
 * In round i a rank sends the part of rank + i to that rank and receives its own part from rank − i.
 *
 * P − 1 messages per rank. Source: SimGrid `reduce_scatter-mpich.cpp` (`mpich_pair`); Thakur, Rabenseifner, Gropp,
 * IJHPCA 19(1), 2005.
 */
export function reduceScatterPairwise(steps: Steps, parts: readonly number[]): void {
  const { rank, size } = steps;
  for (let i = 1; i < size; i++) {
    const to = (rank + i) % size;
    const from = (rank - i + size) % size;
    steps.sendrecv(to, parts[to]!, from, parts[rank]!, collectiveTag.reducescatter);
  }
}
