import type { Noise } from '../base/noise.ts';
import { InputError, type Place } from '../base/problem.ts';
import { Problems } from '../base/problem-list.ts';
import type { Rate, Size, Speed, Time } from '../base/units.ts';
import type { Machine, MemoryAccess } from './machine.ts';
import { machineShape, type WrittenMachine } from './machine-shape.ts';
import { resolveMachine } from './resolve-machine.ts';
import type { Path, Report } from './shape.ts';

/** A way of messages: SI numbers, or texts with units. */
export interface TransportOptions {
  /** Time to cross it: seconds, `'1.5us'`. */
  readonly latency: Time;
  /** Byte/s, `'12.5GB/s'`, `'100Gb/s'`. */
  readonly bandwidth: Rate;
}

/** What nodes are. */
export interface NodeOptions {
  /** Default 1. They divide the cores of a node and its memory's bandwidth evenly. */
  readonly socketsPerNode?: number;
  /** Over all sockets. */
  readonly coresPerNode: number;
  /** Of one core: flop/s, `'2.4Gf'`. */
  readonly speed: Speed;
  /** Each direction of a cable. A message between two nodes crosses at least two, in a torus at least one. */
  readonly link: TransportOptions;
  /** Between ranks of one node, for each message alone. Default: the numbers of `link`. */
  readonly intraNode?: TransportOptions;
  /**
   * Bandwidth of a node's memory, which the cores that use it at the same time share: byte/s, `'200GB/s'`. Each socket
   * has an even share, which only its own cores use.
   */
  readonly memory?: Rate;
  /** The most that one core can draw of `memory`. Default: all of its socket's. */
  readonly memoryPerCore?: Rate;
}

/** Time that a rank's core spends on each message, instead of computing. */
export interface OverheadOptions {
  /** Seconds, `'400ns'`. */
  readonly send: Time;
  readonly receive: Time;
  /** For each byte, on either side: s/B, `'0.1ns'`. Default 0. */
  readonly perByte?: Time;
}

/** How nodes are joined. */
export type NetworkOptions =
  /** One switch that is never a bottleneck. */
  | 'crossbar'
  | { readonly kind: 'crossbar' }
  /** One switch whose inside all messages between nodes share. */
  | ({ readonly kind: 'backbone' } & TransportOptions)
  /** Level by level from the nodes up: children of a switch, parents of a node, parallel cables to each (default 1). */
  | {
      readonly kind: 'fat-tree';
      readonly down: readonly number[];
      readonly up: readonly number[];
      readonly cables?: readonly number[];
    }
  /** A grid closed to a ring in each dimension; dimension-order routing. */
  | { readonly kind: 'torus'; readonly sizes: readonly number[] };

/** Nodes of one kind among several; what it leaves out is that of the machine. */
export interface GroupOptions extends Partial<NodeOptions> {
  /** What its nodes are called, before their number; no digit last. Default `groupK-`. */
  readonly name?: string;
  readonly nodes: number;
}

interface CommonOptions {
  /** Default `cluster`. */
  readonly name?: string;
  /** Where the numbers come from. */
  readonly source?: string;
  /** Default `crossbar`. */
  readonly network?: NetworkOptions;
  /** A message of fewer bytes starts to travel at the send, whether or not the receive is posted. */
  readonly eagerBelow: Size;
  /** A blocking send of fewer bytes lets the sender go on at once. Default and least: `eagerBelow`. */
  readonly detachedBelow?: Size;
  /**
   * A computation's bytes are moved `after` its arithmetic (default), W/S + D/B, or `overlapped` with it,
   * max(W/S, D/B).
   */
  readonly memoryAccess?: MemoryAccess;
  /** Default: none. */
  readonly overhead?: OverheadOptions;
  /** The least time between two messages that leave a node, and between two that come to it: g of LogGP. Default: none. */
  readonly gap?: Time;
  /** Where files are: the time that every read or write takes first, and the bandwidth that all ranks share. */
  readonly storage?: TransportOptions;
  /** The operating system's factor on every computation, of mean 1. Default: none. */
  readonly noise?: Noise | 'exponential';
}

/** What {@link cluster} takes: equal nodes, or groups of them. */
export type ClusterOptions = CommonOptions &
  (
    | (NodeOptions & { readonly nodes: number; readonly groups?: never })
    | (Partial<NodeOptions> & { readonly groups: readonly GroupOptions[]; readonly nodes?: never })
  );

/**
 * A machine of nodes of several cores on a network.
 *
 * @throws InputError with everything that is wrong: UNIT001 to UNIT003, MACH005 to MACH012, by the path of the member
 */
export function cluster(options: ClusterOptions): Machine {
  return checkMachine(options, 'cluster', (path) => ({ part: ['cluster', ...path].join('.') }));
}

/** Problems that are reported at most. */
const MAX_PROBLEMS = 100;

/**
 * The machine that a plain value describes.
 *
 * @param name the machine's name, where the value has none
 * @param placeOf where a part of the value stands, or (`key`) its name
 * @throws InputError as {@link cluster}
 */
export function checkMachine(
  value: unknown,
  name: string,
  placeOf: (path: Path, at: 'key' | 'value') => Place,
): Machine {
  const problems = new Problems(MAX_PROBLEMS);
  const report: Report = (code, message, path, at = 'value') => problems.add(code, message, placeOf(path, at));
  const written: WrittenMachine | undefined = machineShape.read(value, [], report);
  const machine = written === undefined ? undefined : resolveMachine(written, name, report);
  if (machine === undefined) throw new InputError(problems.found);
  return machine;
}
