import { cluster } from './cluster.ts';
import type { Machine } from './machine.ts';

const SIMGRID = "SimGrid's examples/platforms";
/** SimGrid's defaults smpi/async-small-thresh and smpi/send-is-detached-thresh. */
const simgridProtocol = { eagerBelow: 0, detachedBelow: '64KiB' } as const;

const GUIDE = 'San Diego Supercomputer Center';
/** MVAPICH2 User Guide, MV2_IBA_EAGER_THRESHOLD: its default on ConnectX adapters. MVAPICH2 is on both machines' lists. */
const mvapichProtocol = { eagerBelow: '12KiB' } as const;
/**
 * 4x QDR InfiniBand, by the guide of Gordon: 8 GB/s in both directions, so 4 GB/s in each; and 1.3 µs MPI latency, in the
 * guides of both machines. A message crosses two cables, its sender's and its receiver's, so that each has half of that.
 * What the cores spend on a message is part of the latency: nothing is published of overhead alone.
 */
const qdr = { latency: '650ns', bandwidth: '4GB/s' } as const;

/**
 * Machines that are known by name; `source` says where each number comes from.
 *
 * - `simgrid-…`: SimGrid's example platforms, number by number.
 * - `sdsc-trestles`: Trestles User Guide, Technical Summary (sdsc.edu/us/resources/trestles): 324 nodes; 4 sockets, 32 cores;
 *   307 Gflop/s a node, which is 9.6 a core (2.4 GHz, 4 a cycle); STREAM Triad 100 GB/s a node. Its fat tree's bisection of
 *   5.2 Tb/s is 324/2 cables of 32 Gb/s: nothing but the cables limits messages, as in a crossbar.
 * - `sdsc-gordon-switch`: Gordon User Guide, Technical Summary (sdsc.edu/support/user_guides/gordon.html): 16 nodes, those of
 *   one of the switches that Gordon's torus joins; 2 sockets, 16 cores; 333 Gflop/s a node, which is 20.8 a core (2.6 GHz, 8
 *   a cycle); STREAM Triad 60 GB/s a node.
 *
 * Of the ways within a node nothing is published for the last two: there the numbers of the cable hold.
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

/** The names of the built-in machines. */
export const BUILT_IN_MACHINES: readonly string[] = Object.keys(MACHINES);

/** The built-in machine of this name, if there is one. */
export function builtInMachine(name: string): Machine | undefined {
  return Object.hasOwn(MACHINES, name) ? MACHINES[name]!() : undefined;
}
