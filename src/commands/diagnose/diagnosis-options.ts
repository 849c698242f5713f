import type { DiagnosisThresholds } from '../../analysis/diagnosis/causes.ts';
import { COUNTINGS, type Counting } from '../../analysis/diagnosis/region-figures.ts';
import { given } from '../../base/given.ts';
import { fail, quote } from '../../base/problem.ts';
import { type SpanNames, spanState } from '../../trace/workers/span-states.ts';
import { TIME_UNITS, type TimeUnit } from '../../trace/workers/worker-csv.ts';
import { WORKER_STATES, type WorkerState } from '../../trace/workers/worker-states.ts';
import type { PoolSettings } from '../inputs/document-parts.ts';
import {
  ALL,
  MODEL,
  MODELS,
  type OptionRows,
  POOL_ROWS,
  RECORDED,
  THREAD_OPTIONS,
  THREADS,
} from '../inputs/option-rows.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import type { PredictOptions } from '../predict/options.ts';
import type { Moment } from '../profile/read-record.ts';
import { PRESETS, type Preset } from './threshold-sources.ts';

/** Options of a diagnosis. */
export interface DiagnoseOptions extends Partial<DiagnosisThresholds> {
  /** How tasks are counted; `document` follows the source to the letter. Default `default`. */
  readonly counting?: Counting;
  /** Seconds of a monitoring period; default: each region as a whole. */
  readonly period?: number;
  /** Begin of the part of the run that is diagnosed: seconds, or per cent of the run as in `25%`. */
  readonly from?: Moment;
  /** End of this part. */
  readonly to?: Moment;
  /** Unit of the times of worker states. Default: that of the column, `time_ns`, or seconds. */
  readonly unit?: TimeUnit;
  /** Ticks that a task should take at least: the rate of tasks follows from the clock. In the source 5,000. */
  readonly ticks?: number;
  /** Clock of a core in Hz, for `ticks` and presets. Default 2e9, as in the source. */
  readonly clock?: number;
  /** Ticks of a task that the makers of a framework recommend. */
  readonly preset?: Preset;
  /**
   * States by the names of spans, patterns (`task*`) or categories (`cat:task`), for a run record, a Chrome or scheduler trace; in a record, names of calls, intervals or states. Default
   * for a record: computing and memory are EXEC.
   */
  readonly states?: SpanNames;
  /** State of a worker between its spans. Default WAIT. */
  readonly gaps?: WorkerState;
  /**
   * Seconds that regions take without parallel overhead on one worker; a number where the run has one region. Of a model they
   * are known: the work of the region.
   */
  readonly sequential?: number | Readonly<Record<string, number>>;
}

/** @throws InputError DIAG001 */
export function checkValues(options: DiagnoseOptions): void {
  const refuse = (name: string, expected: string, value: unknown): never =>
    fail('DIAG001', `${name}: expected ${expected}, got ${quote(String(value))}`);
  for (const name of ['active', 'inactive'] as const) {
    const share = options[name];
    if (share !== undefined && !(share >= 0 && share <= 1)) refuse(name, 'a share from 0 to 1', share);
  }
  for (const name of ['taskRate', 'stealRatio', 'searchRate'] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 0 && value < Number.POSITIVE_INFINITY))
      refuse(name, 'a number from 0', value);
  }
  const seconds = [
    ['period', options.period],
    ...(typeof options.sequential === 'object'
      ? Object.entries(options.sequential).map(([name, s]) => [`sequential ${name}`, s] as const)
      : [['sequential', options.sequential] as const]),
  ] as const;
  for (const [name, value] of seconds)
    if (value !== undefined && !(value > 0 && value < Number.POSITIVE_INFINITY)) refuse(name, 'seconds > 0', value);
  for (const [name, state] of Object.entries(options.states ?? {}))
    if (typeof state !== 'string' || spanState(state) === undefined)
      refuse(name, `one of ${WORKER_STATES.join(', ')}, or one of them with an own state as in WAIT:locked`, state);
  const { gaps = 'WAIT', unit = 's', preset } = options;
  if (!WORKER_STATES.includes(gaps)) refuse('gaps', `one of ${WORKER_STATES.join(', ')}`, gaps);
  if (!Object.hasOwn(TIME_UNITS, unit)) refuse('unit', `one of ${Object.keys(TIME_UNITS).join(', ')}`, unit);
  if (preset !== undefined && !Object.hasOwn(PRESETS, preset))
    refuse('preset', `one of ${Object.keys(PRESETS).join(', ')}`, preset);
  for (const name of ['ticks', 'clock'] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0 && value < Number.POSITIVE_INFINITY)) refuse(name, 'a number > 0', value);
  }
  const rates = (['taskRate', 'ticks', 'preset'] as const).filter((name) => options[name] !== undefined);
  if (rates.length > 1) fail('DIAG001', `${rates.join(' and ')}: expected one of them, each gives the rate of tasks`);
  if (options.clock !== undefined && options.ticks === undefined && preset === undefined)
    fail('DIAG001', 'clock: expected ticks or a preset, whose rate of tasks depends on it');
  if (options.counting !== undefined && !COUNTINGS.includes(options.counting))
    refuse('counting', `one of ${COUNTINGS.join(', ')}`, options.counting);
}

/** Settings of a diagnosis: thresholds, and those of the run of a model. */
export interface DiagnosisSettings
  extends Pick<
      DiagnoseOptions,
      | 'active'
      | 'inactive'
      | 'taskRate'
      | 'stealRatio'
      | 'searchRate'
      | 'counting'
      | 'period'
      | 'from'
      | 'to'
      | 'unit'
      | 'ticks'
      | 'clock'
      | 'preset'
      | 'gaps'
    >,
    Omit<PoolSettings, 'bypass'> {
  /** States of spans: `NAME=STATE,…`. */
  readonly states?: string;
  /** Sequential times of regions: `NAME=SECONDS,…`. */
  readonly sequential?: string;
  /** Name or path of the machine. */
  readonly machine?: string;
  /** Number of ranks. */
  readonly ranks?: number;
  /** Ranks share cores if there are fewer cores than ranks. */
  readonly oversubscribe?: 'yes';
  /** Seed of the run. */
  readonly seed?: string;
  /** Parameters of the model: `NAME=VALUE,…`. */
  readonly set?: string;
  /** Pools: whether a worker continues the strand whose tasks it has ended last. */
  readonly bypass?: boolean;
}

/** The options of a diagnosis as figures of its document. */
export function optionsOf(options: DiagnoseOptions): DiagnosisSettings {
  return {
    ...given(options as Omit<DiagnoseOptions, 'sequential' | 'states'>, [
      'active',
      'inactive',
      'taskRate',
      'stealRatio',
      'searchRate',
      'counting',
      'period',
      'from',
      'to',
      'unit',
      'ticks',
      'clock',
      'preset',
      'gaps',
    ]),
    ...(options.states === undefined
      ? {}
      : {
          states: Object.entries(options.states)
            .map(([name, state]) => `${name}=${state}`)
            .join(','),
        }),
  };
}

/** Options of the diagnosis of a model. Machine, workers and scheduler have the defaults of predictions. */
export interface DiagnoseModelOptions
  extends Omit<DiagnoseOptions, 'states' | 'gaps' | 'unit' | 'sequential'>,
    Pick<PredictOptions, 'machine' | 'ranks' | 'oversubscribe' | 'set' | 'seed' | keyof ThreadOptions> {
  /** False: changed programs are not run, and findings have no predicted gain. Default true. */
  readonly gain?: boolean;
  /** Adds work, span and the speed-up curve on 1, 2, 4, … workers. */
  readonly speedup?: boolean;
}

/** The options of the diagnosis of a model as strings and numbers. */
export function modelOptions(options: DiagnoseModelOptions): DiagnosisSettings {
  const { machine, set } = options;
  const texts = {
    ...options,
    ...(machine === undefined ? {} : { machine: typeof machine === 'string' ? machine : machine.name }),
    ...(set === undefined
      ? {}
      : {
          set: Object.entries(set)
            .map(([name, value]) => `${name}=${String(value)}`)
            .join(','),
        }),
  };
  return {
    ...optionsOf(options),
    ...given(texts, ['machine', 'ranks', 'seed', 'set', ...THREAD_OPTIONS]),
    ...(options.oversubscribe === true ? { oversubscribe: 'yes' } : {}),
  } as DiagnosisSettings;
}

const THRESHOLD_ROWS = {
  active: ALL,
  inactive: ALL,
  taskRate: ALL,
  stealRatio: ALL,
  searchRate: ALL,
  counting: ALL,
  period: ALL,
  ticks: ALL,
  clock: ALL,
  preset: ALL,
};

/** The kinds of input to which each option applies. */
export const DIAGNOSE_ROWS: OptionRows<DiagnoseOptions & DiagnoseModelOptions> = {
  ...THRESHOLD_ROWS,
  ...POOL_ROWS,
  workers: THREADS,
  states: ['run record', 'Chrome trace', 'scheduler trace'],
  unit: ['worker states'],
  from: [...RECORDED, ...THREADS],
  to: [...RECORDED, ...THREADS],
  gaps: ['run record', 'Chrome trace'],
  sequential: RECORDED,
  machine: MODELS,
  ranks: MODEL,
  oversubscribe: MODEL,
  set: MODELS,
  seed: MODELS,
  gain: MODELS,
  speedup: THREADS,
};
