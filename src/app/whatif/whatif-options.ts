import { given } from '../../base/given.ts';
import type { ProgramModel, Widened } from '../../models/program/model.ts';
import type { AxisValue, WhatIfDocument } from '../../report/whatif.ts';
import type { MachineOptions } from '../target.ts';
import type { Axis } from './axes.ts';
import type { SharedOptions } from './scenario-options.ts';
import type { StudyOptions } from './study-document.ts';

/** Options of `whatif`. */
export interface WhatIfOptions extends StudyOptions, MachineOptions {
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
  ]);
}

/** The shared options as plain data for the document. */
export function plainOptions(options: SharedOptions): WhatIfDocument['options'] {
  const { seed: _, set = {}, machine, placement, oversubscribe, ...others } = options;
  const places = typeof placement === 'function' ? 'function' : 'list';
  const values = Object.entries(set).map(([k, v]) => [`model.${k}`, typeof v === 'boolean' ? String(v) : v]);
  return {
    ...others,
    ...(placement === undefined ? {} : { placement: typeof placement === 'string' ? placement : places }),
    ...(oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    ...(machine === undefined ? {} : { machine: typeof machine === 'object' ? machine.name : machine }),
    ...Object.fromEntries(values),
  };
}
