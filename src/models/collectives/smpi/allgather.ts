import { exchangeInterleaved } from '../linear.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { exchangeTrees } from './recursive-doubling.ts';

const tag: number = collectiveTag.allgather;

/** Algorithms of an allgather by SimGrid's names. */
export const allgatherAlgorithms = {
  default: (steps, c) =>
    exchangeInterleaved(
      steps,
      tag,
      () => c.sendBytes,
      () => c.recvBytes,
    ),
  NTSLR: (steps, c) => {
    const { rank, size } = steps;
    for (let round = 1; round < size; round++)
      steps.sendrecv((rank + 1) % size, c.sendBytes, (rank - 1 + size) % size, c.recvBytes, tag);
  },
  NTSLR_NB: postedRing,
  bruck: (steps, c) => bruckAllgather(steps, tag, (_, blocks) => blocks * c.recvBytes),
  rdb: (steps, c) => exchangeTrees(steps, tag, 0, (from, to) => (to - from) * c.recvBytes),
  ring: (steps, c) => directRing(steps, tag, c.sendBytes, () => c.recvBytes),
  ompi_neighborexchange: (steps, c) => {
    if (steps.size % 2 === 0) neighborExchange(steps, tag, () => c.recvBytes);
    else directRing(steps, tag, c.sendBytes, () => c.recvBytes);
  },
  GB: (steps, c) => {
    steps.call({ kind: 'gather', sendBytes: c.sendBytes, recvBytes: c.recvBytes, root: 0 });
    steps.call({ kind: 'bcast', bytes: c.recvBytes * steps.size, root: 0 });
  },
  pair: (steps, c) => pairwiseAllgather(steps, tag, c.sendBytes, () => c.recvBytes),
} satisfies Record<string, Algorithm<'allgather'>>;

/** A ring whose receives are all posted at the start. Source: SimGrid `allgather-NTSLR-NB.cpp`. */
function postedRing(steps: Steps, { sendBytes, recvBytes }: Call<'allgather'>): void {
  const { rank, size } = steps;
  const received = Array.from({ length: size - 1 }, () => steps.irecv((rank - 1 + size) % size, tag, recvBytes));
  for (const request of received) {
    const sent = steps.isend((rank + 1) % size, tag, sendBytes);
    steps.wait(request);
    steps.wait(sent);
  }
}

/**
 * In round i a rank sends its part to the rank i after it, and receives that of the rank i before it: P − 1 rounds.
 * Source: SimGrid `allgather-ring.cpp`, `allgatherv-ring.cpp`.
 */
export function directRing(steps: Steps, tag: number, own: number, bytes: (rank: number) => number): void {
  const { rank, size } = steps;
  for (let i = 1; i < size; i++) {
    const from = (rank - i + size) % size;
    steps.sendrecv((rank + i) % size, own, from, bytes(from), tag);
  }
}

/** In round i a rank exchanges parts with rank XOR i; P is a power of two. Source: SimGrid `allgather-pair.cpp`. */
export function pairwiseAllgather(steps: Steps, tag: number, own: number, bytes: (rank: number) => number): void {
  const { rank, size } = steps;
  for (let i = 1; i < size; i++) steps.sendrecv(rank ^ i, own, rank ^ i, bytes(rank ^ i), tag);
}

/**
 * Bruck's allgather: in round k a rank sends the 2^k parts that it has to the rank 2^k before it; the last round has the
 * parts that are missing. ⌈log₂ P⌉ rounds.
 *
 * Source: SimGrid `allgather-bruck.cpp`, `allgatherv-ompi-bruck.cpp`.
 *
 * @param bytes bytes of a number of blocks from a rank on, cyclically
 */
export function bruckAllgather(steps: Steps, tag: number, bytes: (rank: number, blocks: number) => number): void {
  const { rank, size } = steps;
  for (let distance = 1; distance < size; distance *= 2) {
    const blocks = Math.min(distance, size - distance);
    const from = (rank + distance) % size;
    steps.sendrecv((rank - distance + size) % size, bytes(rank, blocks), from, bytes(from, blocks), tag);
  }
}

/**
 * A rank exchanges with its two neighbours in turn: first its own part, then the two parts that it received last. P is
 * even; P/2 rounds.
 *
 * Source: Chen et al., HPC Asia 2005; SimGrid `allgather-ompi-neighborexchange.cpp`.
 */
export function neighborExchange(steps: Steps, tag: number, bytes: (rank: number) => number): void {
  const { rank, size } = steps;
  const even = rank % 2 === 0;
  const [left, right] = [(rank - 1 + size) % size, (rank + 1) % size];
  const neighbors = even ? [right, left] : [left, right];
  const step = even ? 2 : -2;
  const first = even ? rank : left;
  const latest = [first, first];
  const pair = (block: number): number => bytes(block) + bytes((block + 1) % size);
  steps.sendrecv(neighbors[0]!, bytes(rank), neighbors[0]!, bytes(neighbors[0]!), tag);
  let own = first;
  for (let i = 1; i < size / 2; i++) {
    const side = i % 2;
    const offset = side === 0 ? step : -step;
    const next = (latest[side]! + offset + size) % size;
    latest[side] = next;
    steps.sendrecv(neighbors[side]!, pair(own), neighbors[side]!, pair(next), tag);
    own = next;
  }
}
