import type { Noise } from '../base/noise.ts';

/** A way of messages: how long it takes to cross (s), and how much passes at a time (byte/s). */
export interface Transport {
  readonly latency: number;
  readonly bandwidth: number;
}

/** Nodes of one kind, `name0`, `name1` and so on. */
export interface NodeGroup {
  readonly name: string;
  readonly count: number;
  /** Sockets of a node; they divide its cores evenly. */
  readonly sockets: number;
  /** Cores of a node, over all its sockets. */
  readonly cores: number;
  /** Speed of one core, in flop/s. */
  readonly speed: number;
  /** Each direction of the cable between a node and its switch; in a torus, of every cable. */
  readonly link: Transport;
  /** Between ranks of one node; each message has this bandwidth to itself. */
  readonly intraNode: Transport;
  /**
   * Bandwidth of a node's memory, in byte/s; of its sockets each has an even share. Absent where it is not known: then
   * nothing can be said of a computation that moves bytes.
   */
  readonly memory?: number;
  /** The most that one core can draw of it, in byte/s; absent where only `memory` bounds it. */
  readonly memoryPerCore?: number;
}

/** How the memory accesses of a computation lie to its arithmetic: one after the other, or at the same time. */
export type MemoryAccess = 'after' | 'overlapped';

/**
 * Time that a rank's core spends on a message itself, in seconds: o of LogGP (Alexandrov, Ionescu, Schauser, Scheiman:
 * LogGP, SPAA 1995), and, per byte and on either side, O of LogGOPS (Hoefler, Schneider, Lumsdaine: LogGOPSim, HPDC 2010).
 */
export interface Overhead {
  readonly send: number;
  readonly receive: number;
  /** s/B. */
  readonly perByte: number;
}

/** How nodes are joined. Every cable carries both directions at once. */
export type Network =
  /** One switch that is never a bottleneck. */
  | { readonly kind: 'crossbar' }
  /** One switch whose inside all messages between nodes share. */
  | ({ readonly kind: 'backbone' } & Transport)
  /** Level by level from the nodes up: children of a switch, parents of a node, parallel cables to each parent. */
  | {
      readonly kind: 'fat-tree';
      readonly down: readonly number[];
      readonly up: readonly number[];
      readonly cables: readonly number[];
    }
  /** Nodes in a grid of these sizes, each dimension closed to a ring; the first dimension counts fastest. */
  | { readonly kind: 'torus'; readonly sizes: readonly number[] };

/**
 * A parallel machine as plain data in SI units: seconds, bytes, byte/s, flop/s. `cluster` makes one, and so does a
 * machine file; both fill in what was left out and have checked that the parts fit together.
 */
export interface Machine {
  readonly name: string;
  /** Where the numbers come from. */
  readonly source?: string;
  readonly nodes: readonly NodeGroup[];
  readonly network: Network;
  /** A message of fewer bytes starts to travel at the send, whether or not the receive is posted. */
  readonly eagerBelow: number;
  /** A blocking send of fewer bytes lets the sender go on at once; at least `eagerBelow`. */
  readonly detachedBelow: number;
  /** A computation of W flops and D bytes takes W/S + D/B (`after`) or the larger of the two (`overlapped`). */
  readonly memoryAccess: MemoryAccess;
  readonly overhead: Overhead;
  /**
   * The least time between two messages that leave a node, and between two that come to it, in seconds: g of LogGP. 0: none.
   * Messages within a node do not count.
   */
  readonly gap: number;
  /** The factor that the operating system puts on every computation; absent for none. */
  readonly noise?: Noise;
  /** Where files are: the time that every read or write takes first, and the bandwidth that all ranks share. */
  readonly storage?: Transport;
}

/** All nodes of a machine. */
export function nodeCount(machine: Pick<Machine, 'nodes'>): number {
  return machine.nodes.reduce((sum, { count }) => sum + count, 0);
}
