import type { FindingCause } from '../../analysis/diagnosis/causes.ts';
import type { KnownLoss, LossSubject, SlowHost } from '../../analysis/diagnosis/known-losses.ts';
import type { RegionFigures } from '../../analysis/diagnosis/region-figures.ts';
import { type MeasuredRegion, WorkerMeter } from '../../analysis/diagnosis/worker-meter.ts';
import { simulate } from '../../analysis/simulate.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { fail, quote, unlessRejected } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import { compile } from '../../engine/compile.ts';
import { equallyFast } from '../../machine/ideal-network.ts';
import { meanFullSpeed } from '../../machine/profile.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { Recorded } from '../../models/program/record/recorder.ts';
import { mapStatements, type Statement, statementsIn } from '../../models/program/record/statement.ts';
import { cutsOf } from '../../models/threads/program/changes.ts';
import { ThreadEvents } from '../../models/threads/thread-events.ts';
import type { ThreadRegion } from '../../models/threads/thread-region.ts';
import { TimeLedger } from '../../models/threads/time-ledger.ts';
import { isSameWork, type WorkAmounts, workAmounts } from '../../models/threads/work-amounts.ts';
import { WorkerLives } from '../../models/threads/worker-lives.ts';
import { machineIn } from '../inputs/target.ts';
import { DEFAULT_SEED } from '../predict/document.ts';
import { modelSubject } from '../predict/model/model-subject.ts';
import { ASSUMED_MACHINE, type MappedModel, mapModel } from '../predict/model/stages.ts';
import type { PredictOptions } from '../predict/options.ts';
import { predictSubject } from '../predict/predict-subject.ts';
import { diagnosed, listsWorkers, sumsOnly } from './diagnosed-region.ts';
import type { DiagnosedRegion, DiagnosisDocument } from './diagnosis-document.ts';
import { checkValues, type DiagnoseModelOptions, modelOptions } from './diagnosis-options.ts';
import { FindingGains, secondsOf } from './finding-gains.ts';
import { diagnosedLines, diagnosedLocks, type Ledgers, ledgerLosses } from './ledger-losses.ts';
import {
  amountsOf,
  type Gain,
  type GainQuestion,
  OTHER_WORK,
  optionsFor,
  predictedGain,
  type Variant,
} from './predicted-gain.ts';
import { fasterText, slowerHostLosses } from './slower-hosts.ts';
import { thresholdSources } from './threshold-sources.ts';

/**
 * Runs a message-passing program whose ranks have threads, and diagnoses its parallel regions: each over all ranks, and as
 * `NAME, rank R` for each rank. A predicted gain is that of the whole program, for a change in all ranks.
 *
 * @throws InputError DIAG001 for options, DIAG004 for a program without threads, MODEL0xx and THR00x for faults of the model
 */
export function diagnoseProgram(model: ProgramModel, options: DiagnoseModelOptions = {}): DiagnosisDocument {
  checkValues(options);
  const asked = given(options, ['machine', 'ranks', 'oversubscribe', 'set', 'seed']) as PredictOptions;
  const built = mapModel(model, asked);
  const regions = regionsIn(built.program.programs);
  if (regions.length === 0)
    fail('DIAG004', `model ${quote(model.name)} has no threads, which diagnose explains: use profile for ranks`);
  const prediction = predictSubject(modelSubject(built, asked));
  const time = prediction.figures.runTime.value;
  const work = workOf(built);
  const { measured, ledgers, nameOf, rankOf } = measuredIn(built, options, time);
  const { hosts } = built.target.platform;
  const places = {
    names: hosts.map(({ name }) => name),
    speeds: hosts.map((host) => meanFullSpeed(host, time) / host.cores),
    hostOf: built.placed.placement,
    rankOf,
  };
  const listed = listsWorkers(measured);
  const ended = prediction.deadlock.length === 0;
  const gains = new FindingGains(options, (region, cause, subject, hosts) =>
    ended
      ? hosts !== undefined
        ? gainOfSpeed(model, asked, time, hosts)
        : gainOf(model, asked, regions, { measured, time, region, cause, subject, work })
      : { reason: 'the program deadlocks' },
  );
  const schedulers = [...new Set(regions.map(({ scheduler }) => scheduler))];
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'diagnosis',
    product: PRODUCT,
    complete: true,
    inputs: {},
    options: modelOptions(options),
    origin: 'simulated',
    thresholds: thresholdSources(options),
    model: {
      name: model.name,
      params: built.model.params,
      ranks: built.ranks,
      workers: Math.max(...regions.map(({ workers }) => workers)),
      scheduler: schedulers.join(', '),
      runTime: time,
    },
    ...(ended ? {} : { deadlock: prediction.deadlock }),
    lines: diagnosedLines(ledgers).map(({ isWork: _, ...line }) => line),
    locks: diagnosedLocks(ledgers),
    regions: measured.map((region): DiagnosedRegion => {
      const comesAndGoes = schedulers.includes('os');
      const facts = {
        steals: schedulers.includes('stealing'),
        sharesQueue: schedulers.every((scheduler) => scheduler === 'central'),
        comesAndGoes,
        rule: 'either',
      } as const;
      const losses = (figures: RegionFigures): KnownLoss[] => [
        ...(partsOf(region.name).rank === undefined ? slowerHostLosses(region, figures, places) : []),
        ...ledgerLosses(ledgers, (one) => one.part(region.name, region.from), figures),
      ];
      const found = diagnosed(region, options, { ...facts, losses }, listed ? nameOf : undefined);
      const { rank } = partsOf(region.name);
      const findings = found.findings.map((finding) => gains.of(region.name, finding));
      return { ...found, ...(rank === undefined ? {} : { rank }), findings };
    }),
    warnings: [...(built.target.platform.notes ?? []), ...prediction.warnings, ...sumsOnly(listed)],
  });
}

/** The regions of threads in programs, in the order of their statements. */
const regionsIn = (programs: readonly Recorded[]): ThreadRegion[] =>
  programs.flatMap(({ body }) => [...statementsIn(body)].flatMap((s) => (s.kind === 'threads' ? [s.region] : [])));

/** Runs the program up to a time, and measures the workers of all ranks. */
function measuredIn(
  { program: { net, world } }: MappedModel,
  { period, seed = DEFAULT_SEED }: DiagnoseModelOptions,
  time: number,
): {
  readonly measured: readonly MeasuredRegion[];
  readonly ledgers: readonly Ledgers[];
  readonly nameOf: (worker: number) => string;
  readonly rankOf: (worker: number) => number;
} {
  const meter = new WorkerMeter(period);
  const names: string[] = [];
  const ranks: number[] = [];
  const lives = world.threadParts.map(({ about, first }) => {
    const one = new WorkerLives({ ...about, net }, meter, { worker: names.length, rank: first });
    for (let w = 0; w < about.carriers; w++) {
      ranks.push(one.poolOf(w) + first);
      names.push(carrierName(one.poolOf(w) + first, w, about));
    }
    return one;
  });
  const ledgers = world.threadParts.map(({ about, first }): Ledgers => {
    const whole = { ...about, net };
    return { net: whole, ledger: new TimeLedger(whole, { ...(period === undefined ? {} : { period }), rank: first }) };
  });
  const events = world.threadParts.flatMap(({ about, prefix }, k) =>
    [lives[k]!, ledgers[k]!.ledger].map((sink) => new ThreadEvents({ ...about, net }, sink, { prefix })),
  );
  const compiled = compile(net, { log: ThreadEvents.log(events) });
  simulate(compiled, { seed, maxInstantSteps: 1e6 + 40 * world.ranks ** 2, maxSteps: 1e10, until: time });
  for (const one of lives) one.end(time);
  for (const { ledger } of ledgers) ledger.end(time);
  return {
    measured: meter.regions().filter(({ seconds }) => seconds > 0),
    ledgers,
    nameOf: (worker) => names[worker]!,
    rankOf: (worker) => ranks[worker]!,
  };
}

/** As in results: `rank 2, worker 0`. */
function carrierName(
  rank: number,
  carrier: number,
  { scheduler, program }: { readonly scheduler: string; readonly program: { readonly workers: number } },
): string {
  return scheduler === 'os' ? `rank ${rank}, thread ${carrier}` : `rank ${rank}, worker ${carrier % program.workers}`;
}

/** Name and rank of a region, as `WorkerLives` names it. */
function partsOf(region: string): { readonly name: string; readonly rank?: number } {
  const [, name, rank] = /^(.*), rank (\d+)$/.exec(region) ?? [];
  return name === undefined ? { name: region } : { name, rank: Number(rank) };
}

/** The gain of a machine whose hosts are all as fast as the fastest one; the program is the same. */
function gainOfSpeed(model: ProgramModel, options: PredictOptions, time: number, hosts: readonly SlowHost[]): Gain {
  const change = fasterText(hosts);
  const after = unlessRejected(() => {
    const machine = equallyFast(machineIn({ machine: ASSUMED_MACHINE, ...options }));
    if (machine === undefined) return undefined;
    const { figures, deadlock, complete } = predictSubject(
      modelSubject(mapModel(model, { ...options, machine }), options),
    );
    return complete && deadlock.length === 0 ? figures.runTime.value : undefined;
  });
  if (after === undefined) return { reason: `${change}: that machine cannot run the program` };
  return after < time ? { change, seconds: time - after } : { reason: `${change}, does not shorten the run` };
}

/** A question for {@link gainOf}. */
interface Question {
  readonly measured: readonly MeasuredRegion[];
  readonly time: number;
  readonly region: string;
  readonly cause: FindingCause;
  readonly subject: LossSubject | undefined;
  /** Work of the threads of the program as it is. */
  readonly work: readonly WorkAmounts[];
}

/** The best gain of the changes in the regions of threads that contain a region. */
function gainOf(
  model: ProgramModel,
  options: PredictOptions,
  regions: readonly ThreadRegion[],
  { measured, time, region, cause, subject, work }: Question,
): Gain {
  // A change concerns all ranks.
  const { name } = partsOf(region);
  const gains = regions.flatMap(({ recorded, workers, scheduler }, which): Gain[] => {
    const cuts = cutsOf(recorded, name);
    if (cuts.length === 0 && subject === undefined) return [];
    const timesOf = (variant: Variant): Outcome =>
      timesWith(model, options, changeOf(which, variant), work, amountsOf(variant));
    return [
      predictedGain(cause, {
        ...{ cuts, recorded, region: name, subject, workers, scheduler, times: [time], timesOf },
        regionTime: secondsOf(measured, region),
      }),
    ];
  });
  const best = gains.reduce<Gain | undefined>(
    (most, gain) =>
      'seconds' in gain && !(most !== undefined && 'seconds' in most && most.seconds >= gain.seconds)
        ? gain
        : (most ?? gain),
    undefined,
  );
  return best ?? { reason: 'the region has no loop that can be changed' };
}

/** Changes one region of threads of the recorded programs. */
function changeOf(which: number, variant: Variant): (programs: readonly Recorded[]) => readonly Recorded[] {
  const changed = (region: ThreadRegion): ThreadRegion =>
    'change' in variant ? { ...region, recorded: variant.change(region.recorded) } : optionsFor(region, variant);
  return (programs) => {
    const target = regionsIn(programs)[which];
    const by = (s: Statement): Statement =>
      s.kind === 'threads' && s.region === target ? { ...s, region: changed(s.region) } : s;
    return programs.map((program) => ({ ...program, body: mapStatements(program.body, by) }));
  };
}

type Outcome = ReturnType<GainQuestion['timesOf']>;

/** The work of the threads of all ranks. */
const workOf = ({ program: { world, programs } }: MappedModel): WorkAmounts[] => {
  const recorded = regionsIn(programs).map((region) => region.recorded);
  return world.threadParts.map(({ about }) => workAmounts(about.program, recorded));
};

/** The run time of a changed program; undefined if it deadlocks or cannot be run. */
function timesWith(
  model: ProgramModel,
  options: PredictOptions,
  change: (programs: readonly Recorded[]) => readonly Recorded[],
  work: readonly WorkAmounts[],
  amounts: ReturnType<typeof amountsOf>,
): Outcome {
  return unlessRejected(() => {
    const built = mapModel(model, options, change);
    if (!isSameWork(workOf(built), work, amounts)) return OTHER_WORK;
    const { figures, deadlock, complete } = predictSubject(modelSubject(built, options));
    return complete && deadlock.length === 0 ? [figures.runTime.value] : undefined;
  });
}
