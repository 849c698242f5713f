import { InputError, type Place, Problems } from '../base/problem.ts';
import type { Noise } from '../base/random/noise.ts';
import type { ThreadCosts } from '../base/thread-costs.ts';
import type { Rate, Size, Speed, Time } from '../base/units.ts';
import { machineForm } from './description/machine-schema.ts';
import { type Path, type Report, readForm } from './description/read-form.ts';
import { resolveMachine } from './description/resolve-machine.ts';
import type { Machine, MachineCalls, MemoryAccess } from './machine.ts';
import type { NetworkOptions } from './topology/topologies.ts';
import type { TransportOptions } from './topology/topology.ts';

/** Properties of a node. */
export interface NodeOptions {
  /** Sockets of a node; they divide its cores and its memory bandwidth evenly. Default 1. */
  readonly socketsPerNode?: number;
  /** Cores of a node, over all sockets. */
  readonly coresPerNode: number;
  /** Speed of one core: flop/s, or `'2.4Gf'`. */
  readonly speed: Speed;
  /**
   * Factors on `speed` while 1, 2, … cores of a socket compute, as in the turbo table of a processor: `[1.4, 1.3, 1.1]`. The last one also
   * holds for more. None is above the one before. Default: 1.
   */
  readonly turbo?: readonly number[];
  /**
   * Power of a node in watts: while no core computes (`idle`), hardly anything does (`busy`, default `idle`), and all cores do (`full`).
   * In between it is linear in the busy cores. Default: unknown.
   */
  readonly power?: { readonly idle: number; readonly busy?: number; readonly full: number };
  /** Each direction of a cable. A message between two nodes crosses at least two cables, in a torus at least one. */
  readonly link: TransportOptions;
  /** Connection between ranks of one node; messages do not share its bandwidth. Default: the numbers of `link`. */
  readonly intraNode?: TransportOptions;
  /**
   * Memory bandwidth of a node: byte/s, or `'200GB/s'`. Each socket has an equal share of it, divided among its
   * cores that access memory at the same time.
   */
  readonly memory?: Rate;
  /** Upper limit of the part of `memory` that one core can use. Default: the whole bandwidth of its socket. */
  readonly memoryPerCore?: Rate;
}

/** CPU time that a rank's core spends on each message; it cannot compute meanwhile. */
export interface OverheadOptions {
  /** Per message sent: seconds, or `'400ns'`. */
  readonly send: Time;
  /** Per message received: seconds, or `'400ns'`. */
  readonly receive: Time;
  /** Per byte of a message, at the sender and again at the receiver: s/B, or `'0.1ns'`. Default 0. */
  readonly perByte?: Time;
}

/** A factor for messages of more than `above` bytes. */
export interface FactorPieceOptions {
  /** Bytes, or `'64KiB'`; ascending in a list. */
  readonly above: Size;
  /** Above 0. */
  readonly factor: number;
}

/** Time of a call for messages of more than `above` bytes. */
export interface CallPieceOptions {
  /** Bytes, or `'64KiB'`; ascending in a list. */
  readonly above: Size;
  /** Seconds, or `'400ns'`. */
  readonly time: Time;
  /** s/B, or `'0.1ns'`. Default 0. */
  readonly perByte?: Time;
}

/** Costs of thread operations: seconds, or strings with a unit (`'50ns'`). Omitted ones have their default. */
export type ThreadCostOptions = { readonly [K in keyof ThreadCosts]?: Time };

/** A group of equal nodes. Omitted properties are taken from the machine. */
export interface GroupOptions extends Partial<NodeOptions> {
  /** Prefix of the names of its nodes, before their number; must not end in a digit. Default `groupK-`. */
  readonly name?: string;
  /** Number of nodes of the group, at least 1. */
  readonly nodes: number;
}

/** A node or link that changes over time; times are seconds, or strings with a unit. */
export interface ChangeOptions {
  /** Name of the node or link, as results have it: `node3`, `node0.up`. */
  readonly of: string;
  /** Of a node: factors on the speed of its cores, above 0. */
  readonly speed?: readonly { readonly at: Time; readonly factor: number }[];
  /** Of a link: factors on its bandwidth, above 0. */
  readonly bandwidth?: readonly { readonly at: Time; readonly factor: number }[];
  /** Of a link: factors on its latency, from 0 on. */
  readonly latency?: readonly { readonly at: Time; readonly factor: number }[];
  /** The factors are repeated after this time. Default: the last one remains. */
  readonly every?: Time;
  /** When it fails: the ranks on the node stop, the messages on it are lost. Default: never. */
  readonly fails?: Time;
  /** When a link works again. Default: never. */
  readonly returns?: Time;
}

interface CommonOptions {
  /** Name of the machine. Default `cluster`. */
  readonly name?: string;
  /** Source of the numbers, such as a user guide. */
  readonly source?: string;
  /** A blocking send of fewer bytes returns at once. Default and minimum: `eagerBelow`. */
  readonly detachedBelow?: Size;
  /**
   * Memory access of a computation of W flops and D bytes: `after` its arithmetic (default; W/S + D/B), or `overlapped`
   * with it (max(W/S, D/B)).
   */
  readonly memoryAccess?: MemoryAccess;
  /** Messages share links equally (`max-min`, default), or occupy them first come, first served (`fcfs`). */
  readonly sharing?: 'max-min' | 'fcfs';
  /** Factors on the latency of routes for messages of more than `above` bytes. Default: those of the network model. */
  readonly latencyFactor?: readonly FactorPieceOptions[];
  /** Factors on the bandwidth of routes for messages of more than `above` bytes. Default: those of the network model. */
  readonly bandwidthFactor?: readonly FactorPieceOptions[];
  /** Times of calls by the size of the message, instead of `overhead`. Default: none. */
  readonly callTimes?: { readonly [K in keyof MachineCalls]: readonly CallPieceOptions[] };
  /** CPU overhead of messages. Default: none. */
  readonly overhead?: OverheadOptions;
  /** Minimum time between two messages that leave a node, and between two that arrive at it: g of LogGP. Default: none. */
  readonly gap?: Time;
  /** File storage: latency of every read or write, and the bandwidth that all ranks share. */
  readonly storage?: TransportOptions;
  /** Operating-system noise: a random factor of mean 1 on every computation. Default: none. */
  readonly noise?: Noise | 'exponential';
  /** Costs of thread operations, for models made by `threads`. Default: see docs/threads.md. */
  readonly threads?: ThreadCostOptions;
  /** Nodes and links that change over time, or fail. Default: none. */
  readonly changes?: readonly ChangeOptions[];
}

interface LinkOptions {
  /** Default `crossbar`. */
  readonly network?: NetworkOptions;
  /** Eager threshold: messages of fewer bytes start to travel at the send, whether or not the receive is posted. */
  readonly eagerBelow: Size;
}

/** A network without links: messages take the times of LogGOPS. */
interface LogGopsOptions {
  readonly network: Extract<NetworkOptions, { readonly kind: 'loggops' }>;
  /** Not used. */
  readonly eagerBelow?: Size;
}

/** Equal nodes, or groups of equal nodes. */
type Nodes<N> =
  | (N & { readonly nodes: number; readonly groups?: never })
  | (Partial<N> & { readonly groups: readonly GroupOptions[]; readonly nodes?: never });

/**
 * Options of {@link cluster}: equal nodes (`nodes`), or groups of equal nodes (`groups`). A LogGOPS network needs neither `link` nor
 * `eagerBelow`.
 */
export type ClusterOptions = CommonOptions &
  (
    | (LinkOptions & Nodes<NodeOptions>)
    | (LogGopsOptions & Nodes<Omit<NodeOptions, 'link'> & Partial<Pick<NodeOptions, 'link'>>>)
  );

/**
 * A machine of multi-core nodes that are connected by a network.
 *
 * @throws InputError with all problems, each with the path of the member: UNIT001 to UNIT003, MACH005 to MACH012
 */
export function cluster(options: ClusterOptions): Machine {
  return checkMachine(options, 'cluster', (path) => ({ part: ['cluster', ...path].join('.') }));
}

/** Maximum number of problems reported. */
const MAX_PROBLEMS = 100;

/**
 * Checks a plain value and makes a machine of it.
 *
 * @param name name of the machine if the value has none
 * @param placeOf place of a part of the value, or (`key`) of its key
 * @throws InputError as {@link cluster}
 */
export function checkMachine(
  value: unknown,
  name: string,
  placeOf: (path: Path, at: 'key' | 'value') => Place,
): Machine {
  const problems = new Problems(MAX_PROBLEMS);
  const report: Report = (code, message, path, at = 'value') => problems.add(code, message, placeOf(path, at));
  const written = readForm(machineForm, value, [], report);
  const machine = written === undefined ? undefined : resolveMachine(written, name, report);
  if (machine === undefined) throw new InputError(problems.found);
  return machine;
}
