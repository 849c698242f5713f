import type { PagedColumn } from '../base/columns.ts';
import type { Noise } from '../base/random/noise.ts';
import type { Follow, ServiceLink } from '../net/net.ts';
import type { MessageGap } from './message-gap.ts';
import type { Operations } from './operations.ts';
import type { ThreadCosts } from './threads/costs.ts';

/** A piecewise constant function: `values[k]` from `from[k]` to the next one. */
export interface StepFunction {
  readonly from: Float64Array;
  readonly values: Float64Array;
}

/** Seconds of a call by the bytes of its message: `seconds[k] + perByte[k] × bytes` from `from[k]` to the next one. */
export interface CostFunction {
  readonly from: Float64Array;
  readonly seconds: Float64Array;
  readonly perByte: Float64Array;
}

/** Times of a call on each rank: all have the first function, unless `ofRank` numbers that of each. */
export interface RankCosts {
  readonly functions: readonly CostFunction[];
  readonly ofRank?: Int32Array;
}

/** Time that ranks spend in calls, as SimGrid counts it (`smpi/os`, `smpi/ois`, `smpi/or`). */
export interface CallCosts {
  /** A blocking send that is detached, or synchronous: before its message starts. */
  readonly send?: RankCosts;
  /** A non-blocking send: before its message starts. */
  readonly isend?: RankCosts;
  /** The receiver of a message whose send was detached: after its arrival. */
  readonly receive?: RankCosts;
}

/**
 * Machine data for the net of a message-passing program. Rates are in flop/s and byte/s, times in seconds. Tables are
 * by rank (`speed`, `hostOf`) or by pair of communicating ranks (`latency`, `weight`, `bound`, `routes`).
 */
export interface MessagePassingMachine {
  /**
   * True if the net of a program leaves out the machine: labels then offer its computing, memory accesses, file accesses and
   * transfers to a module of the machine.
   */
  readonly separate?: boolean;
  /** Speed of one core of the rank's host. */
  readonly speed: Float64Array;
  /** If ranks or threads share cores, or slow each other down. */
  readonly cores?: SharedCores;
  readonly links: readonly ServiceLink[];
  readonly latency: Float64Array;
  readonly weight: Float64Array;
  readonly bound: Float64Array;
  readonly routes: { readonly start: Int32Array; readonly link: Int32Array; readonly coefficient: Float64Array };
  /**
   * Links have queues, first come, first served: the latency of each entry of `routes.link`, in seconds. `latency` is the sum of a
   * route. Absent: messages share links, after their whole latency.
   */
  readonly hopLatency?: Float64Array;
  /** How messages follow the profiles of links; only if a link has some. */
  readonly follow?: Follow;
  /** `lazy`: a change solves only some links again, as SimGrid does by default. Default: all that are connected with it. */
  readonly solver?: 'lazy';
  readonly protocol: Protocol;
  /** Undefined if no rank's memory is known. */
  readonly memory?: RankMemory;
  /** True if the bytes of a computation are moved while it computes instead of afterwards. Default false. */
  readonly overlapped?: boolean;
  /** Processor time of a rank per message (s) and per byte (s/B). Default: none. */
  readonly overhead?: { readonly send: number; readonly receive: number; readonly perByte: number };
  /** Processor time of a rank in its calls, of SimGrid's network models. Default: none. */
  readonly calls?: CallCosts;
  /** Minimum time between two messages at an interface. Default: none. */
  readonly gap?: MessageGap;
  /** Random factor on the time of every computation. Default: none. */
  readonly noise?: Noise;
  /** Costs of thread operations inside ranks. Default: `DEFAULT_COSTS`. */
  readonly threadCosts?: ThreadCosts;
  /** File storage: latency of an access, and bandwidth shared by all ranks. */
  readonly storage?: { readonly latency: number; readonly bandwidth: number };
}

/** Cores of hosts as service links, in flop/s. */
export interface SharedCores {
  /** One for each host, or for each socket of hosts whose cores are slower the more of them compute. */
  readonly links: readonly ServiceLink[];
  /** The host of each link. */
  readonly hostOf: Int32Array;
  /** The link of each rank. */
  readonly ofRank: Int32Array;
  /** The link of a thread of a rank, thread 0 being the rank itself. */
  readonly ofThread: (rank: number, thread: number) => number;
  /** True if cores are slower the more of them compute, or change their speed over time. */
  readonly bySpeed: boolean;
  /** The largest speed of a core of each rank's host at any time. Default: `speed`. */
  readonly fastest?: Float64Array;
}

/** Memories of the ranks; concurrent users of a memory share its bandwidth. */
export interface RankMemory {
  /** The memories that ranks use, with their bandwidths. */
  readonly links: readonly ServiceLink[];
  /** By rank: index of its memory in `links`; −1 if unknown. */
  readonly ofRank: Int32Array;
  /** The memory of the core of a thread of a rank, thread 0 being the rank itself. Default: that of the rank. */
  readonly ofThread?: (rank: number, thread: number) => number;
  /** By rank: maximum rate of its core; Infinity if only the memory limits it. */
  readonly perCore: Float64Array;
}

/** Message protocol; sizes are in bytes without envelope. */
export interface Protocol {
  /** Bytes added to each message on the wire. */
  readonly envelope: number;
  /** Blocking sends of fewer bytes let the sender continue at once. */
  readonly detachedBelow: number;
  /** Messages of fewer bytes travel as soon as they are sent; others when both sides are posted. */
  readonly eagerBelow: number;
  /** Factors by number of bytes on the wire: on the latency, and (`bandwidthFactor`) on the rate of those bytes. */
  readonly latencyFactor: StepFunction;
  readonly bandwidthFactor: StepFunction;
  /** A test first sleeps this long (s), times 1 + the number of failed tests since the last successful one. */
  readonly testSleep: number;
}

/** Program data for the net of a message-passing program. */
export interface MessagePassingProgram {
  readonly name: string;
  readonly ranks: number;
  /** Start position of each rank. */
  readonly start: Int32Array;
  readonly operations: Operations;
  /** By position: first operation of the action there, and its amount. */
  readonly code: PagedColumn<Int32Array> | Int32Array;
  readonly amount: PagedColumn<Float64Array> | Float64Array;
}
