import { exchangeInterleaved } from '../linear.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { bruckAllgather, directRing, neighborExchange, pairwiseAllgather } from './allgather.ts';
import { elementBytesOf } from './elements.ts';
import { exchangeTrees } from './recursive-doubling.ts';

const tag: number = collectiveTag.allgatherv;

/** Algorithms of an allgatherv by SimGrid's names. */
export const allgathervAlgorithms = {
  default: (steps, c) =>
    exchangeInterleaved(
      steps,
      tag,
      () => c.sendBytes,
      (i) => c.recvBytes[i]!,
    ),
  GB: gatherBcast,
  ring: (steps, c) => directRing(steps, tag, c.sendBytes, (i) => c.recvBytes[i]!),
  pair: (steps, c) => pairwiseAllgather(steps, tag, c.sendBytes, (i) => c.recvBytes[i]!),
  ompi_bruck: (steps, c) => bruckAllgather(steps, tag, (first, blocks) => cyclicSum(c.recvBytes, first, blocks)),
  ompi_neighborexchange: (steps, c) => {
    if (steps.size % 2 === 0) neighborExchange(steps, tag, (i) => c.recvBytes[i]!);
    else directRing(steps, tag, c.sendBytes, (i) => c.recvBytes[i]!);
  },
  mpich_rdb: (steps, c) => {
    const bytes = (from: number, to: number): number => c.recvBytes.slice(from, to).reduce((a, b) => a + b, 0);
    // MPICH returns at once if all parts are empty.
    if (bytes(0, steps.size) > 0) exchangeTrees(steps, tag, 0, bytes);
  },
  mpich_ring: mpichRing,
} satisfies Record<string, Algorithm<'allgatherv'>>;

/** Sum of a number of parts from one on, cyclically. */
export function cyclicSum(parts: readonly number[], first: number, count: number): number {
  let total = 0;
  for (let k = 0; k < count; k++) total += parts[(first + k) % parts.length]!;
  return total;
}

/** A gatherv to rank 0, then a bcast of all parts. Source: SimGrid `allgatherv-GB.cpp`. */
function gatherBcast(steps: Steps, { sendBytes, recvBytes, elementBytes = 1 }: Call<'allgatherv'>): void {
  steps.call({ kind: 'gatherv', sendBytes, recvBytes, root: 0 });
  steps.call({ kind: 'bcast', bytes: recvBytes.reduce((a, b) => a + b, 0), root: 0, elementBytes });
}

/** Least size of the pieces of {@link mpichRing}, in bytes. */
const PIECE = 32_768 * 8;

/**
 * Parts pass around a ring in pieces of at most the shortest part, or 256 KiB if that is more. A rank that has nothing to
 * send, or to receive, only receives or sends.
 *
 * Source: SimGrid `allgatherv-mpich-ring.cpp`.
 */
function mpichRing(steps: Steps, call: Call<'allgatherv'>): void {
  const { rank, size: ranks } = steps;
  const size = elementBytesOf(call);
  const counts = call.recvBytes.map((bytes) => bytes / size);
  const [left, right] = [(rank - 1 + ranks) % ranks, (rank + 1) % ranks];
  const total = counts.reduce((a, b) => a + b, 0);
  let [toReceive, toSend] = [total - counts[rank]!, total - counts[right]!];
  const shortest = counts.reduce((a, b) => Math.min(a, b));
  const piece = shortest * size < PIECE ? Math.max(1, Math.floor(PIECE / size)) : shortest;
  let [sending, receiving] = [rank, left];
  let [sent, received] = [0, 0];
  while (toSend > 0 || toReceive > 0) {
    const out = toSend > 0 ? Math.min(piece, counts[sending]! - sent) : 0;
    const into = toReceive > 0 ? Math.min(piece, counts[receiving]! - received) : 0;
    if (out > 0 && into > 0) steps.sendrecv(right, out * size, left, into * size, tag);
    else if (out > 0) steps.send(right, tag, out * size);
    else if (into > 0) steps.recv(left, tag, into * size);
    toSend -= out;
    toReceive -= into;
    sent += out;
    received += into;
    if (sent === counts[sending]) [sent, sending] = [0, (sending - 1 + ranks) % ranks];
    if (received === counts[receiving]) [received, receiving] = [0, (receiving - 1 + ranks) % ranks];
  }
}
