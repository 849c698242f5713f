import { FragmentMeter } from '../../../analysis/fragments.ts';
import { ParallelismMeter } from '../../../analysis/parallelism.ts';
import { QueueMeter } from '../../../analysis/queue-meter.ts';
import { type SimulatedRun, simulate } from '../../../analysis/simulate.ts';
import { given } from '../../../base/given.ts';
import type { LoggedFirings } from '../../../base/logged-firings.ts';
import { ownOf } from '../../../base/own.ts';
import type { Problem } from '../../../base/problem.ts';
import { type CompiledNet, compile, type NetRun } from '../../../engine/compile.ts';
import { mapMachine } from '../../../machine/map-machine.ts';
import type { MessagePassingMachine } from '../../../models/message-passing-parts.ts';
import { largestAllowed } from '../../../models/program/allowed-ranks.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import { type ProgramNet, programNet } from '../../../models/program/net/program-net.ts';
import type { Recorded } from '../../../models/program/record/recorder.ts';
import { statementsIn } from '../../../models/program/record/statement.ts';
import { shareOfLoops } from '../../../models/program/run/loop-progress.ts';
import { type ProgramSink, ProgramStates } from '../../../models/program/run/program-states.ts';
import { type ActivityEntry, ThreadActivity } from '../../../models/threads/thread-activity.ts';
import { duringBuild } from '../../inputs/build-phase.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { memberFiles } from '../../inputs/inputs.ts';
import { type Placed, placeOn, readTarget, type Target } from '../../inputs/target.ts';
import { withParameters } from '../../inputs/with-parameters.ts';
import { stopsOf, withFailures } from '../../subjects/failures.ts';
import { energyFigures, HostActivity, poweredHosts } from '../../subjects/host-activity.ts';
import { RunTime } from '../../subjects/run-time.ts';
import { checkPrediction } from '../check-prediction.ts';
import { bothCounts, type ChromeCounters } from '../chrome-counters.ts';
import { DEFAULT_SEED, documentHead, mainFigures, notesOf, profileOf, transferFigures } from '../document.ts';
import type { PredictOptions } from '../options.ts';
import { modelOverflow, withPlace } from '../overflow-place.ts';
import type { PredictionDocument, RankFigures } from '../prediction.ts';
import { assertMeanTimes, noiseWarnings } from '../threads/thread-model-net.ts';
import { drawnPosts } from '../ties/program-ties.ts';
import { mismatchesOf } from '../unmatched.ts';
import {
  fragmentFigures,
  intervalFigures,
  nodeLoads,
  operationFigures,
  QUEUES,
  queueFigures,
} from './model-figures.ts';
import { leftInNetwork, lostMessages, stuckRanks } from './model-outcome.ts';
import { missingResources, resourcesOf } from './model-resources.ts';
import { checkRun } from './program-fault.ts';
import { unmatchedInModel } from './unmatched-in-model.ts';

/** Machine used if none is given; results mark it as assumed. */
export const ASSUMED_MACHINE = 'simgrid-backbone';

/*
 * The path of a prediction, in the order of this file: a model is loaded, mapped onto the machine, compiled, run, and
 * described by a document. Each stage has a type that the next one takes. Mapped and compiled models serve many runs.
 */

/** Stage 1: a model with its parameters, the machine, and the programs of all ranks. */
export interface LoadedModel {
  readonly model: ProgramModel;
  readonly target: Target;
  readonly ranks: number;
  readonly programs: readonly Recorded[];
}

/** Stage 2: ranks on cores, and the net of their programs. */
export interface MappedModel {
  readonly model: ProgramModel;
  readonly target: Target;
  readonly ranks: number;
  readonly placed: Placed;
  /** Threads of each rank: the workers of its largest region. */
  readonly threads: Int32Array;
  readonly program: ProgramNet;
}

/** Stage 3: the compiled net, with meters for its runs. */
export interface CompiledModel {
  readonly compiled: CompiledNet;
  /** Returns meters for the next run; the previous ones are disconnected. */
  begin(): Meters;
  /** The last run, whose memory the next one uses. */
  before?: NetRun;
}

/** Stage 4: a run that has ended; `time` is the run time of the program in seconds. */
interface EndedRun extends SimulatedRun {
  readonly meters: Meters;
  readonly blocked: readonly BlockedRank[];
  readonly faults: readonly Problem[];
}

/** Runs a mapped model once. */
export function predictOnce(
  mapped: MappedModel,
  options: PredictOptions,
  { compiled = compileModel(mapped), replication = 0 }: { compiled?: CompiledModel; replication?: number } = {},
): PredictionDocument {
  const run = runModel(mapped, compiled, options, replication);
  const document = documentOf(mapped, options, run);
  checkPrediction(document, () => modelOverflow(mapped.program), mapped.target.model.solver);
  return document;
}

/**
 * Loads a model and maps it onto the machine that the options name.
 *
 * @param change transforms the recorded programs before they are mapped
 */
export function mapModel(
  model: ProgramModel,
  options: PredictOptions,
  change: (programs: readonly Recorded[]) => readonly Recorded[] = (programs) => programs,
): MappedModel {
  const { programs, ...loaded } = loadedModel(model, options);
  const { target, ranks } = loaded;
  return duringBuild(() => {
    const changed = change(programs);
    const threads = threadsOfRanks(changed);
    const placed = placeOn(target, options, ranks, mostThreads(threads));
    const program = programNet(
      changed,
      target.collectives,
      (pairs) => machineOf(target, placed.placement, pairs, threads),
      placed.placement,
    );
    for (const { about } of program.world.threadParts) assertMeanTimes(about.program);
    const tied = options.ties === 'random' ? { ...program, net: drawnPosts(program.net) } : program;
    return { ...loaded, placed, threads, program: tied };
  });
}

/** @param most maximum number of ranks; default: that of models */
export function loadedModel(given: ProgramModel, options: PredictOptions, most?: number): LoadedModel {
  const model = withParameters(given, options.set);
  const target = readTarget({ ...options, machine: options.machine ?? ASSUMED_MACHINE });
  return duringBuild(() => {
    const ranks = options.ranks ?? model.ranks ?? ranksOnAllCores(model, target);
    return { model, target, ranks, programs: model.record(ranks, most) };
  });
}

/**
 * One rank per core, or per group of cores if ranks have threads; or the largest smaller number that the model's declared rank
 * counts allow. If they allow none, the number of cores is returned, so that the model rejects it with a list of the allowed
 * ones.
 */
function ranksOnAllCores(model: ProgramModel, { platform }: Target): number {
  const onCores = (each: number): number => {
    const places = platform.hosts.reduce((sum, h) => sum + Math.floor(h.cores / each), 0);
    return largestAllowed(model, places) ?? places;
  };
  const ranks = onCores(1);
  if (!model.allows(ranks)) return ranks;
  const each = mostThreads(threadsOfRanks(model.record(ranks)));
  return each === 1 ? ranks : Math.max(1, onCores(each));
}

/** Cores that each rank uses: the workers of its largest region of threads. */
function threadsOfRanks(programs: readonly Recorded[]): Int32Array {
  const threads = new Int32Array(programs.reduce((sum, { size }) => sum + size, 0)).fill(1);
  for (const { body, first, size } of programs) {
    let most = 1;
    for (const s of statementsIn(body)) if (s.kind === 'threads') most = Math.max(most, s.region.workers);
    threads.fill(most, first, first + size);
  }
  return threads;
}

const mostThreads = (threads: Int32Array): number => threads.reduce((a, b) => Math.max(a, b), 1);

/**
 * The machine as seen by the ranks. If one rank's memory is unknown, memory is ignored for all ranks, because times could
 * not be compared.
 */
function machineOf(...args: Parameters<typeof mapMachine>): MessagePassingMachine {
  const { memory, ...machine } = mapMachine(...args);
  return memory === undefined || memory.ofRank.includes(-1) ? machine : { ...machine, memory };
}

/** Meters that observe a run. */
interface Meters {
  readonly states: ProgramStates;
  readonly threads: readonly ThreadActivity[];
  readonly parallelism: ParallelismMeter;
  readonly hosts: HostActivity | undefined;
  readonly fragments: FragmentMeter;
  readonly queues: ReadonlyMap<string, QueueMeter>;
  readonly runTime: RunTime;
}

/** Compiles the net of a model once for many runs. */
export function compileModel(
  { program, ranks, target, placed }: MappedModel,
  sink?: ProgramSink,
  counters?: ChromeCounters,
): CompiledModel {
  const places = program.net.places.map((p) => p.name).filter((name) => ownOf(QUEUES, name) !== undefined);
  let meters: Meters;
  const runTime = new RunTime(program.net);
  let read: (log: LoggedFirings, length: number) => void = () => undefined;
  const activity = (active: (time: number, by: number, rank: number) => void): ThreadActivity[] =>
    program.world.threadParts.map(
      ({ about, prefix, poolOf, first }) =>
        new ThreadActivity(about, prefix, poolOf, (time, by, pool) => active(time, by, first + pool)),
    );
  const entriesOf = (threads: readonly ThreadActivity[]): ActivityEntry[] => threads.flatMap(({ entries }) => entries);
  const { transitions } = new ProgramStates(program, () => undefined, sink).log(entriesOf(activity(() => undefined)));
  const compiled = compile(program.net, {
    log: { transitions, read: (log, length) => read(log, length) },
    counts: bothCounts(
      {
        ...runTime.counts,
        ...Object.fromEntries(
          places.map((place) => [place, (time: number, by: number) => meters.queues.get(place)!.observer(time, by)]),
        ),
      },
      counters?.counts,
    ),
    coloured: counters?.coloured ?? [],
  });
  const begin = (): Meters => {
    const parallelism = new ParallelismMeter();
    const fragments = new FragmentMeter(ranks);
    const powered = poweredHosts(target.platform, placed.placement);
    const hosts = powered === undefined ? undefined : new HostActivity(powered);
    const active = (time: number, by: number, rank: number): void => {
      parallelism.change(time, by);
      hosts?.change(time, rank, by);
    };
    const states = new ProgramStates(
      program,
      (time, rank, by, inThreads) => {
        // The threads of a rank count instead of the rank.
        if (!inThreads) active(time, by, rank);
        fragments.change(time, rank, by);
      },
      sink,
    );
    const threads = activity(active);
    const log = states.log(entriesOf(threads));
    states.bind(log, (t) => compiled.variables(t));
    read = log.read;
    runTime.begin();
    meters = {
      states,
      threads,
      parallelism,
      hosts,
      fragments,
      queues: new Map(places.map((place) => [place, new QueueMeter()])),
      runTime,
    };
    return meters;
  };
  begin();
  return { compiled, begin };
}

function runModel(
  { program, ranks, target, placed }: MappedModel,
  model: CompiledModel,
  options: PredictOptions,
  replication: number,
): EndedRun {
  const { compiled, begin, before } = model;
  delete model.before;
  const meters = begin();
  const { states, parallelism, fragments, runTime } = meters;
  const faulty = (run: NetRun): boolean => program.world.faults.some(({ place }) => run.tokens(place).length > 0);
  let stopped = false;
  const shareOf = options.progress === undefined ? undefined : shareOfLoops(program, compiled.transitions);
  // Reports progress from the beginning.
  options.progress?.({ time: 0, share: shareOf === undefined ? Number.NaN : 0 });
  let run: SimulatedRun;
  try {
    run = simulate(compiled, {
      seed: options.seed ?? DEFAULT_SEED,
      replication,
      ...(before === undefined ? {} : { instead: before }),
      maxInstantSteps: 1e6 + 40 * ranks * ranks,
      maxSteps: options.maxSteps ?? 1e10,
      ...(options.until === undefined ? {} : { until: options.until }),
      progress: (run) => {
        stopped = program.world.faults.length > 0 && faulty(run);
        options.progress?.({ time: run.now, share: shareOf?.(run.firings) ?? Number.NaN });
      },
      cancelled: () => stopped || options.cancelled?.() === true,
    });
  } catch (error) {
    throw withPlace(error, (part) => modelOverflow(program, part));
  }
  model.before = run.run;
  const complete = run.ended === 'quiescent';
  const blocked = complete ? stuckRanks(program, run.run, states) : [];
  const faults = checkRun(program, {
    marking: run.run,
    calls: states.collectives,
    complete,
    stuck: blocked.length > 0,
  });
  const time = runTime.of(run.time, states.ended);
  states.finish(time, stopsOf(target.platform, placed.placement, time));
  for (const one of meters.threads) one.finish(time);
  parallelism.change(time, 0);
  fragments.advance(time);
  meters.hosts?.finish(time);
  return { ...run, time, meters, blocked, faults };
}

/**
 * The settings of a prediction of a model, as its document has them.
 *
 * @param more settings between those of the machine and the limits of its protocol
 */
export function settingsOf(
  { model, ranks, target }: Pick<LoadedModel, 'model' | 'ranks' | 'target'>,
  placement: string,
  options: PredictOptions,
  more: PredictionDocument['options'],
): PredictionDocument['options'] {
  return {
    model: model.name,
    ranks,
    networkModel: target.model.name,
    collectives: target.collectives.text,
    ...given(options, ['cfg']),
    placement,
    ...(target.builtIn ? { builtIn: target.platform.name } : {}),
    ...(options.machine === undefined ? { assumed: 'machine' } : {}),
    ...(options.oversubscribe === true ? { oversubscribe: 'yes' } : {}),
    ...more,
    eagerBelow: target.model.eagerBelow,
    detachedBelow: target.model.detachedBelow,
    ...Object.fromEntries(
      Object.entries(model.params).map(([k, v]) => [`model.${k}`, typeof v === 'boolean' ? String(v) : v]),
    ),
  };
}

function documentOf(mapped: MappedModel, options: PredictOptions, run: EndedRun): PredictionDocument {
  const { ranks, target, placed, program } = mapped;
  const { meters, blocked, faults } = run;
  const { states, parallelism, fragments, queues } = meters;
  const { platform, description } = target;
  const { time } = run;
  const complete = run.ended === 'quiescent';
  const { seconds } = states;
  const energy = energyFigures(platform, meters.hosts, time);
  const { placement } = placed;
  const stopped = { ...target, placement, ended: states.ended, time, lost: leftInNetwork(program, run.run) };
  return {
    ...documentHead(options),
    complete: complete || run.ended === 'time',
    ended: run.ended,
    inputs: memberFiles(platform.files ?? []),
    options: settingsOf(mapped, placed.name, options, numbersOf(options)),
    ...(description === undefined ? {} : { machine: { ...description } }),
    figures: {
      ...mainFigures(time, parallelism, sumOf(seconds.computing, seconds.memory)),
      ...transferFigures(states.transferring, states.transfers.latency),
      ...energy.all,
    },
    ranks: Array.from({ length: ranks }, (_, rank): RankFigures => {
      const end = states.ended[rank]!;
      return {
        rank,
        host: platform.hosts[placed.placement[rank]!]!.name,
        ...(mapped.threads[rank]! > 1 ? { threads: mapped.threads[rank]! } : {}),
        endTime: Number.isNaN(end) ? null : end,
        computing: seconds.computing[rank]!,
        memory: seconds.memory[rank]!,
        communicating: seconds.communicating[rank]!,
        waiting: seconds.waiting[rank]!,
        idle: seconds.idle[rank]!,
      };
    }),
    resources: resourcesOf(mapped, run.run, meters, time, energy),
    firings: run.firings,
    intervals: intervalFigures(states),
    fragments: fragmentFigures(fragments, time),
    operations: operationFigures(program, run.firings, time),
    queues: queueFigures(queues, time),
    nodes: nodeLoads(platform.hosts, placed.placement, states, time),
    profile: profileOf(time, parallelism),
    ...(complete ? withFailures(blocked, stopped) : { deadlock: blocked }),
    ...(blocked.length === 0 ? {} : mismatchesOf(unmatchedInModel(program, run.run))),
    warnings: [...warningsOf(mapped), ...faults, ...(complete ? lostMessages(program, run.run) : [])],
    ...notesOf([...(platform.notes ?? []), ...placed.notes]),
  };
}

/** The options that a rerun needs. */
function numbersOf(options: PredictOptions): PredictionDocument['options'] {
  const keys = ['ties', 'until', 'maxSteps', 'replications', 'precision', 'confidence'] as const;
  return Object.fromEntries(keys.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]])));
}

function sumOf(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((x, k) => x + b[k]!);
}

function warningsOf({ program, target }: MappedModel): PredictionDocument['warnings'] {
  const ofThreads = program.world.threadParts.length === 0 ? [] : noiseWarnings(target);
  return [...target.warnings, ...ofThreads, ...missingResources(program, target)];
}
