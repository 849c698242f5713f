import { cluster } from '../cluster.ts';
import type { Machine } from '../machine.ts';

const SIMGRID = "SimGrid's examples/platforms";
/** SimGrid's defaults of smpi/async-small-thresh and smpi/send-is-detached-thresh. */
const simgridProtocol = { eagerBelow: 0, detachedBelow: '64KiB' } as const;

const GUIDE = 'San Diego Supercomputer Center';
/**
 * MVAPICH2 User Guide, MV2_IBA_EAGER_THRESHOLD: default for ConnectX adapters. Both machines list MVAPICH2 among their
 * MPI libraries.
 */
const mvapichProtocol = { eagerBelow: '12KiB' } as const;
/**
 * 4x QDR InfiniBand. Gordon's guide gives 8 GB/s for both directions together, hence 4 GB/s per direction. The guides
 * of both machines give an MPI latency of 1.3 µs. A message crosses two cables (the sender's and the receiver's), so
 * each cable has half of that. The latency includes the CPU overhead of a message; no source gives the overhead
 * separately.
 */
const qdr = { latency: '650ns', bandwidth: '4GB/s' } as const;

/**
 * Built-in machines by name; `source` says where each number comes from.
 *
 * - `simgrid-…`: SimGrid's example platforms with the same numbers.
 * - `sdsc-trestles`: Trestles User Guide, Technical Summary (sdsc.edu/us/resources/trestles): 324 nodes; 4 sockets, 32
 *   cores; 307 Gflop/s per node = 9.6 Gflop/s per core (2.4 GHz, 4 flops per cycle); STREAM Triad 100 GB/s per node.
 *   The fat tree has a bisection bandwidth of 5.2 Tb/s = 324/2 cables of 32 Gb/s, so only the cables limit messages, as
 *   in a crossbar.
 * - `sdsc-gordon-switch`: Gordon User Guide, Technical Summary (sdsc.edu/support/user_guides/gordon.html): the 16 nodes
 *   of one of the switches that form Gordon's torus; 2 sockets, 16 cores; 333 Gflop/s per node = 20.8 Gflop/s per core
 *   (2.6 GHz, 8 flops per cycle); STREAM Triad 60 GB/s per node.
 *
 * The sources of the last two give no numbers for communication within a node; the numbers of the cable are used.
 */
const MACHINES: Readonly<Record<string, () => Machine>> = {
  'simgrid-backbone': () =>
    cluster({
      name: 'simgrid-backbone',
      source: `${SIMGRID}/cluster_backbone.xml; protocol: SimGrid's defaults`,
      nodes: 100,
      coresPerNode: 1,
      speed: '1Gf',
      link: { latency: '50us', bandwidth: '125MB/s' },
      network: { kind: 'backbone', latency: '500us', bandwidth: '2.25GB/s' },
      ...simgridProtocol,
    }),
  'simgrid-fat-tree': () =>
    cluster({
      name: 'simgrid-fat-tree',
      source: `${SIMGRID}/cluster_fat_tree.xml (loopback as intraNode); protocol: SimGrid's defaults`,
      nodes: 16,
      coresPerNode: 1,
      speed: '1Gf',
      link: { latency: '50us', bandwidth: '125MB/s' },
      intraNode: { latency: 0, bandwidth: '100MB/s' },
      network: { kind: 'fat-tree', down: [4, 4], up: [1, 2], cables: [1, 2] },
      ...simgridProtocol,
    }),
  'sdsc-trestles': () =>
    cluster({
      name: 'sdsc-trestles',
      source: `${GUIDE}, Trestles User Guide, Technical Summary; cables: Gordon User Guide; protocol: MVAPICH2 User Guide`,
      nodes: 324,
      coresPerNode: 32,
      socketsPerNode: 4,
      speed: '9.6Gf',
      memory: '100GB/s',
      link: qdr,
      ...mvapichProtocol,
    }),
  'sdsc-gordon-switch': () =>
    cluster({
      name: 'sdsc-gordon-switch',
      source: `${GUIDE}, Gordon User Guide, Technical Summary; protocol: MVAPICH2 User Guide`,
      nodes: 16,
      coresPerNode: 16,
      socketsPerNode: 2,
      speed: '20.8Gf',
      memory: '60GB/s',
      link: qdr,
      ...mvapichProtocol,
    }),
};

export const BUILT_IN_MACHINES: readonly string[] = Object.keys(MACHINES);

/** The built-in machine of this name; undefined if it does not exist. */
export function builtInMachine(name: string): Machine | undefined {
  return Object.hasOwn(MACHINES, name) ? MACHINES[name]!() : undefined;
}
