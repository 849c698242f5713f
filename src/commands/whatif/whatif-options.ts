import { given } from '../../base/given.ts';
import type { Widened } from '../../models/parameters.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import type { Net } from '../../net/net.ts';
import {
  ALL,
  DRAWN,
  type InputKind,
  type KindOf,
  MACHINE_ROWS,
  MODELS,
  NET,
  type OptionRows,
  type OptionsFor,
  POOL_OPTIONS,
  POOL_ROWS,
  type PooledModel,
  PROGRAMS,
  type RankedModel,
  TRACE,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import type { JobsOptions } from '../subjects/jobs/jobs.ts';
import type { Axis } from './axes/axes.ts';
import type { Ideal } from './axes/grid.ts';
import type { AxisValue, ScalingKind, WhatIfDocument } from './whatif-result.ts';

/** Options of a what-if study. */
export interface StudyOptions {
  /** The axes to vary: lists of values by name of the axis, or axes made by `parseAxes`. */
  readonly vary?: Readonly<Record<string, readonly AxisValue[]>> | readonly Axis[];
  /** Idealised variants of every scenario. */
  readonly ideals?: readonly Ideal[];
  /** Searches along an axis for its smallest value with a run time of at most `target` seconds; with `figures: ['energy']`, joules. */
  readonly find?: { readonly axis: string; readonly target: number };
  /**
   * How the work of the program depends on `ranks`: `strong`, a constant total (default), or `weak`, a constant amount per
   * rank. This is not detected; it selects the definitions of speed-up, efficiency and the fitted law.
   */
  readonly scaling?: ScalingKind;
  /** Machine parameters whose elasticities are computed, as in `machine.link.latency`; `all` for every one. */
  readonly elasticity?: readonly string[];
  /** Maximum number of scenarios, default 100,000. */
  readonly limit?: number;
  /** Number of worker threads, default one per core. Does not affect results. */
  readonly workers?: number;
  /** Seed of the random numbers, default `1`; all scenarios draw the same random numbers. */
  readonly seed?: string;
  /** Called after every scenario with the number of finished and of all scenarios (an estimate for searches). */
  readonly progress?: (done: number, scenarios: number) => void;
  /** Cancels the study: results so far are returned with `complete: false`. */
  readonly signal?: AbortSignal;
}

/** Options shared by all scenarios. */
export interface SharedOptions extends MachineOptions, ThreadOptions, JobsOptions {
  readonly seed?: string;
  /** Parameter values. */
  readonly set?: Readonly<Record<string, AxisValue>>;
  /** Traces and models: parameters of LogGOPS, which is their network model then. */
  readonly loggops?: string;
}

/** Options of `whatif`. */
export interface WhatIfOptions extends StudyOptions, MachineOptions, Omit<ThreadOptions, 'workers'>, JobsOptions {
  /** Parameter values shared by all scenarios. */
  readonly set?: Readonly<Record<string, AxisValue>>;
  /** Number of runs per scenario. Run k draws the same random numbers in all scenarios. */
  readonly replications?: number;
  /** Runs each scenario until its mean run time is known to this share (`0.01`, `'1%'`); `replications` is the maximum then. */
  readonly precision?: number | `${number}%`;
  /** Confidence level of all intervals, default 95 %. */
  readonly confidence?: number | `${number}%`;
  /** Simulated seconds at which each run ends. */
  readonly until?: number;
  /** Maximum number of steps of each run. */
  readonly maxSteps?: number;
  /** Schedules (.goal), traces and models: parameters of LogGOPS of all scenarios, as those of `predict`. */
  readonly loggops?: string;
  /**
   * Of a net: long-run figures from its Markov chain, with derivatives by the varied rates: `transitions.NAME.throughput`,
   * `places.NAME.mean`, `rewards.NAME`. Default: all rewards, if there are any; otherwise runs of the net. Of a model or a trace: the
   * figure of differences, `find` and `elasticity`, `['energy']` instead of `['runTime']`, the default.
   */
  readonly figures?: readonly string[];
  /** Rewards of the long run by name, as those of `steady`. */
  readonly rewards?: Readonly<Record<string, string>>;
  /** Figures of the long run: maximum number of states of the chain of a scenario. Default: no limit. */
  readonly maxStates?: number;
}

/** Axes of a model, typed by its parameters: values by name of the axis. */
export type ModelAxes<P> = {
  readonly ranks?: readonly number[];
  readonly placement?: readonly string[];
  readonly 'network-model'?: readonly string[];
  readonly collectives?: readonly string[];
  readonly machine?: readonly string[];
} & { readonly [path in `machine.${string}`]?: readonly (number | string)[] } & {
  readonly [K in keyof P & string as `model.${K}`]?: readonly Widened<P>[K][];
};

/** {@link WhatIfOptions} typed by the parameters of a model. */
export interface ModelWhatIfOptions<P> extends Omit<OptionsOfKind<'model'>, 'vary' | 'set'> {
  /** Axes: parameters of the model and the machine with their values. */
  readonly vary?: ModelAxes<P> | readonly Axis[];
  /** Parameters of the model that are fixed. */
  readonly set?: Partial<ProgramModel<P>['params']>;
}

/** Axes of a thread model, typed by its parameters: values by name of the axis. */
export type ThreadAxes<P> = {
  readonly workers?: readonly number[];
  readonly scheduler?: readonly NonNullable<ThreadOptions['scheduler']>[];
  readonly victim?: readonly NonNullable<ThreadOptions['victim']>[];
  readonly take?: readonly NonNullable<ThreadOptions['take']>[];
  readonly rounds?: readonly number[];
  readonly pool?: readonly NonNullable<ThreadOptions['pool']>[];
  readonly spawn?: readonly NonNullable<ThreadOptions['spawn']>[];
  readonly machine?: readonly string[];
} & { readonly [path in `machine.${string}`]?: readonly (number | string)[] } & {
  readonly [K in keyof P & string as `model.${K}`]?: readonly Widened<P>[K][];
};

/** {@link WhatIfOptions} typed by the parameters of a thread model. `workers` are those of the pool in all scenarios. */
export interface ThreadWhatIfOptions<P> extends Omit<OptionsOfKind<'thread model'>, 'vary' | 'set'> {
  readonly vary?: ThreadAxes<P> | readonly Axis[];
  readonly set?: Partial<ThreadModel<P>['params']>;
}

/** Input of `whatif`: a model or a net, the path of the module that exports it, or the path of a trace or a net. */
export type StudyInput = string | RankedModel | PooledModel | Net;

/**
 * Options of `whatif` for an input: axes are typed by the parameters of a model. One conditional type instead of overloads, so
 * that a wrong axis is one error at its place.
 */
export type WhatIfOptionsOf<M extends StudyInput> = M extends RankedModel
  ? ModelWhatIfOptions<M['params']>
  : M extends PooledModel
    ? ThreadWhatIfOptions<M['params']>
    : OptionsOfKind<KindOf<M, InputKind>>;

type OptionsOfKind<Kind extends InputKind> = OptionsFor<WhatIfOptions, typeof WHATIF_ROWS, Kind>;

/** Selects the options shared by all scenarios. */
export function sharedOptions(options: SharedOptions): SharedOptions {
  return given(options, [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'ranks',
    'scale',
    'networkModel',
    'collectives',
    'cfg',
    'derivedTypeBytes',
    'confine',
    'seed',
    'set',
    ...POOL_OPTIONS,
    'loggops',
    'otherPrograms',
    'start',
    'jobHostfiles',
  ]);
}

/** The shared options as plain data for the document. */
export function plainOptions(options: SharedOptions): WhatIfDocument['options'] {
  const { seed: _, set = {}, machine, placement, oversubscribe, bypass, ...more } = options;
  const { otherPrograms: __, start = {}, jobHostfiles = {}, ...others } = more;
  const listed = (of: Readonly<Record<string, number | string>>): string =>
    Object.entries(of)
      .map(([job, value]) => `${job}=${value}`)
      .join(', ');
  const places = typeof placement === 'function' ? 'function' : 'list';
  const values = Object.entries(set).map(([k, v]) => [`model.${k}`, typeof v === 'boolean' ? String(v) : v]);
  return {
    ...others,
    ...(placement === undefined ? {} : { placement: typeof placement === 'string' ? placement : places }),
    ...(bypass === undefined ? {} : { bypass: bypass ? 'yes' : 'no' }),
    ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    ...(Object.keys(start).length === 0 ? {} : { start: listed(start) }),
    ...(Object.keys(jobHostfiles).length === 0 ? {} : { jobHostfiles: listed(jobHostfiles) }),
    ...(machine === undefined ? {} : { machine: typeof machine === 'object' ? machine.name : machine }),
    ...Object.fromEntries(values),
  };
}

/** The kinds of input to which each option applies. */
export const WHATIF_ROWS = {
  ...MACHINE_ROWS,
  ...POOL_ROWS,
  otherPrograms: TRACE,
  start: TRACE,
  jobHostfiles: TRACE,
  vary: ALL,
  // Thread models are refused with a reason (WHAT012).
  ideals: PROGRAMS,
  find: ALL,
  scaling: MODELS,
  elasticity: PROGRAMS,
  limit: ALL,
  // Workers of the pool of a thread model; otherwise threads of the study.
  workers: ALL,
  seed: DRAWN,
  set: MODELS,
  replications: DRAWN,
  precision: DRAWN,
  confidence: DRAWN,
  until: NET,
  maxSteps: NET,
  // A net contains its machine, but a schedule takes the parameters of a loggops network.
  machine: ['model', 'thread model', 'trace', 'net'],
  loggops: ['model', 'trace', 'net'],
  figures: ['model', 'trace', 'net'],
  rewards: NET,
  maxStates: NET,
  progress: ALL,
  signal: ALL,
} as const satisfies OptionRows<WhatIfOptions>;
