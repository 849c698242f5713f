import type { RunConsumer } from '../../trace/run/batch.ts';
import {
  ALL,
  DRAW_ROWS,
  DRAWN,
  type KindOf,
  MACHINE_ROWS,
  MODELS,
  NET,
  NETS,
  type OptionRows,
  type OptionsFor,
  POOL_ROWS,
  RANKED,
  THREADS,
  WITH_NET,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import type { JobsOptions } from '../subjects/jobs/jobs.ts';
import type { OffloadedRanks } from '../subjects/rank-follower.ts';
import type { ReplicationOptions } from './replications/replications.ts';
import type { Ties } from './ties/net-ties.ts';

/** Progress of a prediction. */
export interface Progress {
  /** Simulated time in seconds. */
  readonly time: number;
  /** Share of the trace's actions that are done, 0 … 1; NaN if unknown. */
  readonly share: number;
}

/** All options of predictions; `PREDICT_ROWS` says to which inputs each applies. */
export interface PredictOptions extends MachineOptions, ReplicationOptions, ThreadOptions, JobsOptions {
  /** Seed of all random numbers, default `1`. Applies to traces with `ties: 'random'`; they have no other random parts. */
  readonly seed?: string;
  /**
   * How choices at one instant are made that a net or a program leaves open. `fixed`, the default: by ages and names (S10).
   * `random`: drawn with the seed; of models and traces the order in which ranks post messages at one instant, of nets each
   * choice among transitions without weights. With replications, the run times show the spread.
   */
  readonly ties?: Ties;
  /** Stops at this simulated time (s), or after this number of starts and ends; a net need not terminate. */
  readonly until?: number;
  /** Maximum number of starts and ends. */
  readonly maxSteps?: number;
  /** Values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Writes a Chrome trace of the ranks' activities to this file. */
  readonly trace?: string;
  /** Writes a run record to this file: .ftrun, .jsonl, or the states as .csv. */
  readonly run?: string;
  /** Takes the run record instead of a file. */
  readonly record?: RunConsumer;
  /**
   * Repeats the run with each resource of the machine doubled, to find what limits it: member `limit` of the document. Default
   * false; the command line sets it. Runs of more than 250,000 firings are not repeated.
   */
  readonly secondRuns?: boolean;
  /**
   * Adds what holds for all runs, whatever their order and their random numbers: member `exact` of the document. Default false.
   */
  readonly exact?: boolean;
  /**
   * Looks for a placement of the ranks with a shorter run time: member `suggestedPlacement` of the document. Takes up to 200
   * predictions. Default false.
   */
  readonly suggestPlacement?: boolean;
  /**
   * Simulates one rank for each class of ranks that provably behave alike, if there are such classes: member `lumping` of the
   * document says so, or why not. Figures are those of all ranks. Default false.
   */
  readonly lump?: boolean;
  /** Traces, models and schedules (.goal): parameters of LogGOPS in nanoseconds and bytes, as in `L=2500,o=1500,g=1000,G=6,O=0,S=65535`. */
  readonly loggops?: string;
  /** Called repeatedly during the run. */
  readonly progress?: (p: Progress) => void;
  /** Polled during the run; true ends the run with an incomplete document. */
  readonly cancelled?: () => boolean;
  /** A worker thread that follows the ranks of a trace. */
  readonly offloadedRanks?: OffloadedRanks;
  /** The SHA-256 of an input in hexadecimal, if already known; undefined: the file is read to compute it. */
  readonly digestOf?: (path: string) => string | undefined;
}

/** Number of slices of the profile in a document. */
export const PROFILE_SLICES = 200;

/** The kinds of input to which each option applies. */
export const PREDICT_ROWS = {
  ...MACHINE_ROWS,
  ...POOL_ROWS,
  ...DRAW_ROWS,
  workers: THREADS,
  otherPrograms: ['trace'],
  start: ['trace'],
  jobHostfiles: ['trace'],
  ties: ['model', 'trace', 'net'],
  set: MODELS,
  until: NET,
  maxSteps: NET,
  // Nets without ranks are refused when they are read: only schedules (.goal) have ranks.
  trace: WITH_NET,
  run: WITH_NET,
  record: WITH_NET,
  // Accepted for nets, which have no machine whose parts could be doubled: the command line always gives it.
  secondRuns: ALL,
  exact: NETS,
  suggestPlacement: RANKED,
  lump: ['model'],
  // A net contains its machine, but a schedule takes the parameters of a loggops network.
  machine: ['model', 'thread model', 'trace', 'net'],
  loggops: ['model', 'trace', 'net'],
  progress: ALL,
  cancelled: ALL,
  offloadedRanks: ALL,
  digestOf: ALL,
} as const satisfies OptionRows<PredictOptions>;

const withTrace = [...DRAWN, 'trace'] as const;

/** Options of `predict` with drawn ties, the only random parts of a trace. */
export const WITH_DRAWN_TIES = {
  ...PREDICT_ROWS,
  replications: withTrace,
  precision: withTrace,
  confidence: withTrace,
  seed: withTrace,
} as const satisfies OptionRows<PredictOptions>;

/** Options of `predict` that apply to an input. */
export type PredictOptionsOf<I> = OptionsFor<PredictOptions, typeof WITH_DRAWN_TIES, KindOf<I>>;

/** Options that other commands, which follow one run, do not have. */
export type OfPredictOnly =
  | 'run'
  | 'record'
  | 'trace'
  | 'ties'
  | 'exact'
  | 'suggestPlacement'
  | 'lump'
  | 'replications'
  | 'precision'
  | 'confidence';
