import type { RecordFiles } from '../../trace/run/read-run.ts';
import {
  ALL,
  type KindOf,
  MACHINE_ROWS,
  MODEL,
  MODELS,
  type OptionRows,
  type OptionsFor,
  POOL_ROWS,
  PROGRAMS,
  THREADS,
  TRACE,
  WITH_NET,
} from '../inputs/option-rows.ts';
import type { OfPredictOnly, PredictOptions } from '../predict/options.ts';
import type { ProfileCut } from './assemble.ts';
import type { Moment } from './read-record.ts';

/** Options of a profile: the part of the run to show, and measured times to compare with. */
export interface ProfileOptions extends ProfileCut {
  /** CSV files of the messages, for a recorded run whose states are in CSV. */
  readonly messages?: RecordFiles;
  /** Shift the clocks of the processes of a recorded run, so that messages and collective operations fit. */
  readonly align?: boolean;
  /** Begin of the part of the run that is profiled: seconds, or per cent of the run as in `25%`. */
  readonly from?: Moment;
  /** End of this part. */
  readonly to?: Moment;
  /** Instant in seconds whose node states are reported. */
  readonly at?: number;
  /** Loops of the model are intervals, named by their variable and line. */
  readonly loopIntervals?: boolean;
  /** Measured seconds of the parallel program on one processor. */
  readonly oneProcessor?: number;
  /** Measured seconds of the sequential program. */
  readonly sequential?: number;
}

/** How the run of a model or a trace is simulated. */
export type SimulationOptions = Omit<PredictOptions, OfPredictOnly | 'until' | 'offloadedRanks'>;

/** The kinds of input to which each option applies. */
export const PROFILE_ROWS = {
  ...MACHINE_ROWS,
  ...POOL_ROWS,
  otherPrograms: TRACE,
  start: TRACE,
  jobHostfiles: TRACE,
  // Schedules only.
  machine: ['model', 'thread model', 'trace', 'net'],
  loggops: ['model', 'trace', 'net'],
  workers: THREADS,
  seed: MODELS,
  set: MODELS,
  maxSteps: MODELS,
  messages: ['run record'],
  align: ['run record'],
  from: ALL,
  to: ALL,
  at: ALL,
  loopIntervals: MODEL,
  level: ALL,
  processes: ALL,
  interval: ALL,
  oneProcessor: ALL,
  sequential: ALL,
  secondRuns: PROGRAMS,
  progress: WITH_NET,
  cancelled: WITH_NET,
  digestOf: WITH_NET,
} as const satisfies OptionRows<ProfileOptions & SimulationOptions>;

/** Options of `profile` that apply to an input. */
export type ProfileOptionsOf<I> = OptionsFor<ProfileOptions & SimulationOptions, typeof PROFILE_ROWS, KindOf<I>>;
