import type { Bin } from '../../analysis/statistics/histogram.ts';
import type { Problem } from '../../base/problem.ts';
import type { Machine } from '../../machine/machine.ts';
import type { CollectiveSelector } from '../../models/collectives/choice.ts';
import type { Counter } from '../../trace/workers/worker-states.ts';
import type { ExactFigures } from '../exact/exact-parts.ts';
import type {
  BlockedRank,
  EstimatedFigure,
  Figure,
  InputFile,
  MachineSettings,
  ParameterSettings,
  PlacementSettings,
  PoolSettings,
  RunSettings,
} from '../inputs/document-parts.ts';
import type { TagMismatch } from './unmatched.ts';

/**
 * Time of one rank by state, in seconds. The parts (computing, memory, communicating, waiting, idle) add up to the run time.
 * For a net that is not a message-passing program (`predict net.json`) the reason for blocking is unknown: `communicating`
 * and `waiting` are null.
 */
export interface RankFigures {
  /** The rank, from 0. */
  readonly rank: number;
  /** Several programs at once: name of its job. */
  readonly job?: string;
  /** Name of its host. */
  readonly host: string;
  /** Ranks with threads: the workers of its largest region of threads. */
  readonly threads?: number;
  /** End of its last action (s); null if it never ends (a deadlock, or an incomplete result). */
  readonly endTime: number | null;
  /** Time computing, in seconds. */
  readonly computing: number;
  /** Models only: time in which memory is loaded or stored but nothing computed. */
  readonly memory?: number;
  /** Blocked while the transfer it waits for is under way; under LogGOPS, time of its core for messages. */
  readonly communicating: number | null;
  /** Blocked before the partner is there. */
  readonly waiting: number | null;
  /** Asleep, or after its end. */
  readonly idle: number;
}

/** Nets without processes: the tokens of a place, those in service included, and of a station the use of its servers. */
export interface PlaceFigures {
  /** Name of the place. */
  readonly name: string;
  /** Mean number of tokens over time; null for a run that takes no time. */
  readonly mean: number | null;
  /** Maximum number between steps. */
  readonly most: number;
  /** Number at the end. */
  readonly last: number;
  /** Stations whose tokens leave at once when served: mean share of the servers that are busy, 0 … 1. */
  readonly utilisation?: number | null;
}

/** Nets without processes: the firings of a transition. */
export interface TransitionFigures {
  /** Name of the transition. */
  readonly name: string;
  /** Number of firings. */
  readonly firings: number;
  /** Firings per second; null for a run that takes no time. */
  readonly rate: number | null;
  /** Transitions whose firings last, as the member that follows: mean number of firings in progress. */
  readonly inProgress?: number | null;
  /** Share of the run time with at least one firing in progress, 0 … 1. */
  readonly utilisation?: number | null;
}

/** One of several programs that run at once. */
export interface JobFigures {
  /** Name of the job: that of its file, with `#2` for the second one of a name. */
  readonly name: string;
  /** Its trace. Absent for standard input. */
  readonly input?: InputFile;
  /** Its own hostfile, if it has one. */
  readonly hostfile?: InputFile;
  /** When it starts, in seconds. */
  readonly start: number;
  /** When its last rank ends, in seconds; null if it has ranks that do not end. */
  readonly end: number | null;
  /** End minus start, in seconds; null if it does not end. */
  readonly runTime: number | null;
  /** Number of its rank 0 among the ranks of all jobs. */
  readonly firstRank: number;
  /** Number of its ranks. */
  readonly ranks: number;
  /** Time computing, summed over its ranks, in seconds. */
  readonly computing: number;
  /** Time communicating, summed over its ranks, in seconds. */
  readonly communicating: number;
  /** Time waiting for partners, summed over its ranks, in seconds; not the time before its start. */
  readonly waiting: number;
}

/** A host, memory or link and its utilisation. */
export interface ResourceFigures {
  /** Name of the host, memory or link. */
  readonly name: string;
  /** Kind of the resource. */
  readonly kind: 'host' | 'memory' | 'link';
  /** Share of its capacity used over the run time, 0 … 1 (above 1 for a fatpipe, which is not shared). */
  readonly utilisation: number;
  /** Total work: flops of a host (core seconds, if the model gives its computations in seconds only), bytes of a link or memory (cross-traffic included). */
  readonly amount: Figure;
  /** Maximum rate: flop/s of all its cores, or byte/s. */
  readonly capacity: Figure;
  /** A link that is not shared: its capacity limits each message alone. */
  readonly fatpipe?: true;
}

/** What a run is limited by; `dependencies`: by no single resource. */
export type LimitKind =
  | 'computing'
  | 'cores'
  | 'memory'
  | 'bandwidth'
  | 'latency'
  | 'overhead'
  | 'gap'
  | 'storage'
  | 'scheduler'
  | 'workers'
  | 'dependencies';

/** A second run with twice as much of one resource. */
export interface Doubled {
  readonly kind: LimitKind;
  /** The parameter that was doubled, or halved if it is a time: an axis of `whatif`. `machine.threads`: all costs of threads. */
  readonly name: string;
  /** Run time minus that of the second run, in seconds; negative if that one takes longer. */
  readonly gain: number;
}

/** The resource whose doubling gains most. */
export type LimitFigures =
  | (Doubled & {
      /** All second runs. Resources that the program hardly uses are not doubled. */
      readonly tried: readonly Doubled[];
    })
  | { readonly kind: 'unknown' /** Why no second run was made. */; readonly because: string };

/** Figures of a placement of the ranks. */
export interface PlacementFigures {
  /** Predicted run time. */
  readonly runTime: Figure;
  /** Bytes of all messages between ranks on different nodes. */
  readonly betweenNodes: Figure;
}

/** The placement with the shortest run time that a search has found; `given`: that of this run. */
export type SuggestedPlacement =
  | {
      readonly kind: 'better' | 'given';
      /** The option that places the ranks so; absent if only a hostfile does. */
      readonly placement?: 'block' | 'cyclic';
      /** Lines of the hostfile that places the ranks so. */
      readonly hostfile: readonly string[];
      /** The placement of this run. */
      readonly before: PlacementFigures;
      /** The placement found. */
      readonly after: PlacementFigures;
      /** Number of placements whose run time was predicted, without that of this run. */
      readonly predictions: number;
      /** Maximum number of predictions. */
      readonly limit: number;
      /** `all`: every placement, up to exchanges of equal nodes, so that none is faster. */
      readonly tried: 'all' | 'some';
      /** False if the search was interrupted. */
      readonly complete: boolean;
    }
  | { readonly kind: 'none' /** Why no placement was looked for. */; readonly because: string };

/** Time of the ranks in a named part of a model: seconds, summed over the ranks. */
export interface IntervalFigures {
  /** Name of the interval. */
  readonly name: string;
  /** Time computing, summed over the ranks, in seconds. */
  readonly computing: number;
  /** Time in which memory is loaded or stored but nothing computed, summed over the ranks, in seconds. */
  readonly memory: number;
  /** Time communicating, summed over the ranks, in seconds. */
  readonly communicating: number;
  /** Time waiting for partners, summed over the ranks, in seconds. */
  readonly waiting: number;
  /** Time idle, summed over the ranks, in seconds. */
  readonly idle: number;
  /**
   * Mean over maximum of the ranks' time in it spent on computing and memory; 1 is perfect. Ranks that do neither in the
   * whole run do not count.
   */
  readonly loadBalance: number;
  /** The rank that is active longest in it, and for how long (s). */
  readonly heaviest: { readonly rank: number; readonly seconds: number };
}

/** The sets of processes that compute together: `F = { active(M) }` over the markings of the run. */
export interface FragmentFigures {
  /** Number of sets; a lower bound if `complete` is false. */
  readonly count: number;
  /** False if the fragments are incomplete because a limit was reached. */
  readonly complete: boolean;
  /** Share of the run time with 0, 1, 2 … active processes. */
  readonly shareBySize: readonly number[];
  /** The sets that last longest: number of processes, share of the run time, and at most 64 process numbers. */
  readonly longest: readonly { readonly size: number; readonly share: number; readonly processes: readonly number[] }[];
}

/**
 * Thread models: time of a worker of a pool or, with scheduler `os`, of a thread, in seconds. The parts from `computing` to
 * `idle` add up to the run time.
 */
export interface WorkerFigures {
  /** Number of the worker or thread, from 0. */
  readonly worker: number;
  /** Computing; threads that share cores may do so at reduced speed. */
  readonly computing: number;
  /** Loading and storing without computing. */
  readonly memory: number;
  /** Operations of the scheduler, of locks and of other objects. */
  readonly overhead: number;
  /** Blocked on an object or, with scheduler `os`, until threads have ended; wake-up included. */
  readonly waiting: number;
  /** Scheduler `os`, with more threads than cores: the part of waiting in which the thread waits for a processor. */
  readonly preempted?: number;
  /** Without work, until it has woken up; asleep; with scheduler `os` also before its creation and after its end. */
  readonly idle: number;
  /**
   * Workers of a pool: seconds in which it executes, looks into its own queue, searches other queues, and sleeps or is
   * blocked.
   */
  readonly states?: { readonly exec: number; readonly local: number; readonly global: number; readonly wait: number };
  /** Workers of a pool: numbers of transitions between these states. */
  readonly counters?: Readonly<Record<Counter, number>>;
}

/** Thread models: the scheduler, and how often it made each of its steps (firings of its transitions). */
export interface SchedulerFigures {
  /** Name of the scheduler. */
  readonly name: string;
  /** Number of firings by step. Open: names of transitions of the net that the model becomes. */
  readonly steps: Readonly<Record<string, number>>;
}

/** Thread models: use of the synchronisation objects of one name. */
export interface ObjectFigures {
  /** Name of the objects. */
  readonly name: string;
  /** `mutex`, `semaphore` …; `latch` for barriers and the ends of loops. */
  readonly kind: string;
  /** File of the statement that declares them; empty if unknown. */
  readonly file: string;
  /** Line of that statement, from 1; 0 if unknown. */
  readonly line: number;
  /** Number of objects: an array, or executions of a barrier. */
  readonly count: number;
  /** Number of acquisitions, tries, waits or atomic operations. */
  readonly acquisitions: number;
  /** Tries among these that have failed. Absent: none. */
  readonly failed?: number;
  /** Number of operations that had to wait. */
  readonly blocked: number;
  /** Time of all waits, in seconds. */
  readonly seconds: number;
  /** The part of these seconds in which strands spun on a core, of locks whose waiters do so. */
  readonly spinning?: number;
  /** The part in which those that spin waited for a core, with the switches. The rest they were parked. */
  readonly preempted?: number;
  /** Arrays: index of the object that was waited for longest, and for how many seconds. */
  readonly busiest?: { readonly index: number; readonly seconds: number };
}

/** Thread models: a region that the main strand passes through; seconds, those of the workers summed over all. */
export interface RegionFigures {
  /** Name of the region. */
  readonly name: string;
  /** Number of executions. */
  readonly executions: number;
  /** Time in which the main strand is in the region, in seconds. */
  readonly seconds: number;
  /** Time of the workers computing, in seconds. */
  readonly computing: number;
  /** Time of the workers loading and storing without computing, in seconds. */
  readonly memory: number;
  /** Time of the workers in operations of the scheduler, of locks and of other objects, in seconds. */
  readonly overhead: number;
  /** Time of the workers blocked, in seconds. */
  readonly waiting: number;
  /** Time of the workers without work, in seconds. */
  readonly idle: number;
}

/** Traces: collective calls of one operation, one algorithm, and sizes between two powers of two. */
export interface CollectiveFigures {
  /** The operation, as `--collectives` names it; with a prefix `i` if it does not block. */
  readonly operation: string;
  /** Name of its algorithm, as docs/collectives.md has it; `posted`: all messages at once, of non-blocking calls. */
  readonly algorithm: string;
  /** `OPERATION=NAME` for `--collectives` that takes the same algorithm; absent for operations without a choice. */
  readonly option?: string;
  /** The selector that took the algorithm; absent if it was chosen by name. */
  readonly selector?: CollectiveSelector;
  /** Several programs at once: name of its job. */
  readonly job?: string;
  /** Number of ranks that take part. */
  readonly ranks: number;
  /** Number of calls. */
  readonly calls: number;
  /** The smallest size of a call: of the message, per pair of ranks (gather, scatter, allgather, alltoall), or of all parts. */
  readonly minimum: Figure;
  /** The largest size of a call. */
  readonly maximum: Figure;
  /** Bytes of all messages of these calls. */
  readonly bytes: Figure;
  /** Their share in the bytes of all messages of the program, or of all programs, 0 … 1. */
  readonly share: number;
}

/** How often a statement of a model is executed. */
export interface OperationFigures {
  /** As in the net: `isend 2`. */
  readonly name: string;
  /** File of the operation; empty if unknown. */
  readonly file: string;
  /** Line of the operation, from 1; 0 if unknown. */
  readonly line: number;
  /** Number of completed executions, over all ranks. */
  readonly completions: number;
  /** Completions per second of the run, over all ranks. */
  readonly throughput: number;
}

/** Entities waiting for, or using, a shared resource. */
export interface QueueFigures {
  /** Name of the queue. */
  readonly name: string;
  /** Mean number over time. */
  readonly mean: number;
  /** Maximum number. */
  readonly most: number;
  /** Number of arrivals. */
  readonly arrivals: number;
  /** Arrivals per second. */
  readonly throughput: number;
  /** Mean seconds from arrival to departure, by Little's law; null if nothing arrived or something never left. */
  readonly response: number | null;
}

/** The load of a node: the sum of its ranks' mean computing shares (`Σ u(s)` of the method). */
export interface NodeLoad {
  /** Name of the host. */
  readonly host: string;
  /** Number of ranks on the host. */
  readonly ranks: number;
  /** Sum of the computing shares of its ranks: the mean number of computing ranks. */
  readonly load: number;
}

/** Run times of independent replications; replication k draws the random numbers of (seed, k). */
export interface ReplicationFigures {
  /** Number of replications. */
  readonly count: number;
  /** The run time of each replication in order (s). */
  readonly seconds: readonly number[];
  /** Mean run time with its confidence interval, if there are several replications. */
  readonly runTime: EstimatedFigure;
  /** The same mean, in seconds. */
  readonly mean: number;
  /** Standard deviation (s); null for a single replication. */
  readonly deviation: number | null;
  /** Confidence half-width of the mean (s); null for a single replication. */
  readonly halfWidth: number | null;
  /** Confidence level of the interval, 0 … 1. */
  readonly confidence: number;
  /** The requested ratio of half-width to mean, and whether it was reached. */
  readonly precision?: number;
  /** Whether the requested precision was reached. */
  readonly reached?: boolean;
  /** Run times that the given share of all runs does not exceed. */
  readonly quantiles: readonly RunTimeQuantile[];
  /** Classes of equal width of the run times of the replications, in seconds. */
  readonly histogram: readonly Bin[];
  /** Figures over the time of a run, estimated from all replications. Absent for runs that take no time. */
  readonly means?: readonly ReplicatedMean[];
  /** Nets: firings of each transition in a replication. */
  readonly firings?: readonly ReplicatedFirings[];
  /** Why figures have no interval; absent if there are several replications. */
  readonly because?: string;
}

/** A quantile of the run time, estimated from the replications. */
export type RunTimeQuantile = EstimatedFigure & {
  /** The share of the runs, 0 … 1. */
  readonly share: number;
  /** The value, in seconds. */
  readonly seconds: number;
};

/**
 * A figure over the time of a run, from all replications: the sum of its integrals by the sum of the run times (of the load
 * balance: the mean), with its confidence interval. Zero in a replication that does not list it.
 */
export type ReplicatedMean = EstimatedFigure & {
  /** Kind of the part that has the figure. */
  readonly of: 'program' | 'node' | 'host' | 'memory' | 'link' | 'place' | 'transition';
  /** Name of the node, the resource, the place or the transition. */
  readonly name?: string;
  /** Which figure, by the name that it has in the document of one run; `tokens`: the mean number of a place. */
  readonly figure: 'parallelism' | 'loadBalance' | 'load' | 'utilisation' | 'tokens' | 'rate' | 'inProgress';
};

/** Number of firings of a transition in the replications of a net. */
export interface ReplicatedFirings {
  /** Name of the transition. */
  readonly transition: string;
  /** Mean number of firings in a replication, with its confidence interval if there are several replications. */
  readonly firings: EstimatedFigure;
  /** The same mean. */
  readonly mean: number;
  /** Confidence half-width of the mean; null for a single replication. */
  readonly halfWidth: number | null;
  /** Smallest number of firings in a replication. */
  readonly min: number;
  /** Largest number of firings in a replication. */
  readonly max: number;
}

/** Settings of a prediction. */
export interface PredictionSettings
  extends MachineSettings,
    PlacementSettings,
    PoolSettings,
    RunSettings,
    ParameterSettings {
  /** Name of the model. */
  readonly model?: string;
  /** Name of the net. */
  readonly net?: string;
  /** Parameters of LogGOPS, if it is the network model: `L=2500,o=1500,g=1000,G=6,O=0,S=65535`. */
  readonly loggops?: string;
  /** Messages of fewer bytes travel at the send. */
  readonly eagerBelow?: number;
  /** A blocking send of fewer bytes returns at once. */
  readonly detachedBelow?: number;
  /** How ties are broken. */
  readonly ties?: 'fixed' | 'random';
  /** Figures of all runs were asked for. */
  readonly exact?: 'yes';
}

/** The result for a model: it has the figures of processes that a net can lack. */
export type ModelPrediction = PredictionDocument & {
  readonly figures: Required<Pick<PredictionDocument['figures'], 'parallelism' | 'loadBalance'>>;
  readonly profile: NonNullable<PredictionDocument['profile']>;
};

/**
 * The result of `foretoken predict`, version 1. `--json` prints it and all views read it. Times are in seconds, amounts in
 * bytes and flops. Nothing in it depends on the clock or the computer that ran the prediction.
 */
export interface PredictionDocument {
  /** Always `foretoken`: tells a result from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'prediction';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** Seed of all random numbers of the run. */
  readonly seed: string;
  /** False if the run was stopped early, or stopped for want of lines (`because`); figures then cover the time until then. */
  readonly complete: boolean;
  /** Traces only: lines that the tracer did not write (TI044), because of which the result is not known. */
  readonly because?: readonly Problem[];
  /** Nets only: why the run ended; `quiescent`: nothing more can happen. */
  readonly ended?: 'quiescent' | 'time' | 'steps' | 'condition' | 'cancelled';
  /** Nets only: the number of tokens left in each non-empty place. Open: names of the net. */
  readonly marking?: Readonly<Record<string, number>>;
  /** Input files by role, with their digests. */
  readonly inputs: {
    readonly [role in 'trace' | 'net' | 'model' | 'machine' | 'hostfile']?: InputFile;
  } & {
    /** The files listed by a trace, or those that a model's module imports by path. */
    readonly members?: readonly InputFile[];
  };
  /** All settings needed for a rerun besides inputs and seed, including defaults; `until` and `maxSteps` only if given. */
  readonly options: PredictionSettings;
  /** The machine in SI units, with defaults for everything its description omits; absent for a SimGrid platform and for a net. */
  readonly machine?: Machine;
  /** Figures of the whole run. */
  readonly figures: {
    readonly runTime: Figure;
    /**
     * Number of computing processes, or of threads inside ranks, in this run: maximum and mean; shares of the run time with
     * none, and with exactly one. Another order of events, on another machine, may have a larger maximum. Absent for a net
     * without processes.
     */
    readonly parallelism?: {
      readonly max: Figure;
      readonly mean: Figure;
      readonly none?: Figure;
      readonly one?: Figure;
    };
    /**
     * Mean over maximum of the time in which ranks compute, load and store; 1 is perfect. Ranks that never do so, such as a
     * master that only serves messages, do not count. Absent for a net without processes.
     */
    readonly loadBalance?: Figure;
    /**
     * Shares of the ranks' communicating time in which a transfer is in its latency phase, and in which it moves bytes.
     * Absent for nets, and if no rank communicates.
     */
    readonly transfer?: { readonly latency: Figure; readonly bandwidth: Figure };
    /** Trace lines replayed; absent for a net. */
    readonly actions?: Figure;
  };
  /** Several traces at once: figures of each. Ranks are numbered job after job. Absent for a single program. */
  readonly jobs?: readonly JobFigures[];
  /** Figures of each rank, in ascending order. */
  readonly ranks: readonly RankFigures[];
  /** Hosts in the order of their first rank; then memories and links that carried data, the busiest of each first. */
  readonly resources: readonly ResourceFigures[];
  /** With option `exact`: what holds for all runs. All other figures are those of this run. */
  readonly exact?: ExactFigures;
  /** Predictions with option `secondRuns`, of programs that end: the resource whose doubling gains most. */
  readonly limit?: LimitFigures;
  /** With option `suggestPlacement`: the placement that a search has found. */
  readonly suggestedPlacement?: SuggestedPlacement;
  /** Nets without processes: figures of each place, in the order of the net. */
  readonly places?: readonly PlaceFigures[];
  /** Nets without processes: figures of each transition, in the order of the net. */
  readonly transitions?: readonly TransitionFigures[];
  /** Number of firings by transition. Open: names of the net. */
  readonly firings: Readonly<Record<string, number>>;
  /** Models: figures of each named part of the program. */
  readonly intervals?: readonly IntervalFigures[];
  /** Groups of processes that compute without synchronising. */
  readonly fragments?: FragmentFigures;
  /** Figures of each statement of a model. */
  readonly operations?: readonly OperationFigures[];
  /** Traces: the collective calls whose messages carry most bytes, at most five groups, the largest first. */
  readonly collectives?: readonly CollectiveFigures[];
  /** Figures of the queues of the net. */
  readonly queues?: readonly QueueFigures[];
  /** Load of each host; absent if there are no ranks on hosts. */
  readonly nodes?: readonly NodeLoad[];
  /** Thread models: figures of each worker or thread. */
  readonly workers?: readonly WorkerFigures[];
  /** Thread models: the scheduler and its steps. */
  readonly scheduler?: SchedulerFigures;
  /** Thread models: the objects that were used, those waited for longest first. */
  readonly objects?: readonly ObjectFigures[];
  /** Thread models: regions that the main strand passes through. */
  readonly regions?: readonly RegionFigures[];
  /** With replications; all other figures are those of replication 0. */
  readonly replications?: ReplicationFigures;
  /** Mean number of computing ranks in equal slices of the run time. Absent for a net without processes. */
  readonly profile?: { readonly width: Figure; readonly values: readonly number[] };
  /** All permanently blocked ranks, if the program deadlocks. */
  readonly deadlock: readonly BlockedRank[];
  /** Deadlocks: messages that are left because their receiver waits for another tag. Absent if there are none. */
  readonly mismatches?: readonly TagMismatch[];
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly Problem[];
  /**
   * Limitations of all results from such input: TI043 (communicators), PLAT042 (a repeating hostfile), APP053 (one run of
   * an input with random parts). Absent if there are none.
   */
  readonly notes?: readonly Problem[];
}
