import type { Collective } from '../../trace/collective.ts';
import { alltoallBruck, alltoallPairwise } from './alltoall.ts';
import { bcastBinomial, gatherBinomial, scatterBinomial } from './binomial.ts';
import { disseminate, exchangeDoubling, exchangeHalving, scanDoubling } from './doubling.ts';
import { exchangeReceivesFirst } from './linear.ts';
import { reduceScatterDoubling, reduceScatterPairwise } from './reduce-scatter.ts';
import { bruckAllgather } from './smpi/allgather.ts';
import { cyclicSum } from './smpi/allgatherv.ts';
import { isPowerOfTwo, sumOf } from './smpi/elements.ts';
import { exchangeTrees } from './smpi/recursive-doubling.ts';
import { collectiveTag, type Selector, type Steps } from './steps.ts';

/** Maximum block size, in bytes, for Bruck's algorithm; larger blocks are exchanged pairwise (as in MPICH). */
const SHORT_BLOCK = 256;
/**
 * Maximum size of a reduction, in bytes, that exchanges all bytes in every round; longer ones use recursive halving.
 */
const SHORT_REDUCTION = 2048;
/** Minimum size in bytes, and minimum number of ranks, of a broadcast by scatter and allgather. */
const LONG_BCAST = 12_288;
const MANY = 8;
/** Total size of an allgather, in bytes, from which other ranks than a power of two use a ring. */
const MEDIUM_ALLGATHER = 81_920;
/**
 * Total size in bytes, from which an allgather uses a ring on any number of ranks, and above which the ranks of a reduce-scatter
 * exchange pairwise (as in MPICH).
 */
const LONG = 524_288;

/**
 * Textbook algorithms, selected as in MPICH: dissemination, binomial trees and recursive doubling with ⌈log₂ P⌉ rounds;
 * for long messages halving and doubling, scatter and ring; pairwise exchange for long blocks of an alltoall. Data that all ranks
 * gather pass by recursive doubling, or by Bruck's algorithm if the ranks are not a power of two.
 *
 * Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19(1),
 * 2005.
 */
export const logarithmicSelector: Selector = {
  barrier: (steps) => disseminate(steps, collectiveTag.barrier),
  bcast: (steps, c) => {
    if (isShortBcast(c.bytes, steps.size)) {
      bcastBinomial(steps, c.bytes, c.root);
      return;
    }
    const part = Math.ceil(c.bytes / steps.size);
    scatterBinomial(steps, collectiveTag.bcast, c.root, (ranks) => ranks.length * part);
    if (gathering(c.bytes, steps.size) === 'recursive doubling')
      exchangeTrees(steps, collectiveTag.bcast, c.root, (from, to) => (to - from) * part);
    else ring(steps, collectiveTag.bcast, () => part);
  },
  reduce: (steps, c) => gatherBinomial(steps, collectiveTag.reduce, c.root, () => c.bytes),
  allreduce: (steps, c) =>
    c.bytes <= SHORT_REDUCTION
      ? exchangeDoubling(steps, collectiveTag.reduce, c.bytes)
      : exchangeHalving(steps, collectiveTag.reduce, c.bytes),
  scan: (steps, c) => scanDoubling(steps, collectiveTag.scan, c.bytes),
  exscan: (steps, c) => scanDoubling(steps, collectiveTag.scan, c.bytes),
  gather: (steps, c) => gatherBinomial(steps, collectiveTag.gather, c.root, (ranks) => ranks.length * c.sendBytes),
  // Senders need the sizes of their subtrees. In MPI only the root knows all parts; here every rank has the list.
  gatherv: (steps, c) => gatherBinomial(steps, collectiveTag.gatherv, c.root, (ranks) => sum(c.recvBytes, ranks)),
  scatter: (steps, c) => scatterBinomial(steps, collectiveTag.scatter, c.root, (ranks) => ranks.length * c.sendBytes),
  scatterv: (steps, c) => scatterBinomial(steps, collectiveTag.scatterv, c.root, (ranks) => sum(c.sendBytes, ranks)),
  allgather: (steps, c) =>
    gatherAll(steps, collectiveTag.allgather, c.sendBytes * steps.size, (_, count) => count * c.sendBytes),
  allgatherv: (steps, c) =>
    gatherAll(steps, collectiveTag.allgatherv, sumOf(c.recvBytes), (from, count) =>
      cyclicSum(c.recvBytes, from, count),
    ),
  alltoall: (steps, c) =>
    c.sendBytes <= SHORT_BLOCK ? alltoallBruck(steps, c.sendBytes) : alltoallPairwise(steps, c.sendBytes, c.recvBytes),
  alltoallv: (steps, c) =>
    exchangeReceivesFirst(
      steps,
      collectiveTag.alltoallv,
      (i) => c.sendBytes[i]!,
      (i) => c.recvBytes[i]!,
    ),
  reducescatter: (steps, c) => {
    if (isLongScatter(c.recvBytes)) reduceScatterPairwise(steps, c.recvBytes);
    else reduceScatterDoubling(steps, c.recvBytes);
  },
};

/** The names of the algorithms that {@link logarithmicSelector} takes, as docs/collectives.md calls them. */
export function logarithmicNames(collective: Collective, size: number): string {
  switch (collective.kind) {
    case 'barrier':
      return 'dissemination';
    case 'bcast':
      if (isShortBcast(collective.bytes, size)) return 'binomial tree';
      return `binomial scatter, then ${gathering(collective.bytes, size) === 'recursive doubling' ? 'recursive doubling' : 'ring'}`;
    case 'allreduce':
      return collective.bytes <= SHORT_REDUCTION ? 'recursive doubling' : 'recursive halving and doubling';
    case 'scan':
    case 'exscan':
      return 'prefix doubling';
    case 'allgather':
      return gathering(collective.sendBytes * size, size);
    case 'allgatherv':
      return gathering(sumOf(collective.recvBytes), size);
    case 'alltoall':
      return collective.sendBytes <= SHORT_BLOCK ? 'Bruck' : 'pairwise';
    case 'alltoallv':
      return 'linear, receives first';
    case 'reducescatter':
      return isLongScatter(collective.recvBytes) ? 'pairwise parts' : 'recursive doubling of parts';
    default:
      return 'binomial tree';
  }
}

function isShortBcast(bytes: number, size: number): boolean {
  return bytes < LONG_BCAST || size < MANY;
}

function isLongScatter(parts: readonly number[]): boolean {
  return sumOf(parts) > LONG;
}

/** How all ranks gather `bytes` in total (Thakur, Rabenseifner, Gropp, §4.1). */
function gathering(bytes: number, size: number): 'recursive doubling' | 'Bruck' | 'ring' {
  if (isPowerOfTwo(size)) return bytes < LONG ? 'recursive doubling' : 'ring';
  return bytes < MEDIUM_ALLGATHER ? 'Bruck' : 'ring';
}

/** @param bytes bytes of the parts of a number of ranks from one on, cyclically */
function gatherAll(steps: Steps, tag: number, all: number, bytes: (from: number, count: number) => number): void {
  const how = gathering(all, steps.size);
  if (how === 'ring') ring(steps, tag, (rank) => bytes(rank, 1));
  else if (how === 'Bruck') bruckAllgather(steps, tag, bytes);
  else exchangeTrees(steps, tag, 0, (from, to) => bytes(from, to - from));
}

function sum(bytes: readonly number[], ranks: readonly number[]): number {
  return ranks.reduce((total, rank) => total + bytes[rank]!, 0);
}

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
