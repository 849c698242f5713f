import { bcastBinomial } from '../binomial.ts';
import { exchangeDoubling } from '../doubling.ts';
import { gatherLinear } from '../linear.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { Blocks, elementsOf, powerBelow, segmentElements } from './elements.ts';
import { foldRanks } from './recursive-doubling.ts';
import { treeOfNodes } from './trees.ts';

const tag: number = collectiveTag.allreduce;

/** Algorithms of an allreduce by SimGrid's names. */
export const allreduceAlgorithms = {
  default: linear,
  redbcast: reduceBcast,
  rdb: (steps, c) => exchangeDoubling(steps, tag, c.bytes),
  lr: ring,
  ompi_ring_segmented: segmentedRing,
  rab_rdb: halving,
  rab1: halvingThenAllgather,
  smp_binomial: upAndDown,
  mvapich2_rs: halvingIfLong,
} satisfies Record<string, Algorithm<'allreduce'>>;

/** A linear reduce to rank 0, then a binomial bcast. Source: SimGrid `smpi_default_selector.cpp`. */
function linear(steps: Steps, { bytes }: Call<'allreduce'>): void {
  gatherLinear(steps, collectiveTag.reduce, 0, bytes, () => bytes);
  bcastBinomial(steps, bytes, 0);
}

/** A reduce to rank 0, then a bcast, both by the algorithms chosen for them. Source: SimGrid `allreduce-redbcast.cpp`. */
function reduceBcast(steps: Steps, call: Call<'allreduce'>): void {
  steps.call({ ...call, kind: 'reduce', root: 0 });
  steps.call({ ...call, kind: 'bcast', root: 0 });
}

/**
 * A reduce-scatter and an allgather around a ring: 2 (P − 1) rounds of 1/P of the elements. The elements that remain are
 * a separate allreduce; fewer elements than ranks are a reduce and a bcast.
 *
 * Source: SimGrid `allreduce-lr.cpp` (Patarasuk, Yuan, JPDC 69(2), 2009).
 */
function ring(steps: Steps, call: Call<'allreduce'>): void {
  const { rank, size: ranks } = steps;
  const { count, size } = elementsOf(call);
  if (count < ranks) {
    reduceBcast(steps, call);
    return;
  }
  const part = Math.floor(count / ranks) * size;
  for (let round = 0; round < 2 * (ranks - 1); round++)
    steps.sendrecv((rank + 1) % ranks, part, (rank - 1 + ranks) % ranks, part, tag);
  const rest = call.bytes - part * ranks;
  if (rest > 0) steps.call({ ...call, bytes: rest });
}

/** Segments of {@link segmentedRing}, in bytes. */
const SEGMENT = 1 << 20;

/**
 * The ring with messages of at most 1 MiB: the reduce-scatter runs once for each segment of the blocks. Messages of less
 * than 1 MiB per rank take the plain ring.
 *
 * Source: SimGrid `allreduce-ompi-ring-segmented.cpp`.
 */
function segmentedRing(steps: Steps, call: Call<'allreduce'>): void {
  const { rank, size: ranks } = steps;
  const { count, size } = elementsOf(call);
  const segment = segmentElements(SEGMENT, size, count);
  if (count < ranks * segment) {
    ring(steps, call);
    return;
  }
  const rest = count % (ranks * segment);
  const phases =
    Math.floor(count / (ranks * segment)) + (rest >= ranks && rest > Math.floor((ranks * segment) / 2) ? 1 : 0);
  const [right, left] = [(rank + 1) % ranks, (rank - 1 + ranks) % ranks];
  const blocks = new Blocks(count, ranks);
  const bytesOf = (block: number, phase: number): number =>
    new Blocks(blocks.of((block + ranks) % ranks), phases).of(phase) * size;
  for (let phase = 0; phase < phases; phase++) {
    let last = steps.irecv(left, tag, bytesOf(left, phase));
    steps.send(right, tag, bytesOf(rank, phase));
    for (let k = 2; k < ranks; k++) {
      const next = steps.irecv(left, tag, bytesOf(rank - k, phase));
      steps.wait(last);
      steps.send(right, tag, bytesOf(rank - k + 1, phase));
      last = next;
    }
    steps.wait(last);
  }
  for (let k = 0; k < ranks - 1; k++) {
    const own = blocks.of((rank + 1 - k + ranks) % ranks) * size;
    steps.sendrecv(right, own, left, blocks.of((rank - k + ranks) % ranks) * size, tag);
  }
}

/**
 * A reduce-scatter by recursive halving, then an allgather by recursive doubling (Rabenseifner). Elements are divided
 * among the largest power of two of ranks; the last one has the rest.
 *
 * Source: SimGrid `allreduce-rab-rdb.cpp`.
 */
function halving(steps: Steps, call: Call<'allreduce'>): void {
  const { rank, size: ranks } = steps;
  const { count, size } = elementsOf(call);
  const power = powerBelow(ranks);
  const { pairs, place, rankAt } = foldRanks(rank, ranks, power, 1);
  const inPair = rank < 2 * pairs;
  if (place === undefined) {
    steps.send(rank + 1, tag, call.bytes);
    steps.recv(rank + 1, tag, call.bytes);
    return;
  }
  if (inPair) steps.recv(rank - 1, tag, call.bytes);
  const base = Math.floor(count / power);
  const bytes = (from: number, to: number): number => ((to === power ? count : to * base) - from * base) * size;
  let [from, to] = [0, power];
  for (let mask = 1; mask < power; mask *= 2) {
    const half = (from + to) / 2;
    const peer = rankAt(place ^ mask);
    const [low, high] = [bytes(from, half), bytes(half, to)];
    if ((place & mask) === 0) {
      steps.sendrecv(peer, high, peer, low, tag);
      to = half;
    } else {
      steps.sendrecv(peer, low, peer, high, tag);
      from = half;
    }
  }
  for (let mask = power / 2; mask >= 1; mask /= 2) {
    const peer = rankAt(place ^ mask);
    const width = to - from;
    const [start, end] = (place & mask) === 0 ? [to, to + width] : [from - width, from];
    steps.sendrecv(peer, bytes(from, to), peer, bytes(start, end), tag);
    [from, to] = [Math.min(from, start), Math.max(to, end)];
  }
  if (inPair) steps.send(rank - 1, tag, call.bytes);
}

/** {@link halving}, or recursive doubling if there are fewer elements than ranks. Source: SimGrid `allreduce-mvapich-rs.cpp`. */
function halvingIfLong(steps: Steps, call: Call<'allreduce'>): void {
  if (call.bytes === 0) return;
  if (elementsOf(call).count < powerBelow(steps.size)) exchangeDoubling(steps, tag, call.bytes);
  else halving(steps, call);
}

/**
 * A reduce-scatter by recursive halving, the most distant rank first, then an allgather by the algorithm chosen for it. Elements
 * are filled up to a multiple of the ranks, a power of two.
 *
 * Source: SimGrid `allreduce-rab1.cpp`.
 */
function halvingThenAllgather(steps: Steps, call: Call<'allreduce'>): void {
  const { rank, size: ranks } = steps;
  const { count, size } = elementsOf(call);
  const part = (count % ranks === 0 ? count / ranks : Math.floor((count + ranks) / ranks)) * size;
  for (let mask = ranks / 2; mask >= 1; mask /= 2) {
    const peer = rank ^ mask;
    steps.sendrecv(peer, part * mask, peer, part * mask, tag);
  }
  steps.call({ kind: 'allgather', sendBytes: part, recvBytes: part });
}

/**
 * Up a binomial tree of each node, the nearest child first, up one of the first ranks of nodes to rank 0, and down both. A node is a
 * number of consecutive ranks, whatever hosts they have. Source: SimGrid `allreduce-smp-binomial.cpp`.
 */
function upAndDown(steps: Steps, { bytes }: Call<'allreduce'>): void {
  const { parent, children } = treeOfNodes(steps);
  for (const child of children) steps.recv(child, tag, bytes);
  if (parent !== undefined) {
    steps.send(parent, tag, bytes);
    steps.recv(parent, tag, bytes);
  }
  for (const child of [...children].reverse()) steps.send(child, tag, bytes);
}
