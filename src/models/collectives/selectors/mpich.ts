import { hasShared } from '../nodes.ts';
import { elementBytesOf, elementsOf, isPowerOfTwo, powerBelow, sumOf } from '../smpi/elements.ts';
import { isLong } from '../smpi/reduce-scatter.ts';
import type { AlgorithmNames } from './decision.ts';

/** Bytes, or elements for an allgatherv, of all parts together: below, power-of-two ranks double; up to the second, Bruck. */
const MEDIUM = 524_288;
const SHORT = 81_920;

/** MPICH's bcast without nodes: among the ranks of one node, among leaders, and where nodes have different numbers of ranks. */
export function bcastInside(bytes: number, size: number): string {
  if (bytes < 12_288 || size <= 8) return 'binomial_tree';
  return bytes < 524_288 && size % 2 === 0 ? 'scatter_rdb_allgather' : 'scatter_LR_allgather';
}

/**
 * MPICH's choice, as `smpi/coll-selector:mpich` in SimGrid 3.32 (`smpi_mpich_selector.cpp`). On nodes with several ranks, reductions go
 * through their leaders.
 */
export const mpich: AlgorithmNames = {
  barrier: () => 'ompi_bruck',
  bcast: (c, size, nodes) =>
    nodes === 'inside' || (hasShared(nodes) && nodes.each === undefined) ? bcastInside(c.bytes, size) : 'SMP_binomial',
  reduce: (c, size, nodes) => {
    if (hasShared(nodes)) return 'mvapich2_two_level';
    return elementsOf(c).count < powerBelow(size) || c.bytes < 2048 ? 'binomial' : 'scatter_gather';
  },
  allreduce: (c, size, nodes) => {
    if (hasShared(nodes)) return 'mvapich2_two_level';
    return nodes === 'inside' && c.bytes > 2048 && elementsOf(c).count >= powerBelow(size) ? 'rab_rdb' : 'rdb';
  },
  gather: () => 'ompi_binomial',
  scatter: () => 'ompi_binomial',
  allgather: (c, size) => {
    const total = c.sendBytes * size;
    if (isPowerOfTwo(size) && total < MEDIUM) return 'rdb';
    return total <= SHORT ? 'bruck' : 'ring';
  },
  allgatherv: (c, size) => {
    const total = sumOf(c.recvBytes) / elementBytesOf(c);
    // Without any bytes, there are no messages.
    if (total === 0 || (isPowerOfTwo(size) && total < MEDIUM)) return 'mpich_rdb';
    return total <= SHORT ? 'ompi_bruck' : 'mpich_ring';
  },
  alltoall: (c, size) => {
    if (c.sendBytes < 256 && size >= 8) return 'bruck';
    if (c.sendBytes < 32_768) return 'mvapich2_scatter_dest';
    return size % 2 === 1 ? 'pair' : 'ring';
  },
  alltoallv: () => 'bruck',
  reducescatter: (c) => (isLong(c) ? 'mpich_pair' : 'mpich_rdb'),
};
