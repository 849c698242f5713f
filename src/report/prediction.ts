import type { Problem } from '../base/problem.ts';

/** A figure with its unit: `s`, `1` (a plain number), `B`, `flop`. */
export interface Figure {
  readonly value: number;
  readonly unit: string;
}

/**
 * What one rank does with its time, in seconds. The four parts add up to the run time. Of a net that is no program of
 * messages (`predict net.json`) it is not known why a process is blocked: `communicating` and `waiting` are null then.
 */
export interface RankFigures {
  readonly rank: number;
  readonly host: string;
  /** When its last action ends; null where it never does (a deadlock, or an incomplete answer). */
  readonly endTime: number | null;
  readonly computing: number;
  /** Of a model: loading from and storing to memory, after computing or longer than it. */
  readonly memory?: number;
  /** Blocked while a transfer that it waits for is under way. */
  readonly communicating: number | null;
  /** Blocked before the partner is there. */
  readonly waiting: number | null;
  /** Asleep, or after its end. */
  readonly idle: number;
}

/** A host or a link, and how far it is used. */
export interface ResourceFigures {
  readonly name: string;
  readonly kind: 'host' | 'memory' | 'link';
  /** Share of what it could have done over the run time, 0 … 1 (above 1 for a fatpipe, which is not shared). */
  readonly utilisation: number;
  /** What it did: flops of a host, bytes of a link (cross-traffic included). */
  readonly amount: Figure;
  /** What it can do at most: flop/s of all its cores, byte/s. */
  readonly capacity: Figure;
}

/** What the ranks do in a part of a model that was named; seconds, summed over the ranks. */
export interface IntervalFigures {
  readonly name: string;
  readonly computing: number;
  readonly memory: number;
  readonly communicating: number;
  readonly waiting: number;
  readonly idle: number;
  /**
   * Mean over maximum of what the ranks spend computing and on memory in it; 1 is perfect. Ranks that do neither in the
   * whole run do not count.
   */
  readonly loadBalance: number;
  /** The rank that computes longest in it, and for how long. */
  readonly heaviest: { readonly rank: number; readonly seconds: number };
}

/** The sets of processes that compute together: `F = { active(M) }` over the markings that the run passes. */
export interface FragmentFigures {
  /** How many there are; a lower bound where `complete` is false. */
  readonly count: number;
  readonly complete: boolean;
  /** Share of the run time with 0, 1, 2 … processes active. */
  readonly shareBySize: readonly number[];
  /** Those that last longest; `processes` names at most 64 of them. */
  readonly longest: readonly { readonly size: number; readonly share: number; readonly processes: readonly number[] }[];
}

/** How often a statement of a model is done. */
export interface OperationFigures {
  /** As in the net: `isend 2`. */
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly completions: number;
  /** Completions per second of the run, over all ranks. */
  readonly throughput: number;
}

/** What waits for, or is at, something shared. */
export interface QueueFigures {
  readonly name: string;
  /** Mean and greatest number. */
  readonly mean: number;
  readonly most: number;
  readonly arrivals: number;
  /** Per second. */
  readonly throughput: number;
  /** Mean seconds from arrival to departure, by Little's law; null where nothing arrived, or something never left. */
  readonly response: number | null;
}

/** The load of a node: the time averages of its ranks' computing, summed (`Σ u(s)` of the method). */
export interface NodeLoad {
  readonly host: string;
  readonly ranks: number;
  readonly load: number;
}

/** Run times of independent replications: replication k draws the random numbers of (seed, k). */
export interface ReplicationFigures {
  readonly count: number;
  /** The run time of each, in their order (s). */
  readonly seconds: readonly number[];
  readonly mean: number;
  /** The standard deviation; null of one. */
  readonly deviation: number | null;
  /** Half the width of the confidence interval of the mean; null of one. */
  readonly halfWidth: number | null;
  readonly confidence: number;
  /** The share of the mean that half the width was to be at most, and whether it is. */
  readonly precision?: number;
  readonly reached?: boolean;
  /** Run times that so large a share of the replications does not exceed. */
  readonly quantiles: readonly { readonly share: number; readonly seconds: number }[];
}

/** A rank that waits for ever. */
export interface BlockedRank {
  readonly rank: number;
  /** The operation, as in the trace: `recv 1 0 1e6`. */
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  /** The ranks it waits for; null where any would do. */
  readonly waitsFor: readonly number[] | null;
  readonly since: number;
}

/** An input file, so that a result can be repeated: a path relative to the working directory and a SHA-256 in hex. */
export interface InputFile {
  readonly path: string;
  readonly sha256: string;
}

/**
 * The result of `foretoken predict`, version 1: what `--json` prints and what every view reads. Times are in seconds,
 * amounts in bytes and flops. Nothing in it depends on the clock or the machine it was computed on.
 */
export interface PredictionDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'prediction';
  readonly product: string;
  readonly seed: string;
  /** False where the run was ended before its end: figures are then of the time up to there. */
  readonly complete: boolean;
  /** Of a net: why the run ended; by `quiescent` nothing can happen any more. */
  readonly ended?: 'quiescent' | 'time' | 'steps' | 'condition' | 'cancelled';
  /** Of a net: the tokens that each place is left with, where there are any. */
  readonly marking?: Readonly<Record<string, number>>;
  readonly inputs: {
    readonly [role in 'trace' | 'net' | 'model' | 'machine' | 'hostfile']?: InputFile;
  } & {
    /** The files that a trace lists, or those that a model's module imports by their paths. */
    readonly members?: readonly InputFile[];
  };
  /** All that a rerun needs besides inputs and seed: defaults are told, too; `until` and `maxSteps` only where they were given. */
  readonly options: Readonly<Record<string, string | number>>;
  /** The machine in SI units, with all that its description left out; absent for a SimGrid platform and a net. */
  readonly machine?: Readonly<Record<string, unknown>>;
  readonly figures: {
    readonly runTime: Figure;
    readonly parallelism: { readonly max: Figure; readonly mean: Figure };
    /**
     * Mean over maximum of the time that ranks compute, load and store: 1 is perfect. Ranks that never do so, such as a
     * master that only serves messages, do not count.
     */
    readonly loadBalance: Figure;
    /**
     * The shares of the ranks' communicating time in which a transfer is in its latency, and in which it moves bytes.
     * Absent for a net, and where no rank communicates.
     */
    readonly transfer?: { readonly latency: Figure; readonly bandwidth: Figure };
    /** Trace lines replayed; absent for a net. */
    readonly actions?: Figure;
  };
  readonly ranks: readonly RankFigures[];
  /** Hosts that have ranks, then links that carried something, the busiest first. */
  readonly resources: readonly ResourceFigures[];
  readonly firings: Readonly<Record<string, number>>;
  /** Of a model. */
  readonly intervals?: readonly IntervalFigures[];
  readonly fragments?: FragmentFigures;
  readonly operations?: readonly OperationFigures[];
  readonly queues?: readonly QueueFigures[];
  readonly nodes?: readonly NodeLoad[];
  /** Of a model that was run several times: all other figures are those of replication 0. */
  readonly replications?: ReplicationFigures;
  /** Mean number of computing ranks in equal slices of the run time. */
  readonly profile: { readonly width: Figure; readonly values: readonly number[] };
  /** Where the program deadlocks: every rank that waits for ever. */
  readonly deadlock: readonly BlockedRank[];
  readonly warnings: readonly Problem[];
  /** What holds of every result from such input: TI043 (communicators), PLAT042 (a hostfile that repeats). Absent: none. */
  readonly notes?: readonly Problem[];
}
