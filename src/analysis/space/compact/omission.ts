/** Bound of the probability that hash compaction omitted a state. */
export interface Omission {
  /** Upper bound of the probability, over the choice of the hash functions, that a state is omitted; at most 1. */
  readonly probability: number;
  /** Bits of the hash that is stored for each state. */
  readonly bits: number;
}

/**
 * The bound for a search that stored `states` markings. List the markings in the order of an exact breadth-first search. Up to the
 * first marking whose hash equals that of an earlier one, both searches are alike; so a search that omits a marking and stores n
 * has a collision among the first n + 1. There are n (n + 1) / 2 pairs, each colliding with probability 2^-bits.
 */
export function omissionOf(states: number, bits: number): Omission {
  return { probability: Math.min(1, ((states * (states + 1)) / 2) * 2 ** -bits), bits };
}
