import type { Cause } from '../../analysis/diagnosis/causes.ts';
import { type MeasuredRegion, WorkerMeter } from '../../analysis/diagnosis/worker-meter.ts';
import { inputFiles } from '../../app/inputs.ts';
import { type Import, loadAnyModel } from '../../app/load-model.ts';
import type { PredictOptions } from '../../app/options.ts';
import { machineFileOf } from '../../app/target.ts';
import { predictBuiltThreads } from '../../app/threads/predict-threads.ts';
import { type Gain, predictedGain, type Variant } from '../../app/threads/predicted-gain.ts';
import { runThreads, type ThreadRun } from '../../app/threads/run-threads.ts';
import { speedupOf } from '../../app/threads/speedup.ts';
import { memoryWarnings, type ThreadModelNet, threadModelNet } from '../../app/threads/thread-model-net.ts';
import { THREAD_OPTIONS, type ThreadOptions } from '../../app/threads/thread-options.ts';
import { PRODUCT } from '../../app/version.ts';
import { given } from '../../base/given.ts';
import { fail, InputError, type Problem, quote } from '../../base/problem.ts';
import { cutsOf } from '../../models/threads/program/changes.ts';
import { sumByRegion } from '../../models/threads/program/region-work.ts';
import type { RecordedThreads } from '../../models/threads/program/statements.ts';
import { changedModel, isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { secondsOfRows } from '../../models/threads/row-times.ts';
import { WorkerLives } from '../../models/threads/worker-lives.ts';
import { diagnosed, MAX_LISTED } from './diagnosed-region.ts';
import type { DiagnosedRegion, DiagnosisDocument, DiagnosisFinding } from './diagnosis-document.ts';
import { checkOptions, type DiagnoseOptions, optionsOf } from './diagnosis-options.ts';

/** Options of the diagnosis of a model. The default scheduler is `stealing`. */
export interface DiagnoseModelOptions
  extends Omit<DiagnoseOptions, 'states' | 'gaps' | 'sequential'>,
    Pick<PredictOptions, 'machine' | 'set' | 'seed' | keyof ThreadOptions> {
  /** False: changed programs are not run, and findings have no predicted gain. Default true. */
  readonly gain?: boolean;
  /** Adds work, span and the speed-up curve on 1, 2, 4, … workers. */
  readonly speedup?: boolean;
}

/**
 * Diagnoses the thread model that a module exports.
 *
 * @throws InputError as `diagnoseModel`; APP001, APP021 to APP023 for the module, DIAG004 for a model without threads
 */
export async function diagnoseModelFile(
  path: string,
  options: DiagnoseModelOptions,
  load?: Import,
): Promise<DiagnosisDocument> {
  const model = await loadAnyModel(path, load);
  if (!isThreadModel(model)) fail('DIAG004', `model ${quote(model.name)} has no threads`, { file: path });
  const inputs = inputFiles({ model: path, machine: machineFileOf(options) }) as DiagnosisDocument['inputs'];
  return { ...diagnoseModel(model, options), inputs };
}

/**
 * Runs a thread model and diagnoses its parallel regions. The sequential time of a region is its work: overhead is reported
 * above its share of the workers' time, and also where its mean per worker reaches the gain over a sequential run. The
 * predicted gain of a finding comes from making a change and running the changed program.
 *
 * @throws InputError DIAG001, THR010 and THR011 for options; THR00x for faults of the model; DIAG008 for a run without end
 */
export function diagnoseModel(model: ThreadModel, options: DiagnoseModelOptions = {}): DiagnosisDocument {
  checkOptions(options);
  let recorded: RecordedThreads | undefined;
  const original = changedModel(model, (r) => {
    recorded = r;
    return r;
  });
  const built = netOf(original, options);
  const { net, workers } = built;
  const meter = new WorkerMeter(options.period);
  const lives = new WorkerLives(net, meter);
  const run = runThreads(net, { ...given(options, ['seed']), sink: lives });
  if (run.isCut) fail('DIAG008', `the program takes more than ${run.steps} steps: use a smaller problem`);
  lives.end(run.time);
  const measured = meter.regions().filter(({ seconds }) => seconds > 0);
  const sequential = options.period === undefined ? sequentialOf(built) : new Map<string, number>();
  const listed = measured.reduce((sum, r) => sum + r.workers.size, 0) <= MAX_LISTED;
  const gains = new Gains(model, options, { measured, run, workers, recorded: recorded! });
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
      ...given(textOptions(options), ['machine', 'seed', 'set', ...THREAD_OPTIONS]),
    } as DiagnosisDocument['options'],
    origin: 'simulated',
    model: { name: model.name, params: built.model.params, workers, scheduler: net.scheduler, runTime: run.time },
    ...(run.ended ? {} : { deadlock: predictBuiltThreads(built, given(options, ['seed'])).deadlock }),
    regions: measured.map((region): DiagnosedRegion => {
      const known = sequential.get(region.name);
      const facts = {
        steals: net.scheduler === 'stealing',
        rule: 'either',
        ...(known === undefined ? {} : { sequential: known }),
      } as const;
      const found = diagnosed(region, options, facts, listed ? String : undefined);
      return { ...found, findings: found.findings.map((finding) => gains.of(region.name, finding)) };
    }),
    ...(options.speedup === true
      ? { speedup: speedupOf(model, { ...netOptions(options), ...given(options, ['seed']) }) }
      : {}),
    warnings: [...memoryWarnings(built), ...warnings],
  };
}

function netOf(model: ThreadModel, options: DiagnoseModelOptions): ThreadModelNet {
  return threadModelNet(model, netOptions(options));
}

function netOptions(options: DiagnoseModelOptions): PredictOptions {
  return { scheduler: 'stealing', ...given(options, ['machine', 'set', ...THREAD_OPTIONS]) } as PredictOptions;
}

/** Options as strings and numbers. */
function textOptions(options: DiagnoseModelOptions): Record<string, unknown> {
  const { machine, set } = options;
  return {
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
}

/** The program as it is. */
interface Known {
  readonly measured: readonly MeasuredRegion[];
  readonly run: ThreadRun;
  readonly workers: number;
  readonly recorded: RecordedThreads;
}

/** Predicts the gains of findings. Findings of one cause and region, in several periods, share one. */
class Gains {
  readonly #model: ThreadModel;
  readonly #options: DiagnoseModelOptions;
  readonly #known: Known;
  readonly #gains = new Map<string, Gain>();

  constructor(model: ThreadModel, options: DiagnoseModelOptions, known: Known) {
    this.#model = model;
    this.#options = options;
    this.#known = known;
  }

  /** The finding with its predicted gain, or the reason why there is none. */
  of(region: string, finding: DiagnosisFinding): DiagnosisFinding {
    const key = `${finding.cause} ${region}`;
    const gain = this.#gains.get(key) ?? this.#gain(region, finding.cause);
    this.#gains.set(key, gain);
    if ('reason' in gain) return { ...finding, noGain: gain.reason };
    const { change, seconds } = gain;
    return { ...finding, advice: `${change}: ${finding.advice}`, change, predictedGain: seconds };
  }

  #gain(region: string, cause: Cause): Gain {
    const { measured, run, workers, recorded } = this.#known;
    if (this.#options.gain === false) return { reason: 'changed programs are not run' };
    if (!run.ended) return { reason: 'the program deadlocks' };
    return predictedGain(cause, {
      cuts: cutsOf(recorded, region),
      regionTime: measured.reduce((sum, r) => (r.name === region ? sum + r.seconds : sum), 0),
      workers,
      time: run.time,
      timeOf: (variant) => this.#timeOf(variant),
    });
  }

  /** The run time of a variant; undefined if it deadlocks, or has too many steps. */
  #timeOf(variant: Variant): number | undefined {
    const isChange = 'change' in variant;
    const model = isChange ? changedModel(this.#model, variant.change) : this.#model;
    const options = isChange ? this.#options : { ...this.#options, workers: variant.workers };
    try {
      const run = runThreads(netOf(model, options).net, given(options, ['seed']));
      return run.ended ? run.time : undefined;
    } catch (e) {
      if (e instanceof InputError) return undefined;
      throw e;
    }
  }
}

/** Seconds of each region on one worker without overhead. Hybrid programs have them per rank, and are not included. */
function sequentialOf({ net: { program, machine } }: ThreadModelNet): Map<string, number> {
  if (program.pools > 1) return new Map();
  const seconds = secondsOfRows(program, machine);
  const sums = sumByRegion(program, (k) => seconds[k]!);
  return new Map(program.regions.map((name, k) => [name, sums[k]!]));
}
