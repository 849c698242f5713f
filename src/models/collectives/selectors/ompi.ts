import { type AlgorithmNames, decide, decisionTable, type Selectable } from './decision.ts';

/**
 * Algorithms of `coll_tuned` by Open MPI's numbers. SimGrid lacks some of them and takes the nearest one; the comments name
 * Open MPI's.
 */
export const openMpiAlgorithms = {
  allreduce: { 1: 'default', 2: 'redbcast', 3: 'rdb', 4: 'lr', 5: 'ompi_ring_segmented', 6: 'rab_rdb' },
  /** 4 and 5 are `linear_sync` and `two_proc`. */
  alltoall: { 1: 'basic_linear', 2: 'pair', 3: 'bruck', 4: 'basic_linear', 5: 'basic_linear' },
  alltoallv: { 1: 'ompi_basic_linear', 2: 'pair' },
  barrier: {
    1: 'ompi_basic_linear',
    2: 'ompi_doublering',
    3: 'ompi_recursivedoubling',
    4: 'ompi_bruck',
    5: 'ompi_two_procs',
    6: 'ompi_tree',
  },
  /** 1 and 2 are `basic_linear` and `chain`, 5 and 7 `binary_tree` and `knomial`. */
  bcast: {
    1: 'NTSL',
    2: 'ompi_pipeline',
    3: 'ompi_pipeline',
    4: 'ompi_split_bintree',
    5: 'NTSB',
    6: 'binomial_tree',
    7: 'mvapich2_knomial_intra_node',
    8: 'scatter_rdb_allgather',
    9: 'scatter_LR_allgather',
  },
  /** 7 is `rabenseifner`. */
  reduce: {
    1: 'ompi_basic_linear',
    2: 'ompi_chain',
    3: 'ompi_pipeline',
    4: 'ompi_binary',
    5: 'ompi_binomial',
    6: 'ompi_in_order_binary',
    7: 'ompi_basic_linear',
  },
  reducescatter: { 1: 'default', 2: 'ompi_basic_recursivehalving', 3: 'ompi_ring', 4: 'ompi_butterfly' },
  allgather: { 1: 'GB', 2: 'bruck', 3: 'rdb', 4: 'ring', 5: 'ompi_neighborexchange', 6: 'pair' },
  allgatherv: { 1: 'GB', 2: 'ompi_bruck', 3: 'mpich_ring', 4: 'ompi_neighborexchange', 5: 'pair' },
  gather: { 1: 'ompi_basic_linear', 2: 'ompi_binomial', 3: 'ompi_linear_sync' },
  scatter: { 1: 'ompi_basic_linear', 2: 'ompi_binomial', 3: 'ompi_linear_nb' },
} as const satisfies { readonly [K in Selectable]: Readonly<Record<number, string>> };

/**
 * Decisions of Open MPI 4.1's `coll_tuned` for operations that commute, as SimGrid 3.32 makes them
 * (`smpi_openmpi_selector.cpp`, updated in February 2022).
 */
const allreduce = decisionTable(
  openMpiAlgorithms.allreduce,
  `
  1: 0 4, 8 3, 4096 4, 8192 3, 16384 4, 65536 5, 262144 6
  4: 0 4, 16 3, 8192 6
  8: 0 3, 8192 6
  16: 0 5, 64 3, 4096 6
  32: 0 5, 128 6
  64: 0 3, 262144 6
  128: 0 2, 131072 3, 262144 6
  256: 0 2, 4096 6
  512: 0 2, 2048 3, 16384 6
  2048: 0 2, 2048 5, 4096 3, 16384 6
  4096: 0 2, 2048 5, 16384 3, 32768 6
`,
);

const alltoall = decisionTable(
  openMpiAlgorithms.alltoall,
  `
  1: 0 1
  2: 0 2, 2 5, 4 2, 16 5, 64 2, 256 5, 4096 2, 32768 4, 262144 5, 1048576 2
  3: 0 4, 8192 1, 16384 4, 65536 1, 524288 2, 1048576 1
  8: 0 4, 262144 1
  16: 0 4, 4 3, 512 4, 8192 1, 32768 4, 262144 1, 524288 4
  32: 0 3, 512 1, 524288 4
  64: 0 3, 1024 1, 2048 4, 4096 1, 262144 2
  128: 0 3, 1024 4, 2048 1, 262144 2
  256: 0 3, 1024 4, 8192 1, 32768 2
  512: 0 3, 512 4, 8192 1, 16384 4, 131072 1, 262144 2
  1024: 0 3, 512 4, 1024 1, 2048 4, 16384 1, 262144 4
  2048: 0 3, 1024 4, 4096 1, 8192 4, 131072 1
  4096: 0 3, 2048 4, 8192 1, 16384 4, 32768 1, 65536 4
`,
);

const alltoallv = decisionTable(
  openMpiAlgorithms.alltoallv,
  `
  1: 0 2
  4: 0 1
  64: 0 2
  128: 0 1
  256: 0 2
  1024: 0 1
`,
);

const barrier = decisionTable(
  openMpiAlgorithms.barrier,
  `
  1: 0 3
  4: 0 1
  8: 0 3
  64: 0 4
  256: 0 6
  512: 0 4
  1024: 0 6
  4096: 0 4
`,
);

const bcast = decisionTable(
  openMpiAlgorithms.bcast,
  `
  1: 0 3, 32 5, 256 3, 512 7, 1024 1, 32768 5, 131072 2, 262144 1, 524288 6, 1048576 5
  4: 0 5, 64 6, 128 5, 2048 6, 8192 1, 1048576 2
  8: 0 7, 8 5, 64 7, 4096 5, 16384 6, 32768 1
  16: 0 7, 4096 6, 1048576 8
  32: 0 6, 2048 7
  64: 0 7
  128: 0 6, 2 5, 16384 1, 32768 5, 65536 7
  256: 0 7, 16384 4, 32768 7
  1024: 0 7, 524288 8
  2048: 0 7, 262144 8
  4096: 0 7, 8192 5, 16384 7, 262144 8
`,
);

const reduce = decisionTable(
  openMpiAlgorithms.reduce,
  `
  1: 0 7, 8 4, 16 3, 32 1, 262144 3, 524288 2, 1048576 3
  4: 0 4, 4096 2, 65536 5, 262144 1, 524288 5, 1048576 1
  8: 0 4, 8192 5
  16: 0 4, 4096 5
  32: 0 5
  256: 0 5, 8192 6, 16384 5
  512: 0 5
  2048: 0 5, 512 6, 1024 5, 8192 6, 16384 5
  4096: 0 5, 16 6, 32 5, 1024 6, 2048 5, 8192 6, 16384 5
`,
);

const reducescatter = decisionTable(
  openMpiAlgorithms.reducescatter,
  `
  1: 0 3, 65536 4, 131072 3
  4: 0 1, 8 2, 262144 3
  8: 0 2, 262144 3
  32: 0 1, 64 2, 2048 4, 524288 3
  64: 0 1, 256 2, 512 4, 2048 2, 4096 4
  128: 0 1, 256 2, 512 4
  256: 0 1, 256 2, 1024 4
  512: 0 1, 512 2, 2048 4, 8192 2, 16384 4
  1024: 0 1, 512 2, 4096 4, 16384 2, 32768 4
  2048: 0 1, 512 2, 4096 4
  4096: 0 1, 1024 2, 8192 4
`,
);

const allgather = decisionTable(
  openMpiAlgorithms.allgather,
  `
  1: 0 3
  2: 0 6
  3: 0 3
  32: 0 3, 1024 5, 65536 4
  64: 0 3, 512 5, 65536 4
  128: 0 3, 512 5, 131072 4, 524288 5, 1048576 4
  256: 0 3, 32 2, 128 3, 1024 5, 131072 4, 524288 5, 1048576 4
  512: 0 3, 64 2, 256 3, 2048 5
  1024: 0 3, 4 2, 8 3, 16 2, 32 3, 256 2, 512 3, 4096 5
  2048: 0 2, 32 3, 128 2, 512 3, 4096 5
  4096: 0 3, 2 2, 8 3, 16 2, 512 3, 4096 5
`,
);

/** By bytes per rank. */
const allgatherv = decisionTable(
  openMpiAlgorithms.allgatherv,
  `
  1: 0 1
  2: 0 3, 2048 5, 4096 3, 8192 5
  3: 0 1, 256 4, 4096 3, 8192 4, 16384 2, 262144 4
  8: 0 1, 1024 2
  16: 0 1, 128 2, 262144 3
  32: 0 1, 256 2, 8192 3
  64: 0 1, 256 2, 4096 3
  128: 0 2, 1024 4, 65536 3
  256: 0 2, 1024 3
  512: 0 2, 512 1, 1024 2, 4096 4, 1048576 3
  1024: 0 2, 4096 4
`,
);

const gather = decisionTable(
  openMpiAlgorithms.gather,
  `
  1: 0 3, 2 1, 4 2, 32768 1, 65536 2, 131072 3
  4: 0 2, 1024 1, 8192 2, 32768 1, 262144 3
  8: 0 2
  256: 0 2, 2048 1, 8192 2
  512: 0 2
`,
);

const scatter = decisionTable(
  openMpiAlgorithms.scatter,
  `
  1: 0 3, 2 1, 131072 3, 262144 1
  4: 0 2, 2048 1, 4096 2, 8192 1, 32768 3, 1048576 1
  8: 0 2, 16384 3, 1048576 1
  16: 0 2, 16384 1, 32768 3
  32: 0 2, 512 3, 8192 2, 16384 3
  64: 0 2, 512 3
`,
);

const sum = (parts: readonly number[]): number => parts.reduce((a, b) => a + b, 0);

/** Open MPI's choice, as `smpi/coll-selector:ompi`. */
export const ompi: AlgorithmNames = {
  barrier: (_, size) => decide(barrier, size, 0),
  bcast: (c, size) => decide(bcast, size, c.bytes),
  reduce: (c, size) => decide(reduce, size, c.bytes),
  allreduce: (c, size) => decide(allreduce, size, c.bytes),
  gather: (c, size) => decide(gather, size, c.sendBytes),
  scatter: (c, size) => decide(scatter, size, c.sendBytes),
  allgather: (c, size) => decide(allgather, size, c.sendBytes),
  allgatherv: (c, size) => decide(allgatherv, size, Math.floor(sum(c.recvBytes) / size)),
  alltoall: (c, size) => decide(alltoall, size, c.sendBytes),
  alltoallv: (_, size) => decide(alltoallv, size, 0),
  reducescatter: (c, size) => decide(reducescatter, size, sum(c.recvBytes)),
};
