import { extname } from 'node:path';
import {
  CAUSES,
  type Cause,
  COUNTINGS,
  type Counting,
  causesOf,
  DEFAULT_THRESHOLDS,
  type DiagnosisThresholds,
  figuresOf,
  type RegionFigures,
} from '../../analysis/diagnosis/causes.ts';
import { type MeasuredRegion, WorkerMeter } from '../../analysis/diagnosis/worker-meter.ts';
import { inputFiles } from '../../app/inputs.ts';
import { PRODUCT } from '../../app/version.ts';
import { given } from '../../base/given.ts';
import { didYouMean, fail, type Problem, quote } from '../../base/problem.ts';
import { formatSeconds } from '../../report/units.ts';
import { isRunFile } from '../../trace/run/run-endings.ts';
import { readWorkerChrome } from '../../trace/workers/worker-chrome.ts';
import { readWorkerCsv } from '../../trace/workers/worker-csv.ts';
import { readWorkerRecord } from '../../trace/workers/worker-record.ts';
import type { SpanNames } from '../../trace/workers/worker-spans.ts';
import { COUNTERS, type Counter, WORKER_STATES, type WorkerState } from '../../trace/workers/worker-states.ts';
import type { DiagnosedRegion, DiagnosedWorker, DiagnosisDocument, DiagnosisFinding } from './diagnosis-document.ts';

/** Maximum number of workers listed in a document, over all regions. */
const MAX_LISTED = 100_000;

/** Options of a diagnosis. */
export interface DiagnoseOptions extends Partial<DiagnosisThresholds> {
  /** How tasks are counted; `document`: exactly as in the source. Default `default`. */
  readonly counting?: Counting;
  /** Seconds of a monitoring period; default: each region as a whole. */
  readonly period?: number;
  /**
   * States by the names of spans, for a run record or a Chrome trace; in a record, names of calls, intervals or states. Default
   * for a record: computing and memory are EXEC.
   */
  readonly states?: SpanNames;
  /** State of a worker between its spans. Default WAIT. */
  readonly gaps?: WorkerState;
  /** Seconds per region on one worker without parallel overhead; a number if the run has one region. */
  readonly sequential?: number | Readonly<Record<string, number>>;
}

/**
 * Diagnoses a recorded run of a thread pool: finds the parallel regions that lose time to overhead, and the causes. The
 * life-cycle of a worker and the rules are those of Pegushin and Kurylev, CN 102918501 (see docs/diagnose.md).
 *
 * @param input CSV file of worker states: `worker,time,state[,region]`, times in seconds; with `states` also a run record
 * (.ftrun, .jsonl, or the states of a run as .csv), whose processes are the workers, or a Chrome trace (.json)
 * @throws InputError DIAG001 to DIAG004 for options and the kind of input; REC001 to REC010 and WRK001 to WRK006 for the
 * file
 */
export function diagnose(input: string, options: DiagnoseOptions = {}): DiagnosisDocument {
  checkOptions(options);
  const meter = new WorkerMeter(options.period);
  const names = readWorkers(input, options, meter);
  const measured = meter.regions();
  for (const { name, from, to } of measured)
    if (!(to > from))
      fail('WRK006', `region ${quote(name)} takes no time: it begins and ends at ${from} s`, { file: input });
  const sequential = sequentialTimes(measured, options.sequential);
  const listed = measured.reduce((sum, { workers }) => sum + workers.size, 0) <= MAX_LISTED;
  const warnings: Problem[] = listed
    ? []
    : [{ code: 'DIAG005', message: `more than ${MAX_LISTED} workers: the document has sums only` }];
  return {
    format: 'foretoken',
    version: 1,
    kind: 'diagnosis',
    product: PRODUCT,
    complete: true,
    inputs: inputFiles({ run: input }) as DiagnosisDocument['inputs'],
    options: {
      ...given(options as Omit<DiagnoseOptions, 'sequential' | 'states'>, [
        'active',
        'inactive',
        'taskRate',
        'stealRatio',
        'searchRate',
        'counting',
        'period',
        'gaps',
      ]),
      ...(options.states === undefined
        ? {}
        : {
            states: Object.entries(options.states)
              .map(([name, state]) => `${name}=${state}`)
              .join(','),
          }),
      ...(sequential.size === 0 ? {} : { sequential: [...sequential].map(([name, s]) => `${name}=${s}`).join(',') }),
    },
    origin: 'recorded',
    regions: measured.map((region) => diagnosed(region, names, listed, options, sequential.get(region.name))),
    warnings,
  };
}

/** Reads the workers of a run in any of its forms and returns their names. */
function readWorkers(input: string, { states, gaps = 'WAIT' }: DiagnoseOptions, meter: WorkerMeter): readonly string[] {
  const ending = extname(input).toLowerCase();
  if (ending === '.csv' && states === undefined) return readWorkerCsv(input, meter);
  if (isRunFile(input)) return readWorkerRecord(input, PRODUCT, states ?? COMPUTING, gaps, meter);
  if (ending !== '.json')
    fail('DIAG004', 'expected worker states as .csv, a run record as .ftrun or .jsonl, or a Chrome trace as .json', {
      file: input,
    });
  if (states === undefined)
    fail('DIAG004', 'a Chrome trace: expected states of its spans, for instance --state task=EXEC', { file: input });
  return readWorkerChrome(input, states, gaps, meter);
}

const COMPUTING: SpanNames = { computing: 'EXEC', memory: 'EXEC' };

function diagnosed(
  region: MeasuredRegion,
  names: readonly string[],
  listed: boolean,
  options: DiagnoseOptions,
  sequential: number | undefined,
): DiagnosedRegion {
  const { name, from, to, workers } = region;
  const figures = figuresOf(region, options.counting ?? 'default');
  const thresholds = {
    ...DEFAULT_THRESHOLDS,
    ...given(options, ['active', 'inactive', 'taskRate', 'stealRatio', 'searchRate']),
  };
  const list = [...workers]
    .sort(([a], [b]) => a - b)
    .map(([number, { seconds, counters }]): DiagnosedWorker => {
      const [exec, local, global, wait] = [...seconds] as [number, number, number, number];
      return {
        worker: names[number]!,
        seconds: { exec, local, global, wait },
        counters: Object.fromEntries(COUNTERS.map((c, k) => [c, counters[k]!])) as Record<Counter, number>,
      };
    });
  return {
    name,
    from,
    to,
    workersCount: figures.workers,
    activeShare: figures.activeShare,
    inactiveShare: figures.inactiveShare,
    ownTasks: figures.ownTasks,
    otherTasks: figures.otherTasks,
    ...(listed ? { workers: list } : {}),
    findings: causesOf(figures, thresholds, sequential).map(
      (found): DiagnosisFinding => ({ ...found, advice: adviceFor(found.cause, figures, thresholds) }),
    ),
  };
}

/** What to change about a cause. */
function adviceFor(cause: Cause, figures: RegionFigures, { taskRate }: DiagnosisThresholds): string {
  const tasks = figures.ownTasks + figures.otherTasks;
  switch (cause) {
    case 'fine-grain':
      return (
        `give each task more work, for instance with a larger grain or chunk: tasks take ${formatSeconds(figures.seconds.EXEC / tasks)} ` +
        `on average; aim at more than ${formatSeconds(1 / taskRate)}`
      );
    case 'linear-spawning':
      return 'spawn tasks recursively, or let every worker spawn its own: workers take most tasks from the queues of others';
    case 'too-few-tasks':
      return `cut the work into more tasks, several for each of the ${figures.workers} workers, or use fewer workers`;
    case 'excessive-waiting':
      return 'cut the work more evenly or finer, and begin with the longest tasks: some workers have ended while others work';
  }
}

/** Sequential seconds by region. */
function sequentialTimes(
  regions: readonly MeasuredRegion[],
  sequential: DiagnoseOptions['sequential'],
): ReadonlyMap<string, number> {
  if (sequential === undefined) return new Map();
  const names = [...new Set(regions.map(({ name }) => name))];
  if (typeof sequential === 'number') {
    if (names.length > 1)
      fail(
        'DIAG002',
        `sequential: the run has ${names.length} regions: expected REGION=SECONDS.${didYouMean('', names)}`,
      );
    return new Map([[names[0]!, sequential]]);
  }
  for (const name of Object.keys(sequential))
    if (!names.includes(name))
      fail('DIAG002', `sequential: the run has no region ${quote(name)}.${didYouMean(name, names)}`);
  return new Map(Object.entries(sequential));
}

/** @throws InputError DIAG001 */
function checkOptions(options: DiagnoseOptions): void {
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
  for (const [name, state] of [...Object.entries(options.states ?? {}), ['gaps', options.gaps ?? 'WAIT'] as const])
    if (!WORKER_STATES.includes(state)) refuse(name, `one of ${WORKER_STATES.join(', ')}`, state);
  if (options.counting !== undefined && !COUNTINGS.includes(options.counting))
    refuse('counting', `one of ${COUNTINGS.join(', ')}`, options.counting);
}

/** True if a diagnosis has a finding with one of the given causes; `any`: with any cause. */
export function hasCause({ regions }: DiagnosisDocument, causes: readonly (Cause | 'any')[]): boolean {
  const wanted = causes.includes('any') ? CAUSES : causes;
  return regions.some(({ findings }) => findings.some(({ cause }) => wanted.includes(cause)));
}
