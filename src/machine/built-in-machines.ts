import { cluster } from './cluster.ts';
import type { Machine } from './machine.ts';

const SIMGRID = "SimGrid's examples/platforms";
/** SimGrid's defaults smpi/async-small-thresh and smpi/send-is-detached-thresh. */
const simgridProtocol = { eagerBelow: 0, detachedBelow: '64KiB' } as const;

/** Machines that are known by name; `source` says where each number comes from. */
const MACHINES: Readonly<Record<string, () => Machine>> = {
  'bluegene-q-midplane': () =>
    cluster({
      name: 'bluegene-q-midplane',
      source:
        `IBM System Blue Gene Solution: Blue Gene/Q Hardware Overview and Installation Planning (SG24-7872), chapter 2:
5-D torus, 2 GB/s raw per direction less 10 % packet overhead, about 40 ns a hop, 512 nodes of 16 cores as 4 x 4 x 4 x 4 x 2.
Speed: the peak of a core, 1.6 GHz x 4 lanes x 2 (204.8 Gflop/s a node, euroben.nl). eagerBelow: the default rendezvous
cutoff of 2049 bytes (LLNL, BG/Q message protocols). Within a node: as one cable, for want of a figure. Times of software
are not in these numbers.`.replaceAll('\n', ' '),
      nodes: 512,
      coresPerNode: 16,
      speed: '12.8Gf',
      link: { latency: '40ns', bandwidth: '1.8GB/s' },
      network: { kind: 'torus', sizes: [4, 4, 4, 4, 2] },
      eagerBelow: 2049,
    }),
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
};

/** The names of the built-in machines. */
export const BUILT_IN_MACHINES: readonly string[] = Object.keys(MACHINES);

/** The built-in machine of this name, if there is one. */
export function builtInMachine(name: string): Machine | undefined {
  return Object.hasOwn(MACHINES, name) ? MACHINES[name]!() : undefined;
}
