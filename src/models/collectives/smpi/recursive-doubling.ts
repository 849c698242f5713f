import type { Steps } from '../steps.ts';

/**
 * Allgather by recursive doubling: in round k a rank exchanges the data of its subtree of 2^k ranks with the rank at
 * distance 2^k. If P is not a power of two, ranks without a partner get the data from the ranks of their subtree that
 * have it, by recursive halving. Ranks count from `root`.
 *
 * ⌈log₂ P⌉ rounds. Source: SimGrid `allgather-rdb.cpp`, `allgatherv-mpich-rdb.cpp`, `bcast-scatter-rdb-allgather.cpp`.
 *
 * @param bytes bytes of the ranks `from` … `to` − 1, where `to` is at most P
 */
export function exchangeTrees(
  steps: Steps,
  tag: number,
  root: number,
  bytes: (from: number, to: number) => number,
): void {
  const { size } = steps;
  const own = (steps.rank - root + size) % size;
  const real = (relative: number): number => (relative + root) % size;
  const block = (from: number, length: number): number => bytes(Math.min(size, from), Math.min(size, from + length));
  for (let mask = 1, level = 0; mask < size; mask *= 2, level++) {
    const partner = own ^ mask;
    const tree = (own >> level) << level;
    const other = (partner >> level) << level;
    if (partner < size) steps.sendrecv(real(partner), block(tree, mask), real(partner), block(other, mask), tag);
    if (other + mask <= size) continue;
    const complete = size - tree - mask;
    for (let half = mask / 2, bits = level; half >= 1; half /= 2, bits--) {
      const peer = own ^ half;
      const end = ((own >> bits) << bits) + complete;
      if (peer > own && own < end && peer >= end) steps.send(real(peer), tag, block(tree + mask, mask));
      else if (peer < own && peer < end && own >= end) steps.recv(real(peer), tag, block(tree + mask, mask));
    }
  }
}

/**
 * Ranks of a reduction by recursive halving. If P is not a power of two, the first 2 (P − 2^k) ranks are folded in pairs:
 * one of each pair hands its data to the other, which takes part for both.
 */
export interface Folded {
  /** Number of folded pairs. */
  readonly pairs: number;
  /** Place of this rank among the 2^k that take part; undefined if it is folded away. */
  readonly place: number | undefined;
  /** The rank at a place. */
  readonly rankAt: (place: number) => number;
}

/** @param keeps which rank of a pair takes part: 1 the odd one, 0 the even one */
export function foldRanks(rank: number, size: number, power: number, keeps: 0 | 1): Folded {
  const pairs = size - power;
  const inPair = rank < 2 * pairs;
  return {
    pairs,
    place: inPair ? (rank % 2 === keeps ? rank >> 1 : undefined) : rank - pairs,
    rankAt: (place) => (place < pairs ? 2 * place + keeps : place + pairs),
  };
}
