import type { Noise } from '../base/random/noise.ts';
import type { ThreadCosts } from '../base/thread-costs.ts';
import type { HostPower, Transport } from './platform.ts';
import type { Network } from './topology/topologies.ts';

/** A group of equal nodes, named `name0`, `name1` and so on. */
export interface NodeGroup {
  /** Name of the group, the prefix of its nodes' names. */
  readonly name: string;
  /** Number of nodes. */
  readonly count: number;
  /** Sockets of a node; they divide its cores evenly. */
  readonly sockets: number;
  /** Cores of a node, over all sockets. */
  readonly cores: number;
  /** Speed of one core, in flop/s. */
  readonly speed: number;
  /**
   * Factors on the speed of a core while 1, 2, … cores of its socket compute; the last one also holds for more. None is above the one
   * before. Absent: always 1.
   */
  readonly turbo?: readonly number[];
  /** Power of a node, in watts. Absent: unknown. */
  readonly power?: HostPower;
  /** Each direction of the cable between a node and its switch; in a torus, of every cable. */
  readonly link: Transport;
  /** Connection between ranks of one node; messages do not share its bandwidth. */
  readonly intraNode: Transport;
  /**
   * Memory bandwidth of a node in byte/s, divided evenly among its sockets. Absent if unknown; computations that move
   * bytes then cannot be predicted.
   */
  readonly memory?: number;
  /** Upper limit of the memory bandwidth of one core in byte/s. Absent if only `memory` limits it. */
  readonly memoryPerCore?: number;
}

/** Order of the arithmetic and the memory accesses of a computation: one after the other, or at the same time. */
export type MemoryAccess = 'after' | 'overlapped';

/**
 * CPU time that a rank's core spends on a message, in seconds: `send` and `receive` are o of LogGP (Alexandrov,
 * Ionescu, Schauser, Scheiman: LogGP, SPAA 1995), `perByte` is O of LogGOPS (Hoefler, Schneider, Lumsdaine: LogGOPSim,
 * HPDC 2010).
 */
export interface Overhead {
  /** Processor time per sent message, in seconds. */
  readonly send: number;
  /** Processor time per received message, in seconds. */
  readonly receive: number;
  /** Seconds per byte, at the sender and again at the receiver. */
  readonly perByte: number;
}

/** A factor for messages of more than `above` bytes, with envelope, up to the next piece. Below all pieces the factor is 1. */
export interface FactorPiece {
  readonly above: number;
  readonly factor: number;
}

/**
 * Time of a call for messages of more than `above` bytes, up to the next piece; the first piece also holds below: `time` in
 * seconds and `perByte` in s/B (default 0).
 */
export interface CallPiece {
  readonly above: number;
  readonly time: number;
  readonly perByte?: number;
}

/** Times of calls by the size of the message, as SimGrid counts them; omitted ones take no time. */
export interface MachineCalls {
  /** A blocking send that does not wait for its receiver, or is synchronous: before its message starts. */
  readonly send?: readonly CallPiece[];
  /** Every non-blocking send: before its message starts. */
  readonly isend?: readonly CallPiece[];
  /** The receiver of a message whose sender did not wait: after its arrival. */
  readonly receive?: readonly CallPiece[];
}

/** Factors from given times on, in seconds. */
export type FactorsOverTime = readonly { readonly at: number; readonly factor: number }[];

/** A node or link that changes over time. */
export interface MachineChange {
  /** Name of the node or link, as results have it: `node3`, `node0.up`. */
  readonly of: string;
  /** Of a node: factors on the speed of its cores. */
  readonly speed?: FactorsOverTime;
  /** Of a link: factors on its bandwidth. */
  readonly bandwidth?: FactorsOverTime;
  /** Of a link: factors on its latency. */
  readonly latency?: FactorsOverTime;
  /** The factors are repeated after this many seconds. Absent: the last one remains. */
  readonly every?: number;
  /** When it fails (s): the ranks on the node stop, the messages on it are lost. Absent: never. */
  readonly fails?: number;
  /** When a link works again (s). Absent: never. */
  readonly returns?: number;
}

/**
 * A parallel machine as plain data in SI units: seconds, bytes, byte/s, flop/s. `cluster` and `readMachineFile` create
 * machines; both fill in defaults and check that the parts fit together.
 */
export interface Machine {
  /** Name of the machine. */
  readonly name: string;
  /** Source of the numbers, such as a user guide. */
  readonly source?: string;
  /** Groups of equal nodes. */
  readonly nodes: readonly NodeGroup[];
  /** The interconnect. */
  readonly network: Network;
  /** Eager threshold: messages of fewer bytes start to travel at the send, whether or not the receive is posted. */
  readonly eagerBelow: number;
  /** A blocking send of fewer bytes returns at once; at least `eagerBelow`. */
  readonly detachedBelow: number;
  /** `fcfs`: links serve messages in the order of arrival. Absent: messages share links equally (max-min). */
  readonly sharing?: 'fcfs';
  /** Factors on the latency of routes, by size of the message. Absent: those of the network model. */
  readonly latencyFactor?: readonly FactorPiece[];
  /** Factors on the bandwidth of routes, by size of the message. Absent: those of the network model. */
  readonly bandwidthFactor?: readonly FactorPiece[];
  /** Times of calls, instead of `overhead`, also in replays of traces. Absent: none. */
  readonly callTimes?: MachineCalls;
  /** Algorithms of collectives, as the option `collectives` takes them; a file of rules relative to the working directory. Absent: those of the network model. */
  readonly collectives?: string;
  /** Time of a computation of W flops and D bytes: W/S + D/B (`after`) or max(W/S, D/B) (`overlapped`). */
  readonly memoryAccess: MemoryAccess;
  /** Processor time per message. */
  readonly overhead: Overhead;
  /**
   * Minimum time between two messages that leave a node, and between two that arrive at it, in seconds: g of LogGP. 0:
   * no gap. Messages within a node are not affected.
   */
  readonly gap: number;
  /** Operating-system noise: a random factor on every computation. Absent: none. */
  readonly noise?: Noise;
  /** File storage: latency of every read or write, and the bandwidth that all ranks share. */
  readonly storage?: Transport;
  /** Costs of thread operations in seconds. Absent: the defaults. */
  readonly threads?: ThreadCosts;
  /** Nodes and links that change over time. Absent: none. */
  readonly changes?: readonly MachineChange[];
}

/** Number of nodes of a machine. */
export function nodeCount(machine: Pick<Machine, 'nodes'>): number {
  return machine.nodes.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Names of the parts of a machine that the replay of a time-independent trace ignores: `overhead` if any of it is above
 * 0, and `noise` if given. Memory is not listed: computations in such a trace have no byte counts, so memory cannot
 * affect them.
 */
export function traceIgnores({ overhead, noise }: Pick<Machine, 'overhead' | 'noise'>): string[] {
  const { send, receive, perByte } = overhead;
  return [...(send > 0 || receive > 0 || perByte > 0 ? ['overhead'] : []), ...(noise === undefined ? [] : ['noise'])];
}
