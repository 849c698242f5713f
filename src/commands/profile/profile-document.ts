import type { NodeState, StateSpan } from '../../analysis/efficiency/node-states.ts';
import type { WaitState } from '../../analysis/efficiency/wait-states.ts';
import type { Problem } from '../../base/problem.ts';
import type { TableName } from '../../trace/run/run-schema.ts';
import type { BlockedRank, Figure, InputFile } from '../inputs/document-parts.ts';
import type { PredictionSettings } from '../predict/prediction.ts';
import type { ProfiledInterval, ProfiledOperation, ProfiledSection, RankedInterval } from './profiled-intervals.ts';

export type * from './profiled-intervals.ts';

/** Settings of a profile, and of the run if it was simulated. */
export interface ProfileSettings extends PredictionSettings {
  /** Clocks were shifted. */
  readonly align?: boolean;
  /** Begin of the part that is profiled: seconds, or per cent of the run. */
  readonly from?: number | `${number}%`;
  /** End of this part. */
  readonly to?: number | `${number}%`;
  /** Instant of the node states, in seconds. */
  readonly at?: number;
  /** Maximum depth of intervals. */
  readonly level?: number;
  /** Path of the listed interval. */
  readonly interval?: string;
  /** Loops of the model are intervals. */
  readonly loopIntervals?: boolean;
  /** Measured seconds of the parallel program on one processor. */
  readonly oneProcessor?: number;
  /** Measured seconds of the sequential program. */
  readonly sequential?: number;
  /** The listed processes, by commas. */
  readonly processes?: string;
}

/** Sums over calls; seconds, and bytes. */
export interface CallSums {
  /** Number of calls. */
  readonly count: number;
  /** Data volume of the calls, in bytes. */
  readonly bytes: number;
  /** Time in the calls, in seconds. */
  readonly seconds: number;
  /** Time blocked in the calls, in seconds. */
  readonly blocked: number;
}

/** A call of the message system: sums over all processes, by process and by interval. */
export interface ProfiledCall extends CallSums {
  /** Name of the call. */
  readonly call: string;
  /** Seconds from sending to receiving, over the messages that the call sent. */
  readonly messageSeconds: number;
  /** Sums by process. */
  readonly processes: readonly (CallSums & {
    /** Number of the process, from 0. */
    readonly process: number;
  })[];
  /** Sums by interval. */
  readonly intervals: readonly (CallSums & {
    /** Path of the interval, `solve/iteration[1]`; `""` is outside all intervals. */
    readonly interval: string;
  })[];
}

/** Messages whose sender and receiver are on one node, or on two. */
export interface ProfiledTraffic {
  /** Number of these messages. */
  readonly messages: number;
  /** Their data volume, in bytes. */
  readonly bytes: number;
  /** Mean time from sending to receiving, in seconds; absent without messages. */
  readonly meanSeconds?: number;
}

/** Time lost in a wait state, by Scalasca's names. */
export interface ProfiledWait {
  /** The wait state. */
  readonly state: WaitState;
  /** Number of occurrences. */
  readonly count: number;
  /** Lost time, in seconds. */
  readonly seconds: number;
  /** Occurrences by interval. */
  readonly intervals: readonly {
    /** Path of the interval; `""` is outside all intervals. */
    readonly interval: string;
    /** Time lost in it, in seconds. */
    readonly seconds: number;
  }[];
  /** Occurrences by process. */
  readonly processes: readonly {
    /** Number of the process that waits, from 0. */
    readonly process: number;
    /** Time that it loses, in seconds. */
    readonly seconds: number;
  }[];
}

/** States over time of a node, a socket or a process. */
export interface ProfiledStates {
  /** Time by state, in seconds. */
  readonly seconds: Readonly<Record<NodeState, number>>;
  /** Absent if the number of spans, `spansCount`, exceeds the limit of the document. */
  readonly spans?: readonly StateSpan[];
  /** Number of spans, listed or not. */
  readonly spansCount: number;
  /** State at the instant of `--at`. */
  readonly at?: NodeState;
}

/** A node with its sockets and processes; its state at any instant is the one of highest priority among its processes. */
export interface ProfiledNode extends ProfiledStates {
  /** Name of the node. */
  readonly node: string;
  /** Instant in seconds at which the node joins the run. Its states, and those of its sockets, begin here. */
  readonly joined: number;
  /** Instant in seconds at which it leaves the run. */
  readonly left: number;
  /** All stays of a node that leaves and joins again; it has no states between them. */
  readonly stays?: readonly {
    /** Begin of the stay, in seconds. */
    readonly joined: number;
    /** End of the stay, in seconds. */
    readonly left: number;
  }[];
  /** States of the node's sockets. */
  readonly sockets: readonly (ProfiledStates & {
    /** Number of the socket in the node, from 0. */
    readonly socket: number;
  })[];
  /** States of the node's processes. */
  readonly processes: readonly (ProfiledStates & {
    /** Number of the process, from 0. */
    readonly process: number;
  })[];
}

/** Shifts of the clocks of processes by which messages and collective operations fit. */
export interface ProfiledClocks {
  /** Seconds that were added to the times of each process. */
  readonly shifts: readonly number[];
  /** Time by which messages and operations still contradict each other at most, in seconds. */
  readonly residual: Figure;
  /** Messages that are received before they are sent, before and after the alignment; the latter count as received at once. */
  readonly skewedMessages: { readonly before: number; readonly after: number };
}

/** One step of the guided reading, with the figures on which it is based. */
export interface ProfileFinding {
  /** The question. */
  readonly question: string;
  /** The answer, as a sentence. */
  readonly answer: string;
  /** The cause, if the answer names one. */
  readonly cause?: ProfileCause;
  /** Interval in which time is lost, and interval in which the delay arose. */
  readonly interval?: string;
  /** Interval in which the delay arose. */
  readonly origin?: string;
  /** Time to which the answer refers, in seconds. */
  readonly seconds: number;
}
/** Cause of a loss, named as in the DVM document. */
export type ProfileCause =
  | 'insufficient-parallelism-sequential'
  | 'insufficient-parallelism-parallel'
  | 'load-imbalance'
  | 'slower-host'
  | 'time-variation'
  | 'local-imbalance'
  | 'many-operations'
  | 'input-output'
  | 'idle'
  | 'none';

/** A measured time next to the forecast of the profile. */
export interface ProfileComparison {
  /** The measured time. */
  readonly measured: Figure;
  /** The forecast of the profile for the same time. */
  readonly forecast: Figure;
  /** Forecast minus measured time, as a share of the measured time. */
  readonly difference: Figure;
}

/** The result of `foretoken profile`. */
export interface ProfileDocument extends ProfiledSection {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'profile';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** Seed of a simulated run. */
  readonly seed?: string;
  /** False if the run was cut short. */
  readonly complete: boolean;
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'trace' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile } & {
    readonly [role in 'run' | 'states' | 'messages']?: InputFile | readonly InputFile[];
  } & {
    /** The files listed by a trace, or those that a model's module imports by path. */
    readonly members?: readonly InputFile[];
  };
  /** Options of the run and the profile. */
  readonly options: ProfileSettings;
  /** Name of the program. */
  readonly program: string;
  /** Origin of the run. */
  readonly origin: 'simulated' | 'recorded';
  /** Rows of the record by table. */
  readonly rows: { readonly [table in TableName]?: number };
  /** The outermost intervals. */
  readonly intervals: readonly ProfiledInterval[];
  /** All outermost intervals, the largest loss first. */
  readonly ranking: readonly RankedInterval[];
  /** Collective operations by kind. */
  readonly operations: readonly ProfiledOperation[];
  /** Calls by name. */
  readonly calls: readonly ProfiledCall[];
  /** Messages within and between nodes, by pair of processes and by size. */
  readonly messages: {
    /** Messages whose sender and receiver are on one node. */
    readonly withinNodes: ProfiledTraffic;
    /** Messages from one node to another. */
    readonly betweenNodes: ProfiledTraffic;
    /** Pairs of processes with messages, by source. */
    readonly pairs: readonly {
      /** Process that sends. */
      readonly source: number;
      /** Process that receives. */
      readonly destination: number;
      /** Number of messages from one to the other. */
      readonly messages: number;
      /** Their data volume, in bytes. */
      readonly bytes: number;
    }[];
    /** Number of communicating pairs, including those that are not listed because of the document's limit. */
    readonly pairsCount: number;
    /** Messages by size. */
    readonly sizes: readonly {
      /** Smallest size of a message, in bytes. */
      readonly from: number;
      /** Messages of this size and larger ones are not counted here, in bytes. */
      readonly to: number;
      /** Number of messages of these sizes. */
      readonly messages: number;
      /** Their data volume, in bytes. */
      readonly bytes: number;
    }[];
  };
  /** Wait states with lost time. */
  readonly waits: readonly ProfiledWait[];
  /** States of nodes, sockets and processes. */
  readonly nodes: readonly ProfiledNode[];
  /** The guided reading: questions and answers. */
  readonly findings: readonly ProfileFinding[];
  /** Part of the run to which all figures refer, in seconds; absent for the whole run. */
  readonly window?: { readonly from: number; readonly to: number };
  /** Alignment of the clocks of a recorded run. */
  readonly clocks?: ProfiledClocks;
  /** Measured times next to the forecast. */
  readonly comparison?: { readonly oneProcessor?: ProfileComparison; readonly sequential?: ProfileComparison };
  /** For a simulated run: the ranks that wait forever. */
  readonly deadlock?: readonly BlockedRank[];
  /** Traces only: lines that the tracer did not write (TI044); the profile covers the run up to the first of them. */
  readonly because?: readonly Problem[];
  /** Limitations of all results from such input, as in predictions. Absent if empty. */
  readonly notes?: readonly Problem[];
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly Problem[];
}
