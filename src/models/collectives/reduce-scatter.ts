import { collectiveTag, type Steps } from './steps.ts';

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

/**
 * Recursive doubling: in round k a rank exchanges with rank XOR 2^k everything except the parts of its subtree of 2^k
 * ranks. If P is not a power of two, ranks without a partner get the data from the ranks of their subtree that have it,
 * by recursive halving.
 *
 * ⌈log₂ P⌉ rounds, messages of (1 − 2^k/P) of the total. Source: SimGrid `reduce_scatter-mpich.cpp` (`mpich_rdb`);
 * Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005.
 */
export function reduceScatterDoubling(steps: Steps, parts: readonly number[]): void {
  const { rank, size } = steps;
  const tag = collectiveTag.reducescatter;
  const total = sum(parts, 0, size);
  for (let mask = 1, level = 0; mask < size; mask *= 2, level++) {
    const partner = rank ^ mask;
    const myTree = (rank >> level) << level;
    const partnerTree = (partner >> level) << level;
    const sendBytes = total - sum(parts, myTree, myTree + mask);
    const recvBytes = total - sum(parts, partnerTree, partnerTree + mask);
    if (partner < size) steps.sendrecv(partner, sendBytes, partner, recvBytes, tag);
    if (partnerTree + mask > size) {
      const complete = size - myTree - mask;
      for (let half = mask / 2, bits = level; half >= 1; half /= 2, bits--) {
        const other = rank ^ half;
        const end = ((rank >> bits) << bits) + complete;
        if (other > rank && rank < end && other >= end) steps.send(other, tag, recvBytes);
        else if (other < rank && other < end && rank >= end) steps.recv(other, tag, recvBytes);
      }
    }
  }
}

function sum(parts: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let i = from; i < to && i < parts.length; i++) total += parts[i]!;
  return total;
}
