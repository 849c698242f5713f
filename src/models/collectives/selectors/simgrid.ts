import type { AlgorithmNames } from './names.ts';
import { ompi } from './ompi.ts';

/**
 * SimGrid's choice without `smpi/coll-selector`: `smpi_default_selector.cpp`, whose alltoall is Open MPI's and whose
 * reducescatter of unequal parts is MPICH's.
 */
export const simgrid: AlgorithmNames = {
  barrier: () => 'ompi_basic_linear',
  bcast: () => 'binomial_tree',
  reduce: () => 'default',
  allreduce: () => 'default',
  gather: () => 'default',
  scatter: () => 'default',
  allgather: () => 'default',
  allgatherv: () => 'default',
  alltoall: ompi.alltoall,
  alltoallv: () => 'default',
  reducescatter: () => 'default',
};
