import type { RunConsumer } from '../trace/run/batch.ts';
import type { OffloadedRanks } from './predict/rank-follower.ts';
import type { ReplicationOptions } from './predict/replications.ts';
import type { MachineOptions } from './target.ts';

/** How far a prediction is. */
export interface Progress {
  /** Simulated time in seconds. */
  readonly time: number;
  /** Share of the trace's actions that are done, 0 … 1; NaN where it is not known. */
  readonly share: number;
}

/** Replications are of models. */
export interface PredictOptions extends MachineOptions, ReplicationOptions {
  /** Of all that is drawn, default `1`. A trace has no random parts: there it is only told. */
  readonly seed?: string;
  /** Of a net: plays up to this time (s), or so many starts and ends; a net need not come to an end. */
  readonly until?: number;
  readonly maxSteps?: number;
  /** Of a model: values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Writes a Chrome trace of what every rank does to this file. */
  readonly trace?: string;
  /** Writes a run record to this file: .ftrun, .jsonl, or the states as .csv. */
  readonly run?: string;
  /** Takes the run record instead of a file. */
  readonly record?: RunConsumer;
  readonly progress?: (p: Progress) => void;
  /** Asked between slices; true ends the run with an incomplete document. */
  readonly cancelled?: () => boolean;
  /** Another thread that follows the ranks of a trace. */
  readonly offloadedRanks?: OffloadedRanks;
  /** The SHA-256 of an input in hexadecimal where it is known; undefined: its file is read for it. */
  readonly digestOf?: (path: string) => string | undefined;
}

/** Number of slices of the profile in a document. */
export const PROFILE_SLICES = 200;
