import { cluster } from './cluster.ts';
import type { Machine } from './machine.ts';

const SIMGRID = "SimGrid's examples/platforms";
/** SimGrid's defaults smpi/async-small-thresh and smpi/send-is-detached-thresh. */
const simgridProtocol = { eagerBelow: 0, detachedBelow: '64KiB' } as const;

/** Machines that are known by name; `source` says where each number comes from. */
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
};

/** The names of the built-in machines. */
export const BUILT_IN_MACHINES: readonly string[] = Object.keys(MACHINES);

/** The built-in machine of this name, if there is one. */
export function builtInMachine(name: string): Machine | undefined {
  return Object.hasOwn(MACHINES, name) ? MACHINES[name]!() : undefined;
}
