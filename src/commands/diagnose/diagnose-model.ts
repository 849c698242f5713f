import type { FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { KnownLoss, LossSubject } from '../../analysis/diagnosis/known-losses.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import { type MeasuredRegion, WorkerMeter } from '../../analysis/diagnosis/worker-meter.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { fail, type Problem, quote, unlessRejected } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import { totalsOf } from '../../models/threads/ledger-parts.ts';
import { cutsOf } from '../../models/threads/program/changes.ts';
import type { RecordedThreads } from '../../models/threads/program/statements.ts';
import { changedModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { sumByRegion } from '../../models/threads/region-sums.ts';
import { TimeLedger } from '../../models/threads/time-ledger.ts';
import { isSameWork, type WorkAmounts, workAmounts } from '../../models/threads/work-amounts.ts';
import { objectSeconds, secondsOfRows, workOf } from '../../models/threads/work-span.ts';
import { WorkerLives } from '../../models/threads/worker-lives.ts';
import { WorkerWindow } from '../../trace/workers/worker-window.ts';
import { THREAD_OPTIONS } from '../inputs/option-rows.ts';
import type { PredictOptions } from '../predict/options.ts';
import { predictSubject } from '../predict/predict-subject.ts';
import { runThreads, type ThreadRun } from '../predict/threads/run-threads.ts';
import { machineWarnings, type ThreadModelNet, threadModelNet } from '../predict/threads/thread-model-net.ts';
import { threadSubject } from '../predict/threads/thread-subject.ts';
import { windowOf } from '../profile/read-record.ts';
import { cheaperParts } from './cheaper-parts.ts';
import { chainLoss, chainOf } from './critical-path.ts';
import { diagnosed, listsWorkers, sumsOnly } from './diagnosed-region.ts';
import type { DiagnosedRegion, DiagnosisDocument } from './diagnosis-document.ts';
import { checkValues, type DiagnoseModelOptions, modelOptions } from './diagnosis-options.ts';
import { FindingGains, secondsOf } from './finding-gains.ts';
import { diagnosedLines, diagnosedLocks, ledgerLosses } from './ledger-losses.ts';
import {
  amountsOf,
  type Gain,
  type GainQuestion,
  OTHER_WORK,
  optionsFor,
  predictedGain,
  type RunTimes,
  type Variant,
} from './predicted-gain.ts';
import { speedupOf } from './speedup.ts';
import { thresholdSources } from './threshold-sources.ts';

/**
 * Runs a thread model and diagnoses its parallel regions. The sequential time of a region is its work: overhead is reported
 * above its share of the workers' time, and also where its mean per worker reaches the gain over a sequential run. The
 * predicted gain of a finding comes from making a change and running the changed program.
 *
 * @throws InputError DIAG001, THR010 and THR011 for options; THR00x for faults of the model; DIAG008 for a run without end
 */
export function diagnoseModel(model: ThreadModel, options: DiagnoseModelOptions = {}): DiagnosisDocument {
  checkValues(options);
  let recorded: RecordedThreads | undefined;
  const original = changedModel(model, (r) => {
    recorded = r;
    return r;
  });
  const built = netOf(original, options);
  const { net, workers } = built;
  const meter = new WorkerMeter(options.period);
  // The simulation is deterministic: a first run tells how long the run takes.
  const window = windowOf(options, () => ({ from: 0, to: runThreads(net, given(options, ['seed'])).time }));
  const lives = new WorkerLives(net, window === undefined ? meter : new WorkerWindow(meter, window));
  const ledger = new TimeLedger(net, { ...given(options, ['period']), ...(window === undefined ? {} : { window }) });
  const run = runThreads(net, { ...given(options, ['seed']), sinks: [lives, ledger] });
  if (run.isCut) fail('DIAG008', `the program takes more than ${run.steps} steps: use a smaller problem`);
  lives.end(run.time);
  ledger.end(run.time);
  const ledgers = [{ net, ledger }];
  const measured = meter.regions().filter(({ seconds }) => seconds > 0);
  const isWhole = options.period === undefined && window === undefined;
  const sequential = isWhole ? sequentialOf(built) : new Map<string, number>();
  const ofObjects = isWhole ? byRegion(built, objectSeconds(net.program, net.machine)) : new Map<string, number>();
  const listed = listsWorkers(measured);
  const known = {
    measured,
    run,
    workers,
    scheduler: net.scheduler,
    recorded: recorded!,
    work: workAmounts(built.mean, [recorded!]),
    times: runTimes(built, options, run.time),
    inverted: invertedIn(ledger),
  };
  const [lines, locks] = [diagnosedLines(ledgers), diagnosedLocks(ledgers)];
  const seeded = netOptions(options);
  const chain = chainOf(net);
  const gains = new FindingGains(options, (region, cause, subject) =>
    gainOf(model, options, known, region, cause, subject),
  );
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'diagnosis',
    product: PRODUCT,
    complete: true,
    inputs: {},
    options: modelOptions(options),
    origin: 'simulated',
    ...(window === undefined ? {} : { window: { from: window.from, to: window.to } }),
    thresholds: thresholdSources(options),
    model: {
      name: model.name,
      params: built.model.params,
      workers,
      scheduler: net.scheduler,
      runTime: run.time,
      serialTime: workOf(built.net.program, built.net.machine),
    },
    ...(run.ended ? {} : { deadlock: predictSubject(threadSubject(built, given(options, ['seed']))).deadlock }),
    lines: lines.map(({ isWork: _, ...line }) => line),
    locks,
    regions: measured.map((region): DiagnosedRegion => {
      const seconds = sequential.get(region.name);
      const facts = {
        steals: net.scheduler === 'stealing',
        sharesQueue: net.scheduler === 'central',
        comesAndGoes: net.scheduler === 'os' || options.resize !== undefined,
        objectSeconds: ofObjects.get(region.name) ?? 0,
        rule: 'either',
        ...(seconds === undefined ? {} : { sequential: seconds }),
        cores: net.machine.cores,
      } as const;
      const losses = (figures: RegionFigures): KnownLoss[] => [
        ...ledgerLosses(ledgers, (one) => one.part(region.name, region.from), figures),
        ...(window === undefined ? chainLoss(ledger.part(region.name, region.from), chain, figures) : []),
      ];
      const found = diagnosed(region, options, { ...facts, losses }, listed ? String : undefined);
      return { ...found, findings: found.findings.map((finding) => gains.of(region.name, finding)) };
    }),
    ...(options.speedup === true
      ? {
          speedup: speedupOf(model, seeded, gains.removed),
          ...(run.ended ? { cheaper: cheaperParts(model, seeded, run.time, { lines, locks }) } : {}),
        }
      : {}),
    warnings: [
      ...(built.target.platform.notes ?? []),
      ...machineWarnings(built),
      ...drawnOnce(built),
      ...sumsOnly(listed),
    ],
  });
}

function netOf(model: ThreadModel, options: DiagnoseModelOptions): ThreadModelNet {
  return threadModelNet(model, netOptions(options));
}

function netOptions(options: DiagnoseModelOptions): PredictOptions {
  return given(options, ['machine', 'set', 'seed', ...THREAD_OPTIONS]) as PredictOptions;
}

/** The program as it is. */
interface Known {
  readonly measured: readonly MeasuredRegion[];
  readonly run: ThreadRun;
  readonly workers: number;
  readonly scheduler: string;
  readonly recorded: RecordedThreads;
  readonly work: WorkAmounts;
  /** Run times of its replications; computed on first use. */
  readonly times: () => RunTimes | undefined;
  /** Seconds of priority inversion. */
  readonly inverted: number;
}

/** The gain of the best change in a region of the program. */
function gainOf(
  model: ThreadModel,
  options: DiagnoseModelOptions,
  known: Known,
  region: string,
  cause: FindingCause,
  subject: LossSubject | undefined,
): Gain {
  const { measured, run, workers, recorded, scheduler } = known;
  const times = run.ended ? known.times() : undefined;
  if (times === undefined) return { reason: 'the program deadlocks' };
  return predictedGain(cause, {
    cuts: cutsOf(recorded, region),
    regionTime: secondsOf(measured, region),
    ...{ workers, recorded, region, subject, scheduler },
    times,
    timesOf: (variant) => timesOf(model, options, variant, known.work),
    inverted: known.inverted,
    invertedOf: (variant) => invertedOf(model, options, variant),
  });
}

/** Seconds of priority inversion of all lines. */
const invertedIn = ({ lines, whole }: TimeLedger): number =>
  lines.reduce((sum, _, k) => sum + totalsOf(whole, k).inverted, 0);

/** Seconds of priority inversion in a run of a variant; undefined if it does not end. */
function invertedOf(model: ThreadModel, options: DiagnoseModelOptions, variant: Variant): number | undefined {
  if (!('change' in variant)) return undefined;
  return unlessRejected(() => {
    const { net } = netOf(changedModel(model, variant.change), options);
    const ledger = new TimeLedger(net);
    const run = runThreads(net, { ...given(options, ['seed']), sinks: [ledger] });
    ledger.end(run.time);
    return run.ended ? invertedIn(ledger) : undefined;
  });
}

/** The run times of a variant; undefined if it deadlocks, or has too many steps. */
function timesOf(
  model: ThreadModel,
  options: DiagnoseModelOptions,
  variant: Variant,
  work: WorkAmounts,
): ReturnType<GainQuestion['timesOf']> {
  let recorded: RecordedThreads | undefined;
  const changed = changedModel(model, (r) => {
    recorded = 'change' in variant ? variant.change(r) : r;
    return recorded;
  });
  return unlessRejected(() => {
    const built = netOf(changed, optionsFor(options, variant));
    if (!isSameWork([workAmounts(built.mean, [recorded!])], [work], amountsOf(variant))) return OTHER_WORK;
    return runTimes(built, options)();
  });
}

/** THR013: a diagnosis explains one run. */
const drawnOnce = ({ model, drawsTimes }: ThreadModelNet): Problem[] =>
  drawsTimes
    ? [
        {
          code: 'THR013',
          message: `the times of model ${quote(model.name)} are drawn: this is the diagnosis of one run, --seed gives others; gains are means of ${REPLICATIONS} runs`,
        },
      ]
    : [];

/** Replications whose mean gain is reported if times are drawn. */
const REPLICATIONS = 10;

/**
 * The run times of a program in its replications, computed on first use; undefined if one of them deadlocks.
 *
 * @param first run time of replication 0, if it is known
 */
function runTimes(built: ThreadModelNet, options: DiagnoseModelOptions, first?: number): () => RunTimes | undefined {
  let times: RunTimes | undefined;
  return () => {
    if (times !== undefined) return times;
    const found = first === undefined ? [] : [first];
    for (let k = found.length; k < (built.drawsTimes ? REPLICATIONS : 1); k++) {
      const run = runThreads(built.replication(k).net, { ...given(options, ['seed']), replication: k });
      if (!run.ended) return undefined;
      found.push(run.time);
    }
    times = found;
    return times;
  };
}

/** Seconds of each region on one worker without overhead. */
function sequentialOf(built: ThreadModelNet): Map<string, number> {
  const { program, machine } = built.net;
  const seconds = secondsOfRows(program, machine);
  return byRegion(
    built,
    sumByRegion(program, (k) => seconds[k]!),
  );
}

const byRegion = ({ net }: ThreadModelNet, sums: Float64Array): Map<string, number> =>
  new Map(net.program.regions.map((name, k) => [name, sums[k]!]));
