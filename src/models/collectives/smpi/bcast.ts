import { bcastBinomial } from '../binomial.ts';
import { bcastInside } from '../selectors/mpich.ts';
import { type Algorithm, type Call, collectiveTag, type Steps } from '../steps.ts';
import { lineOfNodes, pipelinedBinary, pipelinedChain, pipelinedLine, splitBinary } from './bcast-pipelines.ts';
import { exchangeTrees } from './recursive-doubling.ts';
import { treeOfNodes } from './trees.ts';

const tag: number = collectiveTag.bcast;

/** Children per round of a k-nomial tree (SimGrid's `mv2_intra_node_knomial_factor`). */
const KNOMIAL = 4;

/** Algorithms of a bcast by SimGrid's names. */
export const bcastAlgorithms = {
  binomial_tree: (steps, c) => bcastBinomial(steps, c.bytes, c.root),
  flattree: flat,
  NTSL: pipelinedLine,
  NTSB: pipelinedBinary,
  ompi_pipeline: pipelinedChain,
  ompi_split_bintree: splitBinary,
  mvapich2_knomial_intra_node: knomial,
  scatter_rdb_allgather: scatterDoubling,
  SMP_binomial: binomialOfNodes,
  SMP_linear: (steps, c) => lineOfNodes(steps, c, () => ofUnequalNodes(steps, c)),
  scatter_LR_allgather: scatterRing,
} satisfies Record<string, Algorithm<'bcast'>>;

/** The root sends to all other ranks, one after another. Source: SimGrid `bcast-flattree.cpp`. */
function flat(steps: Steps, { bytes, root }: Call<'bcast'>): void {
  if (steps.rank !== root) {
    steps.recv(root, tag, bytes);
    return;
  }
  for (let peer = 0; peer < steps.size; peer++) if (peer !== root) steps.isend(peer, tag, bytes);
  steps.waitAll();
}

/**
 * A tree in which a rank sends to three others in each round, instead of one: ⌈log₄ P⌉ rounds.
 * Source: SimGrid `bcast-mvapich-smp.cpp` (`mvapich2_knomial_intra_node`).
 */
function knomial(steps: Steps, { bytes, root }: Call<'bcast'>): void {
  const { rank, size } = steps;
  const relative = (rank - root + size) % size;
  let mask = 1;
  for (; mask < size; mask *= KNOMIAL) {
    const place = relative % (KNOMIAL * mask);
    if (place === 0) continue;
    steps.recv((relative - place + root) % size, tag, bytes);
    break;
  }
  for (mask /= KNOMIAL; mask >= 1; mask /= KNOMIAL) {
    for (let k = 1; k < KNOMIAL; k++) {
      if (relative + mask * k < size) steps.isend((rank + mask * k) % size, tag, bytes);
    }
    steps.waitAll();
  }
}

/**
 * The root sends to rank 0, which sends down a binomial tree of the first ranks of nodes, and each of these down one of its node. A node
 * is a number of consecutive ranks, whatever hosts they have. Nodes with different numbers of ranks: as MPICH does without nodes.
 *
 * Source: SimGrid `bcast-SMP-binomial.cpp`.
 */
function binomialOfNodes(steps: Steps, call: Call<'bcast'>): void {
  const { bytes, root } = call;
  if (steps.nodes !== undefined && steps.nodes.each === undefined) {
    ofUnequalNodes(steps, call);
    return;
  }
  if (root !== 0) {
    if (steps.rank === root) steps.send(0, tag, bytes);
    else if (steps.rank === 0) steps.recv(root, tag, bytes);
  }
  const { parent, children } = treeOfNodes(steps);
  if (parent !== undefined) steps.recv(parent, tag, bytes);
  for (const child of [...children].reverse()) steps.send(child, tag, bytes);
}

/** MPICH's bcast where nodes have different numbers of ranks. */
function ofUnequalNodes(steps: Steps, call: Call<'bcast'>): void {
  bcastAlgorithms[bcastInside(call.bytes, steps.size) as 'binomial_tree'](steps, call);
}

/**
 * Bytes of the ranks `from` … `to` − 1, relative to the root, if the message is divided into equal parts, the last ones
 * shorter or empty.
 */
function partsOf({ bytes }: Call<'bcast'>, size: number): (from: number, to: number) => number {
  const part = Math.ceil(bytes / size);
  return (from, to) => Math.min(bytes, to * part) - Math.min(bytes, from * part);
}

/** Scatters the message down a binomial tree; parts without bytes are not sent. */
function scatter(steps: Steps, call: Call<'bcast'>): void {
  const { rank, size } = steps;
  const parts = partsOf(call, size);
  const relative = (rank - call.root + size) % size;
  let mask = 1;
  while (mask < size && (relative & mask) === 0) mask *= 2;
  const own = mask < size ? parts(relative, relative + mask) : 0;
  if (own > 0) steps.recv((rank - mask + size) % size, tag, own);
  for (mask /= 2; mask >= 1; mask /= 2) {
    const child = relative + mask;
    if (child >= size) continue;
    const bytes = parts(child, child + mask);
    if (bytes > 0) steps.send((rank + mask) % size, tag, bytes);
  }
}

/**
 * A binomial scatter, then an allgather by recursive doubling: 2 ⌈log₂ P⌉ rounds.
 * Source: SimGrid `bcast-scatter-rdb-allgather.cpp`.
 */
function scatterDoubling(steps: Steps, call: Call<'bcast'>): void {
  if (call.bytes === 0) return;
  scatter(steps, call);
  exchangeTrees(steps, tag, call.root, partsOf(call, steps.size));
}

/**
 * A binomial scatter, then an allgather around a ring: ⌈log₂ P⌉ + P − 1 rounds.
 * Source: SimGrid `bcast-scatter-LR-allgather.cpp`.
 */
function scatterRing(steps: Steps, call: Call<'bcast'>): void {
  const { rank, size } = steps;
  const parts = partsOf(call, size);
  scatter(steps, call);
  const [left, right] = [(rank - 1 + size) % size, (rank + 1) % size];
  const part = (owner: number): number => {
    const relative = (owner - call.root + 2 * size) % size;
    return parts(relative, relative + 1);
  };
  for (let round = 0; round < size - 1; round++)
    steps.sendrecv(right, part(rank - round), left, part(rank - round - 1), tag);
}
