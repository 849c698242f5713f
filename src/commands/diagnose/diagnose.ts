import { FINDINGS, type FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import { type MeasuredRegion, WorkerMeter } from '../../analysis/diagnosis/worker-meter.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { didYouMean, fail, type Problem, quote } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import { longRunWarning } from '../../trace/run/checks/run-ranges.ts';
import type { SpanNames } from '../../trace/workers/span-states.ts';
import { readWorkerChrome } from '../../trace/workers/worker-chrome.ts';
import { readWorkerCsv } from '../../trace/workers/worker-csv.ts';
import { readWorkerRecord } from '../../trace/workers/worker-record.ts';
import { readWorkerSched } from '../../trace/workers/worker-sched.ts';
import type { ReadWorkers } from '../../trace/workers/worker-spans.ts';
import type { WorkerConsumer } from '../../trace/workers/worker-states.ts';
import { WorkerExtent, WorkerWindow } from '../../trace/workers/worker-window.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { type ByKind, byKind, givenInput, type InputOf } from '../inputs/input.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import type { InputKind, KindsOf } from '../inputs/option-rows.ts';
import { pathFacts } from '../inputs/path-kinds.ts';
import { machineFiles } from '../inputs/target.ts';
import { windowOf } from '../profile/read-record.ts';
import { diagnoseModel } from './diagnose-model.ts';
import { diagnoseProgram } from './diagnose-program.ts';
import { diagnosed, listsWorkers, sumsOnly } from './diagnosed-region.ts';
import type { DiagnosisDocument } from './diagnosis-document.ts';
import type { DiagnoseModelOptions } from './diagnosis-options.ts';
import { checkValues, DIAGNOSE_ROWS, type DiagnoseOptions, optionsOf } from './diagnosis-options.ts';
import { slowerHostLosses } from './slower-hosts.ts';
import { thresholdSources } from './threshold-sources.ts';

/**
 * Diagnoses a recorded run of a thread pool: finds the parallel regions that lose time to overhead, and the causes. The
 * life-cycle of a worker and the rules are those of Pegushin and Kurylev, CN 102918501 (see docs/diagnose.md).
 *
 * @param input CSV file of worker states: `worker,time,state[,region]`, times in seconds; with `states` also a run record
 * (.ftrun, .jsonl, or the states of a run as .csv), whose processes are the workers, or a Chrome trace (.json)
 * @throws InputError DIAG001 to DIAG004 for options and the kind of input; REC001 to REC010 and WRK001 to WRK006 for the
 * file
 */
export function diagnose(input: string, options?: DiagnoseOptions): DiagnosisDocument;
/**
 * Runs a thread model, or a program whose ranks have threads, and diagnoses its parallel regions in the same way; those of
 * ranks over all ranks, and for each rank. The predicted gain of a finding comes from changing the model and running it.
 *
 * @throws InputError DIAG001, THR010 and THR011 for options; THR001 to THR009 for faults of the model; DIAG008 for a run without
 * end; problems of the machine
 */
export function diagnose(model: ThreadModel | ProgramModel, options?: DiagnoseModelOptions): DiagnosisDocument;
export function diagnose(input: unknown, options: DiagnoseOptions & DiagnoseModelOptions = {}): DiagnosisDocument {
  return diagnoseInput(givenInput('diagnose', input, excludedBy(options)), options);
}

/** As {@link diagnose}, for a file: a record, or a module that exports a model. */
export async function diagnoseFile(
  path: string,
  options: DiagnoseOptions & DiagnoseModelOptions,
  load?: Import,
): Promise<DiagnosisDocument> {
  const input = await openInput('diagnose', path, load, excludedBy(options));
  const document = diagnoseInput(input, options);
  if (input.module === undefined) return document;
  return {
    ...document,
    inputs: inputFiles({ model: path, ...machineFiles(options) }) as typeof document.inputs,
  };
}

/** CSV files are worker states, unless states of their spans are given: then they are run records. */
const excludedBy = (options: DiagnoseOptions | null): readonly InputKind[] =>
  options?.states === undefined ? [] : ['worker states'];

function diagnoseInput(
  input: InputOf<KindsOf<'diagnose'>>,
  options: DiagnoseOptions & DiagnoseModelOptions,
): DiagnosisDocument {
  checkOptions('diagnose', DIAGNOSE_ROWS, input, options);
  return byKind(DIAGNOSED, input, options);
}

type Reads = (to: WorkerConsumer) => ReadWorkers;

const DIAGNOSED: ByKind<KindsOf<'diagnose'>, [DiagnoseOptions & DiagnoseModelOptions], DiagnosisDocument> = {
  model: ({ model }, options) => diagnoseProgram(model, options),
  'thread model': ({ model }, options) => diagnoseModel(model, options),
  'worker states': ({ path }, options) =>
    diagnoseRecorded(path, options, (to) => readWorkerCsv(path, to, options.unit)),
  'run record': ({ path }, options) => diagnoseRecorded(path, options, recordReader(path, options)),
  'Chrome trace': ({ path }, options) => diagnoseRecorded(path, options, chromeReader(path, options)),
  'scheduler trace': ({ path }, options) =>
    diagnoseRecorded(path, options, (to) => readWorkerSched(path, options.states, to)),
};

function diagnoseRecorded(input: string, options: DiagnoseOptions, read: Reads): DiagnosisDocument {
  checkValues(options);
  const meter = new WorkerMeter(options.period);
  const window = windowOf(options, () => {
    const extent = new WorkerExtent();
    read(extent);
    return extent;
  });
  const {
    names,
    warnings,
    nodes,
    origin = 'recorded',
  } = read(window === undefined ? meter : new WorkerWindow(meter, window));
  const measured = meter.regions();
  for (const { name, from, seconds } of measured)
    if (!(seconds > 0))
      fail('WRK006', `region ${quote(name)} takes no time: it begins and ends at ${from} s`, { file: input });
  const sequential = sequentialTimes(measured, options.sequential);
  const listed = listsWorkers(measured);
  const { nodeOf = [], names: hosts = [], speeds = [] } = nodes ?? {};
  const places = { names: hosts, speeds, hostOf: nodeOf, rankOf: (worker: number) => worker };
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'diagnosis',
    product: PRODUCT,
    complete: true,
    inputs: inputFiles({ run: input }) as DiagnosisDocument['inputs'],
    options: {
      ...optionsOf(options),
      ...(sequential.size === 0 ? {} : { sequential: [...sequential].map(([name, s]) => `${name}=${s}`).join(',') }),
    },
    origin,
    ...(window === undefined ? {} : { window: { from: window.from, to: window.to } }),
    thresholds: thresholdSources(options),
    regions: measured.map((region) => {
      const known = sequential.get(region.name);
      const facts = {
        ...(known === undefined ? {} : { sequential: known }),
        ...(nodes === undefined
          ? {}
          : { losses: (figures: RegionFigures) => slowerHostLosses(region, figures, places) }),
      };
      return diagnosed(region, options, facts, listed ? (worker) => names[worker]! : undefined);
    }),
    warnings: [...warnings, ...sumsOnly(listed), ...longRun(measured)],
  });
}

/** A run of improbable length: its times are probably in another unit than seconds. */
function longRun(regions: readonly MeasuredRegion[]): Problem[] {
  const from = regions.reduce((least, region) => Math.min(least, region.from), Number.POSITIVE_INFINITY);
  const to = regions.reduce((most, region) => Math.max(most, region.from + region.seconds), from);
  const message = longRunWarning(to - from);
  return message === undefined ? [] : [{ code: 'REC012', message }];
}

const recordReader =
  (input: string, { states, gaps = 'WAIT' }: DiagnoseOptions): Reads =>
  (to) => {
    if (!pathFacts(input).isRecord)
      fail(
        'DIAG004',
        'expected worker states as .csv, a run record as .ftrun or .jsonl, or a Chrome trace as .json; for waiting ranks of a trace: foretoken profile',
        { file: input },
      );
    return readWorkerRecord(input, PRODUCT, states ?? COMPUTING, gaps, to, states !== undefined);
  };

const chromeReader =
  (file: string, { states, gaps = 'WAIT' }: DiagnoseOptions): Reads =>
  (to) =>
    states === undefined
      ? fail('DIAG004', 'a Chrome trace: expected states of its spans, for instance --state task=EXEC', { file })
      : readWorkerChrome(file, states, gaps, to);

const COMPUTING: SpanNames = { computing: 'EXEC', memory: 'EXEC' };

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

/** True if a diagnosis has a finding of one of the given causes; `any` matches all, also overhead of unknown cause. */
export function hasCause({ regions }: DiagnosisDocument, causes: readonly (FindingCause | 'any')[]): boolean {
  const wanted = causes.includes('any') ? FINDINGS : causes;
  return regions.some(({ findings }) => findings.some(({ cause }) => wanted.includes(cause)));
}
