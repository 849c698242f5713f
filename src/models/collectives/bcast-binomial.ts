import { collectiveTag } from './point-to-point.ts';
import type { Steps } from './steps.ts';

/**
 * Broadcast down a binomial tree rooted at `root`: a rank receives from its parent, then sends to its children, the
 * largest subtree first, with blocking sends.
 *
 * ⌈log₂ P⌉ rounds; every other rank receives once, the root sends ⌈log₂ P⌉ times.
 * Source: SimGrid `bcast-binomial-tree.cpp` (after MPICH).
 */
export function bcastBinomial(steps: Steps, bytes: number, root: number): void {
  const { rank, size } = steps;
  const relative = (rank - root + size) % size;
  let mask = 1;
  while (mask < size && (relative & mask) === 0) mask *= 2;
  if (mask < size) steps.recv((rank - mask + size) % size, collectiveTag.bcast, bytes);
  for (mask /= 2; mask >= 1; mask /= 2) {
    if (relative + mask < size) steps.send((rank + mask) % size, collectiveTag.bcast, bytes);
  }
}
