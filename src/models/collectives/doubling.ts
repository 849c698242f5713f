import type { Steps } from './steps.ts';

/**
 * Exchanges with partners at distances 1, 2, 4 …: after the last round every rank has the data of all (allreduce by
 * recursive doubling). ⌊log₂ P⌋ rounds of all bytes, two more for some ranks.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, §4.3.
 */
export function exchangeDoubling(steps: Steps, tag: number, bytes: number): void {
  amongPowerOfTwo(steps, tag, bytes, (partner, power) => {
    for (let mask = 1; mask < power; mask *= 2) steps.sendrecv(partner(mask), bytes, partner(mask), bytes, tag);
  });
}

/**
 * For long messages: a reduce-scatter by recursive halving, then an allgather by recursive doubling. 2 ⌊log₂ P⌋ rounds
 * that move 2 (1 − 1/P) of the bytes, two more for some ranks.
 *
 * Source: Rabenseifner's algorithm, Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005, §4.3.
 */
export function exchangeHalving(steps: Steps, tag: number, bytes: number): void {
  amongPowerOfTwo(steps, tag, bytes, (partner, power) => {
    const round = (mask: number, part: number): void =>
      steps.sendrecv(partner(mask), Math.ceil(part), partner(mask), Math.ceil(part), tag);
    for (let mask = 1; mask < power; mask *= 2) round(mask, bytes / 2 / mask);
    for (let mask = power / 2; mask >= 1; mask /= 2) round(mask, bytes / 2 / mask);
  });
}

/**
 * If P is not a power of two, the first ranks are folded in pairs: the even rank sends its data to the odd one before
 * the rounds, and receives the result afterwards.
 */
function amongPowerOfTwo(
  steps: Steps,
  tag: number,
  bytes: number,
  rounds: (partner: (mask: number) => number, power: number) => void,
): void {
  const { rank, size } = steps;
  const power = 2 ** Math.floor(Math.log2(size));
  const folded = 2 * (size - power);
  if (rank < folded && rank % 2 === 0) {
    steps.send(rank + 1, tag, bytes);
    steps.recv(rank + 1, tag, bytes);
    return;
  }
  if (rank < folded) steps.recv(rank - 1, tag, bytes);
  const own = rank < folded ? (rank - 1) / 2 : rank - folded / 2;
  rounds((mask) => {
    const virtual = own ^ mask;
    return virtual < folded / 2 ? virtual * 2 + 1 : virtual + folded / 2;
  }, power);
  if (rank < folded) steps.send(rank - 1, tag, bytes);
}

/**
 * In round k every rank signals the rank 2^k after it and waits for the one 2^k before it.
 *
 * ⌈log₂ P⌉ rounds. Source: Hensgen, Finkel, Manber, Int. J. Parallel Programming 17(1), 1988 (dissemination barrier).
 */
export function disseminate(steps: Steps, tag: number): void {
  const { rank, size } = steps;
  for (let distance = 1; distance < size; distance *= 2)
    steps.sendrecv((rank + distance) % size, 0, (rank - distance + size) % size, 0, tag);
}

/**
 * Prefix reduction in ⌈log₂ P⌉ rounds: in round k a rank sends its partial result to the rank 2^k after it.
 *
 * Source: Hillis, Steele, CACM 29(12), 1986.
 */
export function scanDoubling(steps: Steps, tag: number, bytes: number): void {
  const { rank, size } = steps;
  for (let distance = 1; distance < size; distance *= 2) {
    const [to, from] = [rank + distance, rank - distance];
    if (to < size && from >= 0) steps.sendrecv(to, bytes, from, bytes, tag);
    else if (to < size) steps.send(to, tag, bytes);
    else if (from >= 0) steps.recv(from, tag, bytes);
  }
}
