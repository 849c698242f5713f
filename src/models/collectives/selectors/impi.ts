import { isPowerOfTwo, sumOf } from '../smpi/elements.ts';
import { type AlgorithmNames, decide, tableUpTo } from './decision.ts';
import { mvapich2 } from './mvapich2.ts';

/**
 * Decisions of Intel MPI 4.1 on the cluster Stampede with one rank per node, as SimGrid 3.32 makes them
 * (`smpi_intel_mpi_selector.cpp`): the numbers are those of `I_MPI_ADJUST_ALLREDUCE` and its like. SimGrid takes MVAPICH2's choice
 * for algorithms of Intel's own.
 */
const MVAPICH2 = 'mvapich2';

const allreduce = tableUpTo(
  {
    1: 'rdb',
    2: 'rab1',
    3: 'redbcast',
    4: 'mvapich2_two_level',
    5: 'smp_binomial',
    6: 'mvapich2_two_level',
    7: 'ompi_ring_segmented',
    8: 'ompi_ring_segmented',
  },
  'excluded',
  `
  2: 6 7, 85 1, 192 7, 853 1, 1279 7, 16684 1, 34279 8, 1681224 3, * 7
  4: 16 7, 47 1, 2062 7, 16699 1, 33627 7, 70732 8, 1300705 3, * 8
  8: 118 1, 146 4, 16760 1, 36364 6, 136239 8, 315710 7, 3220366 3, * 8
  16: 934 1, 1160 6, 15505 1, 52730 2, 300705 8, 563680 7, * 3
  *: 5 6, 11 4, 182 1, 700 6, 1450 4, 11146 1, 25539 6, 37634 4, 93784 6, 817658 2, * 3
`,
);

const alltoall = tableUpTo(
  { 1: 'bruck', 2: 'mvapich2_scatter_dest', 3: 'pair', 4: MVAPICH2 },
  'excluded',
  `
  2: * 3
  4: 0 4, * 2
  8: * 2
  16: 0 3, 84645 2, 167570 3, 413152 4, * 2
  32: 61 1, 164 2, 696 1, 143254 2, 387024 3, * 2
  64: 523 1, 146088 2, 488989 4, * 2
  *: 270 1, 628 4, * 2
`,
);

const barrier = tableUpTo(
  { 1: 'ompi_basic_linear', 2: 'ompi_recursivedoubling', 6: 'ompi_basic_linear' },
  'excluded',
  `
  2: * 2
  4: * 6
  8: * 1
  64: * 2
  *: * 6
`,
);

const bcast = tableUpTo(
  { 1: 'binomial_tree', 2: 'NTSL', 4: 'SMP_binomial', 5: 'NTSL', 6: 'SMP_linear', 7: MVAPICH2 },
  'excluded',
  `
  2: 1 2, 402 7, 682 5, 1433 4, 5734 7, 21845 1, 95963 6, 409897 5, * 1
  4: * 7
  8: 3 6, 4 7, 25 6, 256 1, 682 6, 1264 1, 2234 6, 6655 5, 16336 1, 3998434 7, * 6
  *: * 7
`,
);

const reducescatter = tableUpTo(
  { 1: 'ompi_basic_recursivehalving', 2: 'mpich_pair', 3: 'mpich_rdb', 4: 'default', 5: 'default' },
  'excluded',
  `
  2: 5 4, 522429 2, 1375877 5, 2932736 2, * 5
  4: 4 4, 15 1, 120 3, 651 1, 12188 3, 33890 1, 572117 2, 1410202 5, * 2
  8: 4 4, 2263 1, 25007 3, 34861 1, 169625 2, 2734000 4, * 2
  16: 4 4, 14228 1, 46084 3, 522139 2, * 5
  32: 4 4, 27516 1, 61693 3, 2483469 2, * 5
  64: 0 3, 4 4, 100396 1, * 2
  *: 0 3, 4 4, 186926 1, 278259 3, 1500100 2, * 5
`,
);

const allgather = tableUpTo(
  { 1: 'rdb', 2: 'bruck', 3: 'ring', 4: 'GB' },
  'excluded',
  `
  4: 1 4, 384 1, 1533 4, 3296 1, 10763 4, 31816 3, 193343 4, 405857 3, 597626 4, 1844323 3, * 4
  8: 12 4, 46 1, 205 4, 3422 2, 4200 4, 8748 1, 24080 3, 33244 4, 371159 1, * 3
  16: 3 4, 53 1, 100 4, 170 1, 6077 4, 127644 1, 143741 4, * 3
  *: 184 1, 320 4, 759 1, 1219 4, 2633 1, 8259 4, 123678 1, 160801 4, 284341 1, * 4
`,
);

const allgatherv = tableUpTo(
  { 1: 'mpich_rdb', 2: 'ompi_bruck', 3: 'ring', 4: 'GB' },
  'excluded',
  `
  2: 259668 3, 635750 4, * 3
  4: 1 1, 5 4, 46 1, 2590 2, 1177259 3, 2767234 4, * 3
  8: 99 2, 143 1, 4646 2, 63522 3, 2187806 4, * 3
  *: 1 1, 5 4, 46 1, 2590 2, 1177259 3, 2767234 4, * 3
`,
);

const gather = tableUpTo(
  { 2: 'ompi_binomial', 3: MVAPICH2 },
  'excluded',
  `
  8: 17561 3, 44791 2, * 3
  16: 16932 3, 84425 2, 158363 3, 702801 2, 1341444 3, 2413569 2, * 3
  *: 47187 3, 349696 2, * 3
`,
);

const scatter = tableUpTo(
  { 1: 'ompi_binomial', 2: 'ompi_binomial', 3: MVAPICH2 },
  'excluded',
  `
  2: 16391 1, * 3
  4: 16723 3, 153541 2, 425631 3, 794142 2, 1257027 3, * 2
  8: 2633 3, 6144 2, 14043 3, 24576 2, 107995 3, 1752729 2, * 3
  16: 2043 3, 2252 2, 17749 3, 106020 2, 628654 3, 3751354 2, * 3
  *: 65907 3, 245132 2, 1042439 3, * 2
`,
);

/** The name, or MVAPICH2's choice for the same call. */
const orElse = (name: string, otherwise: () => string): string => (name === MVAPICH2 ? otherwise() : name);

export const impi: AlgorithmNames = {
  barrier: (_, size) => decide(barrier, size, 1),
  bcast: (c, size) => orElse(decide(bcast, size, c.bytes), () => mvapich2.bcast(c, size, undefined)),
  reduce: mvapich2.reduce,
  allreduce: (c, size) => {
    const name = decide(allreduce, size, c.bytes);
    // SimGrid ends with an error: `rab1` needs a power of two of ranks. The same exchanges among other ranks are `rab_rdb`.
    return name === 'rab1' && !isPowerOfTwo(size) ? 'rab_rdb' : name;
  },
  gather: (c, size) => orElse(decide(gather, size, c.sendBytes), () => mvapich2.gather(c, size, undefined)),
  scatter: (c, size) => orElse(decide(scatter, size, c.sendBytes), () => mvapich2.scatter(c, size, undefined)),
  allgather: (c, size) => decide(allgather, size, c.recvBytes),
  allgatherv: (c, size) => decide(allgatherv, size, sumOf(c.recvBytes)),
  alltoall: (c, size) => orElse(decide(alltoall, size, c.sendBytes), () => mvapich2.alltoall(c, size, undefined)),
  alltoallv: () => 'ompi_basic_linear',
  reducescatter: (c, size) => decide(reducescatter, size, sumOf(c.recvBytes)),
};
