import { type NodesSeen, ranksPerNode } from '../nodes.ts';
import { isPowerOfTwo, sumOf } from '../smpi/elements.ts';
import type { Call } from '../steps.ts';
import { type AlgorithmNames, decideOn, type TablesByNode } from './decision.ts';
import * as tables from './impi-tables.ts';
import { mvapich2 } from './mvapich2.ts';

const decide = (table: TablesByNode, nodes: NodesSeen, size: number, bytes: number): string =>
  decideOn(table, ranksPerNode(nodes, size), size, bytes);

/** The name, or MVAPICH2's choice for the same call. */
const orElse = (name: string, otherwise: () => string): string => (name === tables.MVAPICH2 ? otherwise() : name);

/** True if a bcast is that of MVAPICH2. */
export const followsMvapich = ({ bytes }: Call<'bcast'>, size: number, nodes: NodesSeen): boolean =>
  decide(tables.bcast, nodes, size, bytes) === tables.MVAPICH2;

/** Choices of Intel MPI, as `smpi/coll-selector:impi` in SimGrid 3.32 (`smpi_intel_mpi_selector.cpp`). */
export const impi: AlgorithmNames = {
  barrier: (_, size, nodes) => decide(tables.barrier, nodes, size, 1),
  bcast: (c, size, nodes) => orElse(decide(tables.bcast, nodes, size, c.bytes), () => mvapich2.bcast(c, size, nodes)),
  reduce: mvapich2.reduce,
  allreduce: (c, size, nodes) => {
    const name = decide(tables.allreduce, nodes, size, c.bytes);
    // SimGrid ends with an error: `rab1` needs a power of two of ranks. The same exchanges among other ranks are `rab_rdb`.
    return name === 'rab1' && !isPowerOfTwo(size) ? 'rab_rdb' : name;
  },
  gather: (c, size, nodes) =>
    orElse(decide(tables.gather, nodes, size, c.sendBytes), () => mvapich2.gather(c, size, nodes)),
  scatter: (c, size, nodes) =>
    orElse(decide(tables.scatter, nodes, size, c.sendBytes), () => mvapich2.scatter(c, size, nodes)),
  allgather: (c, size, nodes) => decide(tables.allgather, nodes, size, c.recvBytes),
  allgatherv: (c, size, nodes) => decide(tables.allgatherv, nodes, size, sumOf(c.recvBytes)),
  alltoall: (c, size, nodes) =>
    orElse(decide(tables.alltoall, nodes, size, c.sendBytes), () => mvapich2.alltoall(c, size, nodes)),
  alltoallv: (_, size, nodes) => decide(tables.alltoallv, nodes, size, 1),
  reducescatter: (c, size, nodes) => decide(tables.reducescatter, nodes, size, sumOf(c.recvBytes)),
};
