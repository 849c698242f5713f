import { gatherLinear } from '../linear.ts';
import { reduceScatterDoubling, reduceScatterPairwise } from '../reduce-scatter.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { powerBelow } from './elements.ts';
import { foldRanks } from './recursive-doubling.ts';

const tag: number = collectiveTag.reducescatter;
const sum = (parts: readonly number[]): number => parts.reduce((a, b) => a + b, 0);

/** Number of elements above which MPICH exchanges pairwise. */
const MANY = 524_288;

/** Algorithms of a reduce-scatter by SimGrid's names. */
export const reduceScatterAlgorithms = {
  default: (steps, c) => {
    const { recvBytes: parts } = c;
    if (parts.some((bytes) => bytes !== parts[0])) {
      (isLong(c) ? reduceScatterPairwise : reduceScatterDoubling)(steps, parts);
      return;
    }
    const total = sum(parts);
    gatherLinear(steps, collectiveTag.reduce, 0, total, () => total);
    steps.call({ kind: 'scatterv', sendBytes: parts, recvBytes: parts[steps.rank]!, root: 0 });
  },
  ompi_basic_recursivehalving: halving,
  ompi_ring: ring,
  ompi_butterfly: butterfly,
  mpich_pair: (steps, c) => {
    if (sum(c.recvBytes) > 0) reduceScatterPairwise(steps, c.recvBytes);
  },
  mpich_rdb: (steps, c) => reduceScatterDoubling(steps, c.recvBytes),
} satisfies Record<string, Algorithm<'reducescatter'>>;

/** True if MPICH takes the pairwise exchange. */
export function isLong({ recvBytes, elementBytes }: Call<'reducescatter'>): boolean {
  return sum(recvBytes) / (elementBytes ?? 1) > MANY;
}

/** The parts of the ranks that take part, if pairs of ranks are folded into one; and bytes of the places from … to − 1. */
function foldedParts(parts: readonly number[], pairs: number, power: number): (from: number, to: number) => number {
  const folded = Array.from({ length: power }, (_, k) =>
    k < pairs ? parts[2 * k]! + parts[2 * k + 1]! : parts[k + pairs]!,
  );
  return (from, to) => sum(folded.slice(from, to));
}

/**
 * Recursive halving: in each round a rank sends the half of its parts that it does not need, the farthest partner first.
 * Messages that are empty in one of both directions are not sent.
 *
 * ⌊log₂ P⌋ rounds, two more for folded ranks. Source: SimGrid `reduce_scatter-ompi.cpp`.
 */
function halving(steps: Steps, { recvBytes: parts }: Call<'reducescatter'>): void {
  const { rank, size } = steps;
  const total = sum(parts);
  if (total === 0) return;
  const power = powerBelow(size);
  const { pairs, place, rankAt } = foldRanks(rank, size, power, 1);
  const inPair = rank < 2 * pairs;
  if (place === undefined) steps.send(rank + 1, tag, total);
  else if (inPair) steps.recv(rank - 1, tag, total);
  if (place !== undefined) {
    const bytes = foldedParts(parts, pairs, power);
    let from = 0;
    for (let mask = power / 2; mask >= 1; mask /= 2) {
      const peer = rankAt(place ^ mask);
      const [low, high] = [bytes(from, from + mask), bytes(from + mask, from + 2 * mask)];
      const upper = (place & mask) !== 0;
      const [out, into] = upper ? [low, high] : [high, low];
      if (out > 0 && into > 0) {
        const request = steps.irecv(peer, tag, into);
        steps.send(peer, tag, out);
        steps.wait(request);
      }
      if (upper) from += mask;
    }
  }
  if (!inPair) return;
  if (rank % 2 === 0) {
    if (parts[rank]! > 0) steps.recv(rank + 1, tag, parts[rank]!);
  } else if (parts[rank - 1]! > 0) steps.send(rank - 1, tag, parts[rank - 1]!);
}

/**
 * Parts pass around a ring; each rank adds its own data. A rank posts the next receive before it waits for the last one.
 * P − 1 rounds. Source: SimGrid `reduce_scatter-ompi.cpp`.
 */
function ring(steps: Steps, { recvBytes: parts }: Call<'reducescatter'>): void {
  const { rank, size } = steps;
  const [left, right] = [(rank - 1 + size) % size, (rank + 1) % size];
  const part = (k: number): number => parts[(rank - k + 2 * size) % size]!;
  let last = steps.irecv(left, tag, part(2));
  steps.send(right, tag, part(1));
  for (let k = 2; k < size; k++) {
    const next = steps.irecv(left, tag, part(k + 1));
    steps.wait(last);
    steps.send(right, tag, part(k));
    last = next;
  }
  steps.wait(last);
}

/**
 * Butterfly: the nearest partner first, so that the parts arrive in mirrored order; a last exchange puts them right.
 *
 * ⌊log₂ P⌋ + 1 rounds, two more for folded ranks. Source: Träff, EuroPVM/MPI 2005; SimGrid `reduce_scatter-ompi.cpp`.
 */
function butterfly(steps: Steps, { recvBytes: parts }: Call<'reducescatter'>): void {
  const { rank, size } = steps;
  const total = sum(parts);
  const power = powerBelow(size);
  const { pairs, place, rankAt } = foldRanks(rank, size, power, 1);
  const mirrored = (k: number): number => {
    let result = 0;
    for (let bit = 1; bit < power; bit *= 2) result = 2 * result + ((k & bit) === 0 ? 0 : 1);
    return result;
  };
  if (place === undefined) {
    steps.send(rank + 1, tag, total);
    steps.recv(rankAt(mirrored((rank + 1) >> 1)), tag, parts[rank]!);
    return;
  }
  if (rank < 2 * pairs) steps.recv(rank - 1, tag, total);
  const bytes = foldedParts(parts, pairs, power);
  let [from, blocks] = [0, power];
  for (let mask = 1; mask < power; mask *= 2) {
    blocks /= 2;
    const peer = rankAt(place ^ mask);
    const [low, high] = [bytes(from, from + blocks), bytes(from + blocks, from + 2 * blocks)];
    const upper = (place & mask) !== 0;
    steps.sendrecv(peer, upper ? low : high, peer, upper ? high : low, tag);
    if (upper) from += blocks;
  }
  const owner = mirrored(place);
  const real = rankAt(owner);
  if (owner < pairs) steps.send(real - 1, tag, parts[real - 1]!);
  if (owner !== place) steps.sendrecv(real, parts[real]!, real, parts[rank]!, tag);
}
