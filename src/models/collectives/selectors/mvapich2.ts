import { hasShared, type NodesSeen, ranksPerNode } from '../nodes.ts';
import { elementsOf, isPowerOfTwo, powerBelow, sumOf } from '../smpi/elements.ts';
import { type AlgorithmNames, type DecisionTable, decide, decideOn, tablesUpTo, tableUpTo } from './decision.ts';
import { bcastInside, mpich } from './mpich.ts';

/**
 * Decisions of MVAPICH2, tuned for the cluster Stampede, as SimGrid 3.32 makes them (`smpi_mvapich2_selector.cpp`,
 * `smpi_mvapich2_selector_stampede.hpp`), for operations that commute. An algorithm of two levels has an algorithm for leaders, that of
 * the table, and one inside nodes. On nodes with one rank it is that of the leaders alone.
 */
const MPICH = 'mpich';

/** The name of an algorithm of two levels on nodes with several ranks: `smpi/OPERATION:mvapich2` takes it. */
export const OF_NODES = 'mvapich2';

const isTwoLevel = (name: string): boolean => name.endsWith(' of leaders');
const nameOf = (name: string): string => name.replace(' of leaders', '');

const allreduce = tableUpTo(
  { 1: 'mvapich2_two_level of leaders', 2: 'mvapich2_rs', 3: 'mvapich2_rs of leaders' },
  'included',
  `
  16: 1024 1, * 2
  512: 16384 1, * 2
  1024: 8192 1, 65536 3, * 2
  *: 64 1, 512 3, 4096 1, * 2
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

/** On nodes with 16 ranks, SimGrid has no algorithm for short messages among more than 16 ranks: recursive doubling, too. */
const allgather = tablesUpTo({ 1: 'rdb', 2: 'ring', 3: 'ring of leaders' }, 'included', {
  1: `
  2: * 2
  4: 262144 1, * 2
  16: 131072 1, * 2
  32: 65536 1, * 2
  *: 32768 1, * 2
`,
  2: `
  4: 524288 1, * 2
  8: 32768 1, * 3
  16: 16384 1, * 3
  *: * 3
`,
  16: '*: 1024 1, * 2',
});

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
  {
    1: 'mvapich2_knomial of leaders',
    2: 'binomial of leaders',
    3: 'scatter_gather',
    4: 'mvapich2_knomial',
    5: 'binomial',
  },
  'included',
  `
  16: 262144 1, 1048576 5, * 3
  32: 32768 1, 65536 2, 262144 4, 1048576 5, * 3
  64: 16384 1, 65536 2, 262144 1, * 3
  128: 8192 1, 16384 4, 65536 2, 262144 4, 1048576 2, * 3
  256: 16384 1, 32768 2, 65536 5, 1048576 2, * 3
  512: 8192 1, 16384 4, 1048576 2, * 3
  1024: 8192 1, 16384 4, * 2
  *: 2048 1, 4096 4, * 2
`,
);

/** Inside nodes. 1: in turn, or up a k-nomial tree if {@link SHARED_MEMORY} is too small. */
const reduceInside = tableUpTo(
  { 1: 'ompi_basic_linear', 2: 'mvapich2_knomial', 3: 'binomial' },
  'included',
  `
  16: 65536 1, * 3
  32: 8192 1, 16384 2, 262144 1, * 3
  1024: 8192 1, 16384 2, 65536 1, 262144 2, * 3
  *: 16384 1, 65536 2, 131072 3, * 1
`,
);

/** Bytes per rank of a node that a reduce in turn may have. */
const SHARED_MEMORY = 1 << 17;
/** Bytes up to which the ranks of a single node send to its leader in turn. */
const SHORT_ON_NODE = 2048;

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

const scatter = tablesUpTo(
  {
    1: 'ompi_binomial',
    2: 'ompi_basic_linear',
    3: 'ompi_basic_linear of leaders',
    4: 'ompi_binomial of leaders',
  },
  'included',
  {
    1: `
  2: * 1
  32: * 2
  *: 32 1, * 2
`,
    2: `
  4: 4096 1, * 2
  8: 512 3, * 2
  32: 2048 3, * 2
  64: 8192 3, * 2
  *: 16 1, 128 4, 16384 3, * 2
`,
    16: `
  16: 256 1, * 2
  32: 512 1, * 2
  64: 1024 3, * 2
  256: 2048 3, * 2
  512: 4096 3, * 2
  1024: 32 1, 4096 3, * 2
  *: 128 4, 16384 3, 65536 2, * 3
`,
  },
);

const scatterInside = tablesUpTo({ 1: 'ompi_binomial', 2: 'ompi_basic_linear' }, 'included', {
  1: '*: * 1',
  2: `
  64: * 1
  *: 128 2, * 1
`,
  16: `
  256: * 2
  1024: * 1
  *: 1024 1, * 2
`,
});

const gatherInside = tableUpTo(
  { 1: 'ompi_basic_linear', 2: 'ompi_binomial' },
  'included',
  `
  16: * 1
  *: * 2
`,
);

/** Algorithms of a call of two levels: among leaders, and inside nodes of `own` ranks. */
export const levelsOfCall = {
  bcast: (bytes: number, size: number, leaders: number): string => bcastAmong(bytes, size, leaders),
  reduce: (bytes: number, size: number, own: number): { readonly leaders: string; readonly inside: string } => {
    const name = decide(reduceInside, size, bytes);
    const inside = name === 'ompi_basic_linear' && bytes >= own * SHARED_MEMORY ? 'mvapich2_knomial' : name;
    return { leaders: nameOf(decide(reduce, size, bytes)), inside };
  },
  allreduce: (bytes: number, size: number): string =>
    decide(allreduce, size, bytes) === 'mvapich2_rs of leaders' ? 'mvapich2_rs' : 'rdb',
  gather: (bytes: number, size: number): string => decide(gatherInside, size, bytes),
  scatter: (bytes: number, size: number, each: number): { readonly leaders: string; readonly inside: string } => ({
    leaders: nameOf(decideOn(scatter, each, size, bytes)),
    inside: decideOn(scatterInside, each, size, bytes),
  }),
};

/** The bcast of leaders, of a call on `size` ranks. */
function bcastAmong(bytes: number, size: number, leaders: number): string {
  const name = decide(bcast, size, bytes);
  return name === MPICH ? bcastInside(bytes, leaders) : name;
}

/** True if a bcast has two levels. */
const bcastOfNodes = (bytes: number, size: number): boolean => size <= 64 || size > 128 || bytes <= 524_288;

/** The name of a choice, if it has two levels: that of the leaders if each of them is alone on its node. */
const leveled = (name: string, nodes: NodesSeen): string =>
  isTwoLevel(name) && hasShared(nodes) ? OF_NODES : nameOf(name);

/** That of {@link leveled}, if the ranks of each node are consecutive; otherwise another algorithm. */
const blocked = (name: string, nodes: NodesSeen, otherwise: () => string): string =>
  isTwoLevel(name) && hasShared(nodes) && !nodes.blocked ? otherwise() : leveled(name, nodes);

const onNodes = (table: ReadonlyMap<number, DecisionTable>, nodes: NodesSeen, size: number, bytes: number): string =>
  decideOn(table, ranksPerNode(nodes, size), size, bytes);

export const mvapich2: AlgorithmNames = {
  barrier: () => 'mvapich2_pair',
  bcast: (c, size, nodes) => {
    if (!bcastOfNodes(c.bytes, size)) return decide(bcast, size, c.bytes);
    if (nodes === 'inside') return bcastInside(c.bytes, size);
    return hasShared(nodes) ? OF_NODES : bcastAmong(c.bytes, size, size);
  },
  reduce: (c, size, nodes) => {
    const name = decide(reduce, size, c.bytes);
    if (nodes === 'inside' && isTwoLevel(name)) return reduceOnNode(c.bytes);
    return name === 'scatter_gather' && elementsOf(c).count < powerBelow(size) ? 'binomial' : leveled(name, nodes);
  },
  allreduce: (c, size, nodes) => leveled(decide(allreduce, size, c.bytes), nodes),
  gather: (c, size, nodes) => {
    if (hasShared(nodes) && !nodes.blocked) return 'ompi_binomial';
    const name = decide(gather, size, c.sendBytes);
    if (name !== 'mvapich2_two_level') return name;
    if (nodes === 'inside') return decide(gatherInside, size, c.sendBytes);
    return hasShared(nodes) ? OF_NODES : name;
  },
  scatter: (c, size, nodes) => blocked(onNodes(scatter, nodes, size, c.sendBytes), nodes, () => 'ompi_binomial'),
  allgather: (c, size, nodes) =>
    blocked(onNodes(allgather, nodes, size, c.recvBytes), nodes, () => mpich.allgather(c, size, nodes)),
  allgatherv: (c, size) => {
    const name = decide(allgatherv, size, Math.ceil(sumOf(c.recvBytes) / size));
    return name === 'mpich_rdb' && !isPowerOfTwo(size) ? 'ompi_bruck' : name;
  },
  alltoall: (c, size) => decide(alltoall, size, c.sendBytes),
  alltoallv: () => 'ring',
  reducescatter: (c, size) => decide(reducescatter, size, sumOf(c.recvBytes)),
};

/** The reduce of two levels on a single node, to its leader. */
export const reduceOnNode = (bytes: number): string =>
  bytes <= SHORT_ON_NODE ? 'ompi_basic_linear' : 'mvapich2_knomial';
