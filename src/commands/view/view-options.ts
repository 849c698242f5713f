import {
  ALL,
  type KindOf,
  MACHINE_ROWS,
  MODELS,
  NET,
  type OptionRows,
  type OptionsFor,
  POOL_ROWS,
  PROGRAMS,
  RANKED,
  THREADS,
  TRACE,
  WITH_NET,
} from '../inputs/option-rows.ts';
import type { OfPredictOnly, PredictOptions } from '../predict/options.ts';
import type { ProfileCut } from '../profile/assemble.ts';
import type { ProfileOptions } from '../profile/profile-options.ts';

/** The run that a page shows, and the part of it that the page holds. */
export type ViewOptions = Omit<PredictOptions, OfPredictOnly | 'secondRuns'> &
  Pick<ProfileOptions, 'messages' | 'align' | 'from' | 'to'> &
  Pick<ProfileCut, 'processes'> & {
    /** A result of `verify`, or a file of `verify --witness`, whose firing sequences the page steps through. */
    readonly witness?: string;
  };

/** Inputs whose runs have processes with states. */
const RUNS = [...PROGRAMS, 'run record'] as const;

/** The kinds of input to which each option applies. */
export const VIEW_ROWS = {
  ...MACHINE_ROWS,
  ...POOL_ROWS,
  otherPrograms: TRACE,
  start: TRACE,
  jobHostfiles: TRACE,
  // A schedule takes the parameters of a loggops network; other nets contain their machine.
  machine: WITH_NET,
  loggops: [...RANKED, ...NET],
  workers: THREADS,
  seed: [...MODELS, ...NET],
  set: MODELS,
  until: NET,
  maxSteps: NET,
  witness: NET,
  messages: ['run record'],
  align: ['run record'],
  from: RUNS,
  to: RUNS,
  processes: RUNS,
  progress: ALL,
  cancelled: ALL,
  offloadedRanks: ALL,
  digestOf: ALL,
} as const satisfies OptionRows<ViewOptions>;

/** Options of `view` that apply to an input. */
export type ViewOptionsOf<I> = OptionsFor<ViewOptions, typeof VIEW_ROWS, KindOf<I>>;
