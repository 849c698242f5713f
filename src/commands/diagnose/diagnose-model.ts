import type { Cause } from '../../analysis/diagnosis/causes.ts';
import { WorkerMeter } from '../../analysis/diagnosis/worker-meter.ts';
import { DEFAULT_SEED } from '../../app/document.ts';
import { inputFiles } from '../../app/inputs.ts';
import type { Import } from '../../app/load-model.ts';
import { loadThreads } from '../../app/threads/load-threads.ts';
import { type Gain, predictedGain, type Variant } from '../../app/threads/predicted-gain.ts';
import { runThreads } from '../../app/threads/run-threads.ts';
import { DEFAULT_WORKERS, type ThreadTarget, threadMachine } from '../../app/threads/thread-target.ts';
import { PRODUCT } from '../../app/version.ts';
import { given } from '../../base/given.ts';
import { fail, InputError, type Problem } from '../../base/problem.ts';
import { SCHEDULERS, type ThreadNet, threadNet } from '../../models/threads/net/thread-net.ts';
import { cutsOf } from '../../models/threads/program/changes.ts';
import type { RecordedThreads } from '../../models/threads/program/recorder.ts';
import { sumByRegion } from '../../models/threads/program/region-work.ts';
import { type Change, changedProgram, type ThreadModel } from '../../models/threads/program/threads.ts';
import { secondsOfRows } from '../../models/threads/row-times.ts';
import { WorkerLives } from '../../models/threads/worker-lives.ts';
import { diagnosed, MAX_LISTED } from './diagnosed-region.ts';
import type { DiagnosedRegion, DiagnosisDocument } from './diagnosis-document.ts';
import { checkOptions, type DiagnoseOptions, optionsOf } from './diagnosis-options.ts';

/** Options of the diagnosis of a model. */
export interface DiagnoseModelOptions extends Omit<DiagnoseOptions, 'states' | 'gaps' | 'sequential'>, ThreadTarget {
  /** Values of parameters of the model. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Seed of all random numbers, default `1`. */
  readonly seed?: string;
}

/**
 * Diagnoses the thread model that a module exports.
 *
 * @throws InputError as `diagnoseModel`; APP001, APP021 to APP023 for the module
 */
export async function diagnoseModelFile(
  path: string,
  options: DiagnoseModelOptions,
  load?: Import,
): Promise<DiagnosisDocument> {
  const model = await loadThreads(path, load);
  return { ...diagnoseModel(model, options), inputs: inputFiles({ model: path }) as DiagnosisDocument['inputs'] };
}

/**
 * Runs a thread model and diagnoses its parallel regions. The sequential time of a region is its work: overhead is reported
 * above its share of the workers' time, and also where its mean per worker reaches the gain over a sequential run. The
 * predicted gain of a finding comes from changing the model and running it.
 *
 * @throws InputError DIAG001 for options; THR00x for faults of the model; DIAG007, DIAG008
 */
export function diagnoseModel(written: ThreadModel, options: DiagnoseModelOptions = {}): DiagnosisDocument {
  checkModelOptions(options);
  const model = options.set === undefined ? written : written.with(options.set);
  const { workers = DEFAULT_WORKERS, seed = DEFAULT_SEED } = options;
  let recorded: RecordedThreads | undefined;
  const original: Change = (r) => {
    recorded = r;
    return r;
  };
  const net = netOf(model, original, options);
  const meter = new WorkerMeter(options.period);
  const lives = new WorkerLives(net, meter);
  const run = runThreads(net, { seed, sink: lives });
  lives.end(run.time);
  const measured = meter.regions().filter(({ seconds }) => seconds > 0);
  const sequential = sequentialOf(net);
  const steals = net.scheduler === 'stealing';
  const listed = measured.reduce((sum, r) => sum + r.workers.size, 0) <= MAX_LISTED;
  const nameOf = (worker: number): string => String(worker);
  const question = (region: string) => ({
    cuts: cutsOf(recorded!, region),
    regionTime: measured.reduce((sum, r) => (r.name === region ? sum + r.seconds : sum), 0),
    workers,
    time: run.time,
    timeOf: (variant: Variant) => timeOf(model, variant, options),
  });
  const gains = new Map<string, Gain>();
  const gainOf = (region: string, cause: Cause): Gain => {
    const key = `${cause} ${region}`;
    const gain = run.ended
      ? (gains.get(key) ?? predictedGain(cause, question(region)))
      : { reason: 'the program deadlocks' };
    gains.set(key, gain);
    return gain;
  };
  const regions = measured.map((region): DiagnosedRegion => {
    const known = options.period === undefined ? sequential.get(region.name) : undefined;
    const facts = { steals, rule: 'either', ...(known === undefined ? {} : { sequential: known }) } as const;
    const found = diagnosed(region, options, facts, listed ? nameOf : undefined);
    return {
      ...found,
      findings: found.findings.map((finding) => {
        const gain = gainOf(region.name, finding.cause);
        if ('reason' in gain) return { ...finding, noGain: gain.reason };
        const { change, seconds } = gain;
        return { ...finding, advice: `${change}: ${finding.advice}`, change, predictedGain: seconds };
      }),
    };
  });
  const warnings: Problem[] = listed
    ? []
    : [{ code: 'DIAG005', message: `more than ${MAX_LISTED} workers: the document has sums only` }];
  return {
    format: 'foretoken',
    version: 1,
    kind: 'diagnosis',
    product: PRODUCT,
    complete: true,
    inputs: {},
    options: {
      ...optionsOf(options),
      workers,
      scheduler: net.scheduler,
      ...(options.seed === undefined ? {} : { seed }),
    },
    origin: 'simulated',
    model: { name: model.name, params: model.params, workers, scheduler: net.scheduler, runTime: run.time },
    ...(run.ended ? {} : { deadlock: run.deadlock }),
    regions,
    warnings,
  };
}

function netOf(model: ThreadModel, change: Change, target: ThreadTarget): ThreadNet {
  const { workers = DEFAULT_WORKERS, scheduler = 'stealing', pool = {} } = target;
  return threadNet(changedProgram(model, workers, change), threadMachine(target), { ...pool, scheduler });
}

/** The run time of a variant; undefined if it deadlocks or has too many steps. */
function timeOf(model: ThreadModel, variant: Variant, options: DiagnoseModelOptions): number | undefined {
  const isChange = 'change' in variant;
  // The machine keeps its cores if the pool has fewer workers.
  const target = isChange ? options : { ...options, workers: variant.workers };
  try {
    const run = runThreads(netOf(model, isChange ? variant.change : (r) => r, target), given(options, ['seed']));
    return run.ended ? run.time : undefined;
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Seconds of each region on one worker without overhead; over all ranks, and of each. */
function sequentialOf({ program, machine }: ThreadNet): Map<string, number> {
  const seconds = secondsOfRows(program, machine);
  const sums = sumByRegion(program, (k) => seconds[k]!);
  return program.pools > 1 ? new Map() : new Map(program.regions.map((name, k) => [name, sums[k]!]));
}

/** @throws InputError DIAG001 */
function checkModelOptions(options: DiagnoseModelOptions): void {
  checkOptions(options);
  const { workers, scheduler } = options;
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 1 && workers <= 1_000_000))
    fail('DIAG001', `workers: expected an integer from 1 to 1000000, got ${String(workers)}`);
  if (scheduler !== undefined && !SCHEDULERS.includes(scheduler))
    fail('DIAG001', `scheduler: expected one of ${SCHEDULERS.join(', ')}, got ${String(scheduler)}`);
}
