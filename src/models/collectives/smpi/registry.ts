import type { Collective } from '../../../trace/collective.ts';
import { gatherLinear, scanLinear, scatterLinear } from '../linear.ts';
import type { Selectable } from '../selectors/decision.ts';
import { type Algorithm, collectiveTag } from '../steps.ts';
import { allgatherAlgorithms } from './allgather.ts';
import { allgathervAlgorithms } from './allgatherv.ts';
import { allreduceAlgorithms } from './allreduce.ts';
import { alltoallAlgorithms, alltoallvAlgorithms } from './alltoall.ts';
import { barrierAlgorithms } from './barrier.ts';
import { bcastAlgorithms } from './bcast.ts';
import { gatherAlgorithms, scatterAlgorithms } from './gather-scatter.ts';
import { reduceAlgorithms } from './reduce.ts';
import { reduceScatterAlgorithms } from './reduce-scatter.ts';
import { allreduceOfNodes, gatherOfNodes, reduceOfNodes } from './two-level.ts';

/**
 * SimGrid's algorithms by collective and name: the values of `smpi/NAME` (`smpi/reduce_scatter` for a reducescatter).
 * Collectives with one algorithm have only `default`.
 */
export const smpiAlgorithms: { readonly [K in Collective['kind']]: Readonly<Record<string, Algorithm<K>>> } = {
  barrier: barrierAlgorithms,
  bcast: bcastAlgorithms,
  reduce: { ...reduceAlgorithms, mvapich2_two_level: reduceOfNodes },
  allreduce: { ...allreduceAlgorithms, mvapich2_two_level: allreduceOfNodes },
  gather: { ...gatherAlgorithms, mvapich2_two_level: (steps, c) => gatherOfNodes(steps, c) },
  scatter: scatterAlgorithms,
  allgather: allgatherAlgorithms,
  allgatherv: allgathervAlgorithms,
  alltoall: alltoallAlgorithms,
  alltoallv: alltoallvAlgorithms,
  reducescatter: reduceScatterAlgorithms,
  scan: { default: (steps, c) => scanLinear(steps, c.bytes) },
  exscan: { default: (steps, c) => scanLinear(steps, c.bytes) },
  gatherv: {
    default: (steps, c) => gatherLinear(steps, collectiveTag.gatherv, c.root, c.sendBytes, (i) => c.recvBytes[i]!),
  },
  scatterv: {
    default: (steps, c) => scatterLinear(steps, collectiveTag.scatterv, c.root, (i) => c.sendBytes[i]!, c.recvBytes),
  },
};

/**
 * The algorithms of SimGrid 3.32 by collective, as `smpi/NAME` takes them. Those that {@link smpiAlgorithms} lacks are
 * refused by name: they depend on which ranks share a node, on the times at which ranks arrive, or on measurements
 * (`automatic`), or no selector takes them.
 */
const ALL: { readonly [K in Selectable]: string } = {
  allgather:
    '2dmesh 3dmesh GB NTSLR NTSLR_NB SMP_NTS automatic bruck default impi loosely_lr mpich mvapich2 mvapich2_smp ompi ompi_neighborexchange pair rdb rhv ring smp_simple spreading_simple',
  allgatherv:
    'GB automatic default impi mpich mpich_rdb mpich_ring mvapich2 ompi ompi_bruck ompi_neighborexchange pair ring',
  allreduce:
    'automatic default impi lr mpich mvapich2 mvapich2_rs mvapich2_two_level ompi ompi_ring_segmented rab rab1 rab2 rab_rdb rdb redbcast smp_binomial smp_binomial_pipeline smp_rdb smp_rsag smp_rsag_lr smp_rsag_rab',
  alltoall:
    '2dmesh 3dmesh automatic basic_linear bruck default impi mpich mvapich2 mvapich2_scatter_dest ompi pair pair_light_barrier pair_mpi_barrier pair_one_barrier pair_rma rdb ring ring_light_barrier ring_mpi_barrier ring_one_barrier',
  alltoallv:
    'automatic bruck default impi mpich mvapich2 ompi ompi_basic_linear pair pair_light_barrier pair_mpi_barrier pair_one_barrier ring ring_light_barrier ring_mpi_barrier ring_one_barrier',
  barrier:
    'automatic default impi mpich mpich_smp mvapich2 mvapich2_pair ompi ompi_basic_linear ompi_bruck ompi_doublering ompi_recursivedoubling ompi_tree ompi_two_procs',
  bcast:
    'NTSB NTSL NTSL_Isend SMP_binary SMP_binomial SMP_linear arrival_pattern_aware arrival_pattern_aware_wait arrival_scatter automatic binomial_tree default flattree flattree_pipeline impi mpich mvapich2 mvapich2_inter_node mvapich2_intra_node mvapich2_knomial_intra_node ompi ompi_pipeline ompi_split_bintree scatter_LR_allgather scatter_rdb_allgather',
  gather:
    'automatic default impi mpich mvapich2 mvapich2_two_level ompi ompi_basic_linear ompi_binomial ompi_linear_sync',
  reduce:
    'NTSL arrival_pattern_aware automatic binomial default flat_tree impi mpich mvapich2 mvapich2_knomial mvapich2_two_level ompi ompi_basic_linear ompi_binary ompi_binomial ompi_chain ompi_in_order_binary ompi_pipeline rab scatter_gather',
  reducescatter:
    'automatic default impi mpich mpich_noncomm mpich_pair mpich_rdb mvapich2 ompi ompi_basic_recursivehalving ompi_butterfly ompi_ring',
  scatter:
    'automatic default impi mpich mvapich2 mvapich2_two_level_binomial mvapich2_two_level_direct ompi ompi_basic_linear ompi_binomial ompi_linear_nb',
};

/** True if SimGrid 3.32 has an algorithm of this name that is not modelled here. */
export function notModelled(operation: Selectable, name: string): boolean {
  return ALL[operation].split(' ').includes(name) && !Object.hasOwn(smpiAlgorithms[operation], name);
}

/** Selectors of SimGrid 3.32 and its names of them that choose by measurement or not at all. */
const SELECTORS = 'automatic default impi mpich mvapich2 ompi'.split(' ');

/** True if SimGrid 3.32 knows a value of `smpi/OPERATION`, or of `smpi/coll-selector` if no operation is given; with others it ends. */
export function isSimgridName(operation: Selectable | undefined, name: string): boolean {
  return (operation === undefined ? SELECTORS : ALL[operation].split(' ')).includes(name);
}
