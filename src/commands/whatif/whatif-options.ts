import { given } from '../../base/given.ts';
import type { ProgramModel, Widened } from '../../models/program/model.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../predict/threads/thread-options.ts';
import type { Axis } from './axes/axes.ts';
import type { SharedOptions } from './scenario-options.ts';
import type { StudyOptions } from './study-document.ts';
import type { AxisValue, WhatIfDocument } from './whatif-result.ts';

/** Options of `whatif`. */
export interface WhatIfOptions extends StudyOptions, MachineOptions, Omit<ThreadOptions, 'workers'> {
  /** Models only: parameter values shared by all scenarios. */
  readonly set?: Readonly<Record<string, AxisValue>>;
  /** Models only: number of runs per scenario. Run k draws the same random numbers in all scenarios. */
  readonly replications?: number;
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
export interface ModelWhatIfOptions<P> extends Omit<WhatIfOptions, 'vary' | 'set'> {
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
  readonly machine?: readonly string[];
} & { readonly [path in `machine.${string}`]?: readonly (number | string)[] } & {
  readonly [K in keyof P & string as `model.${K}`]?: readonly Widened<P>[K][];
};

/** {@link WhatIfOptions} typed by the parameters of a thread model. `workers` are those of the pool in all scenarios. */
export interface ThreadWhatIfOptions<P> extends Omit<WhatIfOptions, 'vary' | 'set'> {
  readonly vary?: ThreadAxes<P> | readonly Axis[];
  readonly set?: Partial<ThreadModel<P>['params']>;
}

/** Selects the options shared by all scenarios. */
export function sharedOptions(options: SharedOptions): SharedOptions {
  return given(options, [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'ranks',
    'networkModel',
    'collectives',
    'derivedTypeBytes',
    'seed',
    'set',
    'scheduler',
    'victim',
    'take',
    'rounds',
    'bypass',
    'pool',
  ]);
}

/** The shared options as plain data for the document. */
export function plainOptions(options: SharedOptions): WhatIfDocument['options'] {
  const { seed: _, set = {}, machine, placement, oversubscribe, bypass, ...others } = options;
  const places = typeof placement === 'function' ? 'function' : 'list';
  const values = Object.entries(set).map(([k, v]) => [`model.${k}`, typeof v === 'boolean' ? String(v) : v]);
  return {
    ...others,
    ...(placement === undefined ? {} : { placement: typeof placement === 'string' ? placement : places }),
    ...(bypass === undefined ? {} : { bypass: bypass ? 'yes' : 'no' }),
    ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    ...(machine === undefined ? {} : { machine: typeof machine === 'object' ? machine.name : machine }),
    ...Object.fromEntries(values),
  };
}
