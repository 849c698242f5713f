import type { Problem } from '../../base/problem.ts';
import type { Machine } from '../../machine/machine.ts';
import type { CollectiveSelector } from '../../models/collectives/choice.ts';
import type { ExactFigures } from '../exact/exact-parts.ts';
import type {
  BlockedRank,
  Failure,
  Figure,
  InputFile,
  MachineSettings,
  ParameterSettings,
  PlacementSettings,
  PoolSettings,
  RunSettings,
} from '../inputs/document-parts.ts';
import type { LimitFigures, SuggestedPlacement } from './improvement-figures.ts';
import type { ReplicationFigures } from './replications/replication-figures.ts';
import type { ObjectFigures, RegionFigures, SchedulerFigures, WorkerFigures } from './threads/worker-figures.ts';
import type { TagMismatch } from './unmatched.ts';

/**
 * Time of one rank by state, in seconds. The parts (computing, memory, communicating, waiting, idle) add up to the run time.
 * For a net that is not a message-passing program (`predict net.json`) the reason for blocking is unknown: `communicating`
 * and `waiting` are null.
 */
export interface RankFigures {
  /** The rank, from 0. */
  readonly rank: number;
  /** Lumped runs of more than 65,536 ranks: the number of ranks of its class, of which it is the first. All have its times. */
  readonly count?: number;
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
  /** Lumped runs of more than 65,536 ranks: the number of resources with these figures, of which it is the first. */
  readonly count?: number;
  /** Share of its capacity used over the run time, 0 … 1 (above 1 for a fatpipe, which is not shared). */
  readonly utilisation: number;
  /** Total work: flops of a host (core seconds, if the model gives its computations in seconds only), bytes of a link or memory (cross-traffic included). */
  readonly amount: Figure;
  /** Maximum rate: flop/s of all its cores, or byte/s. */
  readonly capacity: Figure;
  /** A link that is not shared: its capacity limits each message alone. */
  readonly fatpipe?: true;
  /** Energy of a host whose power is known, in joules. */
  readonly energy?: Figure;
}

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
  readonly heaviest: {
    /** The rank. */
    readonly rank: number;
    /** Time in which it is active in the interval, in seconds. */
    readonly seconds: number;
  };
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
  readonly longest: readonly {
    /** Number of processes in the set. */
    readonly size: number;
    /** Share of the run time in which exactly these processes are active. */
    readonly share: number;
    /** The processes, at most 64. */
    readonly processes: readonly number[];
  }[];
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

/** Which ranks of a run with option `lump` were simulated. */
export interface LumpingFigures {
  /** Number of ranks of the program. */
  readonly ranks: number;
  /** Number of ranks that were simulated: one of each class of ranks that provably behave alike, or all. */
  readonly simulated: number;
  /** Ranks over simulated ranks. */
  readonly factor: number;
  /** Why all ranks were simulated; absent if they were lumped. */
  readonly reason?: string;
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
  /** Ranks that behave alike were to be simulated once. */
  readonly lump?: 'yes';
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
  /** Always `foretoken`: distinguishes results from other JSON. */
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
    readonly [role in 'trace' | 'net' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile;
  } & {
    /** The files listed by a trace, or those that a model's module imports by path, and those of profiles of a SimGrid platform. */
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
    /** Energy of all hosts whose power is known, also of those without ranks, in joules. Absent if no power is known. */
    readonly energy?: Figure;
  };
  /** Several traces at once: figures of each. Ranks are numbered job after job. Absent for a single program. */
  readonly jobs?: readonly JobFigures[];
  /** With option `lump`: the ranks that were simulated. */
  readonly lumping?: LumpingFigures;
  /** Figures of each rank, in ascending order; of lumped runs of more than 65,536 ranks those of the first rank of each class. */
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
  /** Failures of hosts and links that stopped ranks or lost their messages. Absent: none. */
  readonly failures?: readonly Failure[];
  /** Deadlocks: messages that are left because their receiver waits for another tag. Absent if empty. */
  readonly mismatches?: readonly TagMismatch[];
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly Problem[];
  /**
   * Limitations of all results from such input: TI043 (communicators), PLAT042 (a repeating hostfile), APP053 (one run of
   * an input with random parts). Absent if empty.
   */
  readonly notes?: readonly Problem[];
}
