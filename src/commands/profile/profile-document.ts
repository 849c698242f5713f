import type { ProcessFigure } from '../../analysis/efficiency/interval-figures.ts';
import type { NodeState, StateSpan } from '../../analysis/efficiency/node-states.ts';
import type { WaitState } from '../../analysis/efficiency/wait-states.ts';
import type { Problem } from '../../base/problem.ts';
import type { BlockedRank, Figure, InputFile } from '../../report/prediction.ts';

/** Figures of an interval over all processes; `executionTime` is the longest of a process, all other times are sums. */
export type ProfileFigures = Readonly<
  Record<ProcessFigure | 'processors' | 'executionTime' | 'totalTime' | 'efficiency', Figure>
>;

/** Smallest and largest value of a figure, each with its process, and the mean over the processes. */
export interface FigureSpread {
  readonly min: number;
  readonly minProcess: number;
  readonly max: number;
  readonly maxProcess: number;
  readonly mean: number;
  readonly unit: string;
}

/** Figures of one process in an interval, in the units of {@link ProfileFigures}. */
export interface ProfiledProcess {
  readonly process: number;
  readonly node: string;
  readonly figures: Readonly<Record<ProcessFigure, Figure>>;
}

/** Figures of an interval or of the program. */
export interface ProfiledSection {
  readonly figures: ProfileFigures;
  readonly spread: Readonly<Record<ProcessFigure, FigureSpread>>;
  /** Absent if the list would exceed a million figures; the spread is always complete. */
  readonly processes?: readonly ProfiledProcess[];
}

/** An interval of the program: all its executions together. */
export interface ProfiledInterval extends ProfiledSection {
  /** Name, with the value of its expression: `iteration[1]`. */
  readonly name: string;
  /** Depth: 1 for the outermost intervals. */
  readonly level: number;
  /** Kind of its computing: sequential, parallel, or both (combined). */
  readonly kind: 'sequential' | 'parallel' | 'combined';
  readonly executions: number;
  readonly children: readonly ProfiledInterval[];
}

/** A kind of collective operation: sums over all executions and processes, in seconds. */
export interface ProfiledOperation {
  readonly kind: string;
  readonly phase?: 'start' | 'wait';
  readonly count: number;
  readonly communication: number;
  readonly synchronization: number;
  readonly timeVariation: number;
  readonly overlap: number;
}

/** Sums over calls; seconds, and bytes. */
export interface CallSums {
  readonly count: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly blocked: number;
}

/** A call of the message system: sums over all processes, by process and by interval. */
export interface ProfiledCall extends CallSums {
  readonly call: string;
  /** Seconds from sending to receiving, over the messages that the call sent. */
  readonly messageSeconds: number;
  readonly processes: readonly (CallSums & { readonly process: number })[];
  /** Path of each interval, `solve/iteration[1]`; `""` is outside all intervals. */
  readonly intervals: readonly (CallSums & { readonly interval: string })[];
}

/** Time lost in a wait state, by Scalasca's names. */
export interface ProfiledWait {
  readonly state: WaitState;
  readonly count: number;
  readonly seconds: number;
  readonly intervals: readonly { readonly interval: string; readonly seconds: number }[];
  readonly processes: readonly { readonly process: number; readonly seconds: number }[];
}

/** States over time of a node, a socket or a process. */
export interface ProfiledStates {
  readonly seconds: Readonly<Record<NodeState, number>>;
  /** Absent if the number of spans, `spansCount`, exceeds the limit of the document. */
  readonly spans?: readonly StateSpan[];
  readonly spansCount: number;
  /** State at the instant of `--at`. */
  readonly at?: NodeState;
}

/** A node with its sockets and processes; its state at any instant is the one of highest priority among its processes. */
export interface ProfiledNode extends ProfiledStates {
  readonly node: string;
  readonly sockets: readonly (ProfiledStates & { readonly socket: number })[];
  readonly processes: readonly (ProfiledStates & { readonly process: number })[];
}

/** One step of the guided reading, with the figures on which it is based. */
export interface ProfileFinding {
  readonly question: string;
  readonly answer: string;
  readonly cause?: ProfileCause;
  /** Interval in which time is lost, and interval in which the delay arose. */
  readonly interval?: string;
  readonly origin?: string;
  readonly seconds: number;
}
/** Cause of a loss, named as in the DVM document. */
export type ProfileCause =
  | 'insufficient-parallelism-sequential'
  | 'insufficient-parallelism-parallel'
  | 'load-imbalance'
  | 'time-variation'
  | 'local-imbalance'
  | 'many-operations'
  | 'input-output'
  | 'idle'
  | 'none';

/** A measured time next to the forecast of the profile. */
export interface ProfileComparison {
  readonly measured: Figure;
  readonly forecast: Figure;
  /** Forecast minus measured time, as a share of the measured time. */
  readonly difference: Figure;
}

/** The result of `foretoken profile`. */
export interface ProfileDocument extends ProfiledSection {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'profile';
  readonly product: string;
  readonly seed?: string;
  readonly complete: boolean;
  readonly inputs: Readonly<Record<string, InputFile | readonly InputFile[]>>;
  readonly options: Readonly<Record<string, string | number>>;
  readonly program: string;
  readonly origin: 'simulated' | 'recorded';
  /** Rows of the record by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly intervals: readonly ProfiledInterval[];
  readonly operations: readonly ProfiledOperation[];
  readonly calls: readonly ProfiledCall[];
  readonly messages: {
    readonly pairs: readonly {
      readonly source: number;
      readonly destination: number;
      readonly messages: number;
      readonly bytes: number;
    }[];
    /** Number of communicating pairs, including those that are not listed because of the document's limit. */
    readonly pairsCount: number;
    readonly sizes: readonly {
      readonly from: number;
      readonly to: number;
      readonly messages: number;
      readonly bytes: number;
    }[];
  };
  readonly waits: readonly ProfiledWait[];
  readonly nodes: readonly ProfiledNode[];
  readonly findings: readonly ProfileFinding[];
  readonly comparison?: { readonly oneProcessor?: ProfileComparison; readonly sequential?: ProfileComparison };
  /** For a simulated run: the ranks that wait forever. */
  readonly deadlock?: readonly BlockedRank[];
  readonly warnings: readonly Problem[];
}
