import type { Steps } from './steps.ts';

/**
 * P − 1 rounds: every rank forwards to the next rank the part it received from the previous one. Afterwards every rank
 * has the parts of all ranks. P − 1 messages per rank.
 *
 * @param bytes size of the part of a rank
 */
export function ring(steps: Steps, tag: number, bytes: (rank: number) => number): void {
  const { rank, size } = steps;
  for (let round = 0; round < size - 1; round++) {
    const own = (rank - round + size) % size;
    const theirs = (rank - round - 1 + size) % size;
    steps.sendrecv((rank + 1) % size, bytes(own), (rank - 1 + size) % size, bytes(theirs), tag);
  }
}
