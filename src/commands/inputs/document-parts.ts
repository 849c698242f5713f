import { type Problem, quote } from '../../base/problem.ts';
import type { ThreadOptions } from './thread-options.ts';

/** Units of figures: SI units, bytes, flops, joules; `1` for numbers and shares. */
export type Unit = '1' | 's' | '1/s' | 'B' | 'B/s' | 'flop' | 'flop/s' | 'J';

/** A figure with its unit. */
export interface Figure {
  /** The value, in `unit`. */
  readonly value: number;
  /** The unit; `1` for numbers and shares. */
  readonly unit: Unit;
}

/** The error of a figure: an interval that contains the exact value. */
export interface FigureError {
  /** Lower end of the interval, in the unit of the figure; null if unknown. */
  readonly lower: number | null;
  /** Upper end of the interval, in the unit of the figure; null if unknown. */
  readonly upper: number | null;
  /**
   * Probability that the interval contains the exact value. 1: it is proved to; less: confidence level of a statistical
   * estimate.
   */
  readonly certainty: number;
}

/** A figure that is exact, or has an error. */
export type EstimatedFigure = Figure | (Figure & FigureError);

/*
 * Settings of result documents: the options on which a result depends, as strings and numbers. Each document lists its own;
 * these are the parts that several have. A boolean option is a word, and absent where it has its default.
 */

/**
 * A number, or no limit: JSON has null for Infinity.
 *
 * @nullable
 */
export type Limit = number;

/** The value of a parameter of a model; booleans are `true` and `false`. */
export type ParameterSetting = string | number;

/** Parameters of a model. The names are those of the user's model, so that the keys are open: `model.NAME`. */
export interface ParameterSettings {
  readonly [parameter: `model.${string}`]: ParameterSetting;
}

/** The machine, and the placement of ranks. */
export interface MachineSettings {
  /** Number of ranks. */
  readonly ranks?: number;
  /** Name of the network model. */
  readonly networkModel?: string;
  /** Settings of SimGrid that were given besides the platform. */
  readonly cfg?: string;
  /** Algorithms of collectives. */
  readonly collectives?: string;
  /** Name of a built-in machine. */
  readonly builtIn?: string;
  /** No machine was given: the built-in one was taken. */
  readonly assumed?: 'machine';
}

/** The placement of the ranks of a program. */
export interface PlacementSettings {
  /** `block`, `cyclic`, `hostfile`, `list`, `function`, or a sentence for the default of SimGrid. */
  readonly placement?: string;
  /** More ranks than cores are allowed. */
  readonly oversubscribe?: 'yes';
  /** Traces only: how its amounts were scaled to the number of ranks. */
  readonly scale?: 'weak' | 'strong';
  /** Bytes per element of derived datatypes, as given. */
  readonly derivedTypeBytes?: string | number;
}

/** The workers of a thread model. */
export interface PoolSettings extends Omit<ThreadOptions, 'bypass'> {
  /** Pools: whether a worker continues the strand whose tasks it has ended last. */
  readonly bypass?: 'yes' | 'no';
}

/** The extent of a run, and its replications. */
export interface RunSettings {
  /** End of the run, in seconds. */
  readonly until?: Limit;
  /** Maximum number of steps. */
  readonly maxSteps?: Limit;
  /** Number of replications. */
  readonly replications?: number;
  /** Requested ratio of half-width to mean. */
  readonly precision?: number | `${number}%`;
  /** Confidence level of intervals. */
  readonly confidence?: number | `${number}%`;
}

/** Limits of a search. */
export interface SearchSettings {
  /** Maximum number of stored states. */
  readonly maxStates?: Limit;
  /** Maximum memory, in bytes. */
  readonly memory?: Limit;
  /** Maximum time, in seconds. */
  readonly seconds?: Limit;
}

/** Options of a search that keeps hashes of states instead of markings. */
export interface HashSettings {
  readonly hashCompact?: 'yes';
  /** The choice of the hash functions. */
  readonly seed?: string;
}

/** How likely hash compaction omitted a state. */
export interface SpaceOmission {
  /** Upper bound of the probability, over the choice of the hash functions, that at least one state was omitted so far. */
  readonly probability: number;
  /** Bits of hash kept for each state. */
  readonly bits: number;
}

/** The net that is analysed: its name, or the model that it comes from, with ranks or workers and parameters. */
export interface NetSettings extends MachineSettings, ParameterSettings, PoolSettings {
  /** Name of the net. */
  readonly net?: string;
  /** Name of the model. */
  readonly model?: string;
  /** Numbers of ranks that the model rejects, before the number that was taken. */
  readonly skippedRanks?: string;
  /** Ranks share cores if there are fewer cores than ranks. */
  readonly oversubscribe?: 'yes';
}

/** A permanently blocked rank. */
export interface BlockedRank {
  /** The blocked rank, from 0. */
  readonly rank: number;
  /** The operation, as in the trace: `recv 1 0 1e6`. */
  readonly operation: string;
  /** File of the operation that the rank is blocked in; empty if unknown. */
  readonly file: string;
  /** Line of the operation that the rank is blocked in, from 1; 0 if unknown. */
  readonly line: number;
  /** The ranks it waits for; null if any rank would do. */
  readonly waitsFor: readonly number[] | null;
  /** Several programs at once: name of the job. Ranks are numbered job after job; `operation` has numbers of the job. */
  readonly job?: string;
  /** Time at which it became blocked (s). */
  readonly since: number;
  /** Its host, which failed then: the rank has stopped, and waits for nothing. */
  readonly failed?: string;
  /** Thread models, where `rank` and `waitsFor` are numbers of strands: name of the strand. */
  readonly strand?: string;
  /** Thread models: number of its worker. Absent if it has none. */
  readonly worker?: number;
  /** Thread models: the object that it waits for. */
  readonly object?: string;
  /** Stack-based pools: the strand above this one on the stack of its worker. */
  readonly below?: string;
  /** Cooperative schedulers: its scheduler thread needs `object`, the lock of the allocator, to queue it. */
  readonly unqueued?: true;
  /** A region of threads in a rank: its threads and tasks that wait forever. */
  readonly strands?: readonly BlockedStrand[];
}

/** A host or link that fails during a run. */
export interface Failure {
  readonly kind: 'host' | 'link';
  /** Name of the host or link. */
  readonly name: string;
  /** When it fails (s). */
  readonly time: number;
  /** The ranks that stop with the host, or the senders and receivers of the messages that are lost on the link. */
  readonly ranks: readonly number[];
}

/** A permanently blocked thread or task of a rank. */
export interface BlockedStrand {
  /** Its name: `thread 1 of parallel model.ts:7`, `task fib`. */
  readonly strand: string;
  /** Operation at which it waits: `lock m[1]`. */
  readonly operation: string;
  /** File of the operation; empty if unknown. */
  readonly file: string;
  /** Line of the operation, from 1; 0 if unknown. */
  readonly line: number;
  /** The object that it waits for. Absent if it has no worker. */
  readonly object?: string;
  /** The strand that holds the object, if it is a lock. */
  readonly heldBy?: string;
}

/** Files that describe the machine, the hosts of the ranks, and the algorithms of collectives. */
export type MachineRole = 'machine' | 'hostfile' | 'collectives';

/** An input file, recorded so that a result can be reproduced: path relative to the working directory, SHA-256 in hex. */
export interface InputFile {
  /** Path as given. */
  readonly path: string;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

/** Warning of a library's result: nobody has given the machine, so this one was taken. */
export function assumedMachine(name: unknown): Problem {
  return { code: 'MACH034', message: `ASSUMED machine ${quote(String(name))}: give option machine for another one` };
}

/** Confidence level of intervals that no option sets. */
export const CONFIDENCE = 0.95;

/** Confidence level of the intervals of some figures, for their headings: that of the first one that has an interval. */
export function levelOf(figures: readonly (object | undefined)[]): number {
  for (const figure of figures) {
    const { certainty = 0 } = (figure ?? {}) as { readonly certainty?: number };
    if (certainty > 0) return certainty;
  }
  return CONFIDENCE;
}

/** Why the figures of one replication have no interval. */
export const ONE_REPLICATION = 'one replication does not show how much runs differ';

/**
 * The error of a mean: its confidence interval. An end that exceeds the range of a double is null.
 *
 * @param half half-width of the interval
 * @param certainty confidence level of the interval
 */
export function errorOfMean(mean: number, half: number, certainty: number): FigureError {
  return { lower: finite(mean - half), upper: finite(mean + half), certainty };
}

/** The error of a count that was stopped early: the number counted is a certain lower bound. */
export function errorOfPart(counted: number): FigureError {
  return { lower: counted, upper: null, certainty: 1 };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
