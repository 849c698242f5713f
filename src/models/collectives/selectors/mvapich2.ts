import { elementsOf, isPowerOfTwo, powerBelow, sumOf } from '../smpi/elements.ts';
import { type AlgorithmNames, decide, tableUpTo } from './decision.ts';
import { bcastInside } from './mpich.ts';

/**
 * Decisions of MVAPICH2, tuned for the cluster Stampede, as SimGrid 3.32 makes them (`smpi_mvapich2_selector.cpp`,
 * `smpi_mvapich2_selector_stampede.hpp`), for one rank per node and operations that commute. On such nodes an algorithm of two levels
 * is that of the leaders alone.
 */
const MPICH = 'mpich';

const allreduce = tableUpTo(
  { 1: 'mvapich2_two_level', 2: 'mvapich2_rs' },
  'included',
  `
  16: 1024 1, * 2
  512: 16384 1, * 2
  1024: 8192 1, * 2
  *: 64 1, 512 2, 4096 1, * 2
`,
);

const alltoall = tableUpTo(
  { 1: 'rdb', 2: 'bruck', 3: 'mvapich2_scatter_dest', 4: 'pair' },
  'included',
  `
  2: * 4
  4: 262144 3, * 4
  8: 8 1, * 3
  16: 64 1, 512 2, * 3
  32: 32 1, 2048 2, * 3
  *: 8 1, 1024 2, * 3
`,
);

const allgather = tableUpTo(
  { 1: 'rdb', 2: 'ring' },
  'included',
  `
  2: * 2
  4: 262144 1, * 2
  16: 131072 1, * 2
  32: 65536 1, * 2
  *: 32768 1, * 2
`,
);

/** By the mean of the parts. */
const allgatherv = tableUpTo(
  { 1: 'mpich_rdb', 2: 'mpich_ring' },
  'included',
  `
  32: 512 1, * 2
  *: 256 1, * 2
`,
);

/** 1: MPICH's bcast of the leaders, instead of a pipeline without copies. */
const bcast = tableUpTo(
  { 1: MPICH, 2: 'binomial_tree', 3: 'scatter_LR_allgather', 4: 'scatter_rdb_allgather' },
  'included',
  `
  16: 8192 1, 16384 2, 65536 1, 262144 3, 524288 4, * 3
  64: * 1
  128: 524288 1, * 3
  256: 131072 1, 262144 3, 524288 1, * 3
  512: 262144 1, * 3
  *: 524288 1, * 3
`,
);

const gather = tableUpTo(
  { 1: 'ompi_basic_linear', 2: 'ompi_binomial', 3: 'mvapich2_two_level' },
  'included',
  `
  16: 524288 1, * 2
  32: 16384 1, 131072 2, * 3
  64: 256 3, 16384 1, * 3
  *: 512 3, 16384 1, * 3
`,
);

const reduce = tableUpTo(
  { 1: 'mvapich2_knomial', 2: 'binomial', 3: 'scatter_gather' },
  'included',
  `
  16: 262144 1, 1048576 2, * 3
  32: 32768 1, 65536 2, 262144 1, 1048576 2, * 3
  64: 16384 1, 65536 2, 262144 1, * 3
  128: 16384 1, 65536 2, 262144 1, 1048576 2, * 3
  512: 16384 1, 1048576 2, * 3
  1024: 16384 1, * 2
  *: 4096 1, * 2
`,
);

const reducescatter = tableUpTo(
  { 1: 'default', 2: 'ompi_basic_recursivehalving', 3: 'mpich_pair' },
  'included',
  `
  16: 64 1, 65536 2, * 3
  32: 64 1, 131072 2, * 3
  64: 1024 1, 262144 2, * 3
  256: 128 1, * 2
  *: 256 1, * 2
`,
);

const scatter = tableUpTo(
  { 1: 'ompi_binomial', 2: 'ompi_basic_linear' },
  'included',
  `
  2: * 1
  32: * 2
  *: 32 1, * 2
`,
);

export const mvapich2: AlgorithmNames = {
  barrier: () => 'mvapich2_pair',
  bcast: (c, size) => {
    const name = decide(bcast, size, c.bytes);
    return name === MPICH ? bcastInside(c.bytes, size) : name;
  },
  reduce: (c, size) => {
    const name = decide(reduce, size, c.bytes);
    return name === 'scatter_gather' && elementsOf(c).count < powerBelow(size) ? 'binomial' : name;
  },
  allreduce: (c, size) => decide(allreduce, size, c.bytes),
  gather: (c, size) => decide(gather, size, c.sendBytes),
  scatter: (c, size) => decide(scatter, size, c.sendBytes),
  allgather: (c, size) => decide(allgather, size, c.recvBytes),
  allgatherv: (c, size) => {
    const name = decide(allgatherv, size, Math.ceil(sumOf(c.recvBytes) / size));
    return name === 'mpich_rdb' && !isPowerOfTwo(size) ? 'ompi_bruck' : name;
  },
  alltoall: (c, size) => decide(alltoall, size, c.sendBytes),
  alltoallv: () => 'ring',
  reducescatter: (c, size) => decide(reducescatter, size, sumOf(c.recvBytes)),
};
