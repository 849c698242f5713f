import type { Noise } from '../base/noise.ts';
import type { PagedColumn } from '../base/paged.ts';
import type { ServiceLink } from '../net/net.ts';
import type { MessageGap } from './message-gap.ts';
import type { Operations } from './operations.ts';

/** A piecewise constant function: `values[k]` from `from[k]` on. */
export interface StepFunction {
  readonly from: Float64Array;
  readonly values: Float64Array;
}

/**
 * What the net of a message-passing program takes from the machine. Rates are in flop/s and byte/s, times in seconds.
 * Tables are by rank (`speed`, `hostOf`) or by pair of communicating ranks (`latency`, `weight`, `bound`, `routes`).
 */
export interface MessagePassingMachine {
  /** Of one core. */
  readonly speed: Float64Array;
  /** Where ranks share cores: the link of the service of cores that each rank's host is, with its cores × speed. */
  readonly cores?: { readonly links: readonly ServiceLink[]; readonly hostOf: Int32Array };
  readonly links: readonly ServiceLink[];
  readonly latency: Float64Array;
  readonly weight: Float64Array;
  readonly bound: Float64Array;
  readonly routes: { readonly start: Int32Array; readonly link: Int32Array; readonly coefficient: Float64Array };
  readonly protocol: Protocol;
  /** Absent where the memory of no rank is known. */
  readonly memory?: RankMemory;
  /** The bytes of a computation are moved while it computes, not after. Default false. */
  readonly overlapped?: boolean;
  /** Time that a rank spends itself on each message (s), and on each of its bytes (s/B). Default: none. */
  readonly overhead?: { readonly send: number; readonly receive: number; readonly perByte: number };
  /** The least time between two messages at an interface. Default: none. */
  readonly gap?: MessageGap;
  /** A factor on the time of every computation. Default: none. */
  readonly noise?: Noise;
  /** Where files are: seconds that every access takes first, and byte/s that all ranks share. */
  readonly storage?: { readonly latency: number; readonly bandwidth: number };
}

/** The memory that ranks use, shared by those that use the same one at the same time. */
export interface RankMemory {
  /** Of each memory that some rank uses, with its bandwidth. */
  readonly links: readonly ServiceLink[];
  /** By rank: the index of its memory in `links`; −1 where nothing is known of it. */
  readonly ofRank: Int32Array;
  /** By rank: the most that its core can draw; Infinity where only its memory bounds it. */
  readonly perCore: Float64Array;
}

/** The protocol of messages; sizes are in bytes without envelope. */
export interface Protocol {
  readonly envelope: number;
  /** A blocking send of fewer bytes lets the sender go on at once. */
  readonly detachedBelow: number;
  /** A message of fewer bytes starts to travel at the send; others when both sides are posted. */
  readonly eagerBelow: number;
  /** Factors by the wire bytes: on the latency, and on the rate at which the wire bytes pass. */
  readonly latencyFactor: StepFunction;
  readonly bandwidthFactor: StepFunction;
  /** A test first sleeps this long (s), times one more than the tests that failed since one succeeded. */
  readonly testSleep: number;
}

/** What the net of a message-passing program takes from the program. */
export interface MessagePassingProgram {
  readonly name: string;
  readonly ranks: number;
  readonly start: Int32Array;
  readonly operations: Operations;
  /** By position: the operation that the action there begins with, and its amount. */
  readonly code: PagedColumn<Int32Array> | Int32Array;
  readonly amount: PagedColumn<Float64Array> | Float64Array;
}
