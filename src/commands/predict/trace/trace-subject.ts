import { simulate } from '../../../analysis/simulate.ts';
import { given } from '../../../base/given.ts';
import type { LoggedFirings } from '../../../base/logged-firings.ts';
import { type Problem, quote } from '../../../base/problem.ts';
import { compile, type NetRun } from '../../../engine/compile.ts';
import { traceIgnores } from '../../../machine/machine.ts';
import { meanFullSpeed } from '../../../machine/profile.ts';
import { OP_NAMES } from '../../../models/operations.ts';
import type { RankStateSink, RankStates } from '../../../models/rank-states.ts';
import { messageLatency } from '../../../models/transfer-parts.ts';
import type { ChromeTrace } from '../../../trace/chrome.ts';
import { outputsOf } from '../../../trace/run/write-run.ts';
import { inputFiles, listedFiles, memberFiles } from '../../inputs/inputs.ts';
import { machineFiles, type Target } from '../../inputs/target.ts';
import { checkOutputs } from '../../output.ts';
import { stopsOf, withFailures } from '../../subjects/failures.ts';
import { type EnergyFigures, energyFigures, poweredHosts } from '../../subjects/host-activity.ts';
import { type FollowRanks, RankFollower } from '../../subjects/rank-follower.ts';
import { assertCutOff, type TraceNet, traceNet, traceOn } from '../../subjects/read-trace.ts';
import { RunTime } from '../../subjects/run-time.ts';
import { checkPrediction } from '../check-prediction.ts';
import { bothCounts, ChromeCounters } from '../chrome-counters.ts';
import {
  DEFAULT_SEED,
  documentHead,
  linkFigures,
  mainFigures,
  notesOf,
  profileOf,
  transferFigures,
} from '../document.ts';
import type { PredictOptions } from '../options.ts';
import { traceOverflow, withPlace } from '../overflow-place.ts';
import type { CollectiveFigures, PredictionDocument, RankFigures, ResourceFigures } from '../prediction.ts';
import { replicationPlan } from '../replications/replications.ts';
import { bothSinks, type Subject, type Writers } from '../subject.ts';
import { drawnPosts, withWildcardTies } from '../ties/program-ties.ts';
import { mismatchesOf } from '../unmatched.ts';
import { blockedRanks, instantSteps, unmatchedInTrace } from './blocked.ts';
import { collectiveFigures } from './collective-figures.ts';
import { inJobs, jobFigures, jobOf, jobsOutcome, listedByJobs } from './jobs.ts';
import { MissingLines } from './missing-lines.ts';
import { TraceRecording } from './record-trace.ts';

/**
 * A TI trace on a machine: a file, a listing, or `-` for standard input; gzip is detected. Its files stay open until it is
 * closed.
 *
 * @throws InputError for all problems of the inputs; nothing is written then
 */
export function traceSubject(input: string, options: PredictOptions): Subject {
  const given = [input, ...Object.values(machineFiles(options)), ...Object.values(options.jobHostfiles ?? {})];
  // Before the trace is read: that can take long.
  checkOutputs(outputsOf(options), given);
  const built = traceNet(input, options);
  return { ...subjectOn(input, options, built), close: () => built.trace.close() };
}

/** A trace that stays open as long as its subject is used. */
function subjectOn(input: string, options: PredictOptions, built: TraceNet): Subject {
  const given = [input, ...Object.values(machineFiles(options)), ...Object.values(options.jobHostfiles ?? {})];
  const { target, placed, trace } = built;
  const { progress: _, offloadedRanks: __, ...own } = options;
  return {
    name: built.jobs === undefined ? input : built.jobs.map(({ name }) => name).join(' + '),
    called: `trace ${quote(input)}`,
    options,
    files: [...given, ...trace.files, ...(target.platform.files ?? [])],
    hosts: { target, placement: placed.placement },
    draws: false,
    exact: '',
    place: { file: input },
    runs: (writers) => traceRuns(input, options, built, writers),
    tied: (document) =>
      withWildcardTies(document, {
        place: { file: input },
        random: false,
        runs: () => traceRuns(input, { ...own, ties: 'random' }, built),
      }),
    on: (changed) => {
      const other = traceOn(built, changed);
      return other === undefined ? undefined : subjectOn(input, changed, other);
    },
  };
}

/**
 * Returns a function that replays a trace, compiled once, and gives the document of a replication. Replication k draws the
 * ties of (seed, k) if the options ask for drawn ties; otherwise all replications are equal.
 */
function traceRuns(
  input: string,
  options: PredictOptions,
  built: TraceNet,
  { chrome, recorder }: Writers = {},
): (replication: number) => PredictionDocument {
  const recording = recorder === undefined ? undefined : new TraceRecording(recorder, built);
  const sink = bothSinks<RankStateSink>(
    ['slice', 'message'],
    chrome === undefined ? undefined : chromeSink(chrome, built),
    recording,
  );
  const { trace, operations, machine } = built;
  const { model } = built.target;
  const net = options.ties === 'random' ? drawnPosts(built.net) : built.net;
  const { count, op, rank, request, requests, named, pair, mode, by } = operations;
  const what: FollowRanks = {
    operations: { count, op, rank, request, requests, named, pair, ...given({ mode, by }, ['mode', 'by']) },
    ranks: trace.ranks,
    sharedCores: machine.cores !== undefined,
    detachedBelow: Math.max(model.detachedBelow, model.eagerBelow),
    eagerBelow: model.eagerBelow,
    messages: messageLatency(machine),
    hosts: poweredHosts(built.target.platform, built.placed.placement),
  };
  // A trace or record to write is written by this thread, which also follows replications.
  const alone = sink === undefined && replicationPlan(options) === undefined;
  const offloaded = alone ? options.offloadedRanks : undefined;
  const names = net.transitions.map((t) => t.name);
  const runTime = new RunTime(net);
  const steps = STEPS_OF_ACTION * trace.actions;
  let read: (log: LoggedFirings, length: number) => void = () => undefined;
  const { transitions } = new RankFollower(what, sink).states.log(names);
  const collectives = collectiveFigures(built);
  const counters = chrome === undefined ? undefined : new ChromeCounters(chrome, net);
  const compiled = compile(net, {
    log: { transitions, read: offloaded === undefined ? (log, length) => read(log, length) : offloaded.read },
    counts: bothCounts(runTime.counts, counters?.counts),
    coloured: counters?.coloured ?? [],
    steps,
  });
  return (replication) => {
    const follower = new RankFollower(what, sink);
    const { states, parallelism } = follower;
    read = states.log(names).read;
    runTime.begin();
    offloaded?.begin(what);
    // From the beginning: an interruption before the first report would find no result.
    options.progress?.({ time: 0, share: Number.NaN });
    const due = every(REPORTED_EVERY);
    const run = simulated(built, () =>
      simulate(compiled, {
        seed: options.seed ?? DEFAULT_SEED,
        replication,
        maxInstantSteps: instantSteps(trace.ranks, trace.length),
        ...(options.cancelled === undefined ? {} : { cancelled: options.cancelled }),
        ...(options.progress === undefined
          ? {}
          : {
              progress: (run) => {
                if (due()) options.progress!({ time: run.now, share: shareDone(built, run) });
              },
            }),
      }),
    );
    if (offloaded !== undefined) follower.restore(offloaded.end());
    const time = runTime.of(run.time, states.ended);
    counters?.finish();
    recording?.finish(time, states);
    states.finish(time, stopsOf(built.target.platform, built.placed.placement, time));
    parallelism.change(time, 0);
    follower.hosts?.finish(time);
    const complete = run.ended === 'quiescent';
    const outcome = complete ? outcomeOf(built, run.run, states, run.time) : { complete, deadlock: [] };
    const document = documentOf(input, options, built, follower, { ...run, time }, outcome, collectives);
    checkPrediction(document, () => traceOverflow(built), built.target.model.solver);
    return document;
  };
}

/**
 * The outcome of a finished run: blocked ranks, unless lines that the tracer did not write explain them. Unmatched
 * messages of such lines make the result incomplete, too.
 *
 * @throws InputError TI032 for a trace that was cut off otherwise than by a deadlock
 */
function outcomeOf(
  { trace, operations, encoder, jobs, target, placed, net }: TraceNet,
  marking: NetRun,
  states: RankStates,
  time: number,
): Outcome {
  const blocked = blockedRanks(marking, operations, trace, states, net);
  const lost = net.places.some(({ name }) => name === 'network')
    ? marking.tokens('network').map(({ values }): [number, number] => {
        const row = values[0]!;
        return [operations.rank[row]!, operations.peer[row]!];
      })
    : [];
  const { placement } = placed;
  const { deadlock, failures } = withFailures(blocked, { ...target, placement, ended: states.ended, time, lost });
  if (failures !== undefined)
    return { complete: true, failures, deadlock: jobs === undefined ? deadlock : inJobs(jobs, deadlock) };
  if (jobs !== undefined) return jobsOutcome(jobs, deadlock, marking);
  assertCutOff(trace, deadlock);
  if (deadlock.length === 0 && !UNMATCHED.some((place) => marking.tokens(place).length > 0))
    return { complete: true, deadlock };
  const missing = new MissingLines(trace, encoder);
  if (!missing.some || (deadlock.length > 0 && !missing.explain(deadlock))) return { complete: true, deadlock };
  return { complete: false, deadlock: [], because: missing.problems() };
}

type Outcome = Pick<PredictionDocument, 'complete' | 'deadlock' | 'because' | 'failures'>;

/** Places of messages and receives without a partner. */
const UNMATCHED = ['sends', 'receives', 'wildcardSends', 'wildcardReceives'] as const;

/** Runs a function and adds the trace line to its errors. */
function simulated<T>(built: TraceNet, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw withPlace(error, () => traceOverflow(built));
  }
}

/** Interval of progress reports in milliseconds; each report examines the positions of all ranks. */
const REPORTED_EVERY = 20;
/** Approximate number of starts and ends per action. */
const STEPS_OF_ACTION = 3;

/** Approximate share of the recorded actions that the ranks have passed, for progress reports. */
function shareDone({ trace }: TraceNet, run: NetRun): number {
  let left = 0;
  let all = 0;
  for (let r = 0; r < trace.ranks; r++) all += trace.end[r]! - trace.start[r]!;
  for (const { values } of run.tokens('at')) left += trace.end[values[0]!]! - values[1]!;
  return all === 0 ? 1 : Math.max(0, 1 - left / all);
}

type Settings = Pick<PredictOptions, 'ties' | 'replications' | 'precision' | 'confidence'>;

function documentOf(
  input: string,
  options: PredictOptions,
  built: TraceNet,
  { states, parallelism, hosts: activity }: RankFollower,
  run: ReturnType<typeof simulate>,
  outcome: Outcome,
  collectives: readonly CollectiveFigures[],
): PredictionDocument {
  const { trace, operations, target, placed, machine } = built;
  const { platform, model, description, builtIn } = target;
  const { time } = run;
  const energy = energyFigures(platform, activity, time);
  return {
    ...documentHead(options),
    complete: outcome.complete,
    ...(outcome.because === undefined ? {} : { because: outcome.because }),
    inputs: {
      ...inputFiles({ trace: input, ...machineFiles(options), hostfile: placed.hostfile }, options.digestOf),
      ...memberFiles([
        ...(built.jobs === undefined ? listedFiles(input, trace) : listedByJobs(built.jobs)),
        ...(platform.files ?? []),
      ]),
    },
    options: {
      ranks: trace.ranks,
      networkModel: model.name,
      collectives: target.collectives.text,
      ...given(options, ['cfg']),
      placement: placed.name,
      ...(builtIn ? { builtIn: platform.name } : {}),
      ...(options.oversubscribe === true ? { oversubscribe: 'yes' } : {}),
      ...(options.scale === undefined ? {} : { scale: options.scale }),
      ...(options.derivedTypeBytes === undefined ? {} : { derivedTypeBytes: options.derivedTypeBytes }),
      eagerBelow: model.eagerBelow,
      detachedBelow: model.detachedBelow,
      ...given(options as Settings, ['ties', 'replications', 'precision', 'confidence']),
    },
    ...(description === undefined ? {} : { machine: { ...description } }),
    figures: {
      ...mainFigures(time, parallelism, states.computing),
      ...transferFigures(states.communicating, states.transfers.latency),
      actions: { value: trace.actions, unit: '1' },
      ...energy.all,
    },
    ...(built.jobs === undefined ? {} : { jobs: jobFigures(built.jobs, states, options.digestOf) }),
    ranks: Array.from({ length: trace.ranks }, (_, rank): RankFigures => {
      const end = states.ended[rank]!;
      return {
        rank,
        ...(built.jobs === undefined ? {} : { job: jobOf(built.jobs, rank).name }),
        host: platform.hosts[placed.placement[rank]!]!.name,
        endTime: Number.isNaN(end) ? null : end,
        computing: states.computing[rank]!,
        communicating: states.communicating[rank]!,
        waiting: states.waiting[rank]!,
        idle: states.idle[rank]!,
      };
    }),
    resources: [
      ...hosts(built, states, run.run, time, energy),
      ...(operations.pairs.from.length === 0 ? [] : linkFigures(machine.links, run.run.carried('network'), time)),
    ],
    firings: run.firings,
    ...(collectives.length === 0 ? {} : { collectives }),
    profile: profileOf(time, parallelism),
    deadlock: outcome.deadlock,
    ...given(outcome, ['failures']),
    ...(outcome.deadlock.length === 0 ? {} : mismatchesOf(unmatchedInTrace(trace, operations, run.run))),
    warnings: [...target.warnings, ...ignored(target), ...trace.warnings],
    ...notesOf([...(platform.notes ?? []), ...placed.notes, ...trace.notes]),
  };
}

/** A warning about parts of a machine that the replay of a trace ignores. */
function ignored({ description }: Target): Problem[] {
  const parts = description === undefined ? [] : traceIgnores(description);
  if (parts.length === 0) return [];
  const message = `the replay of a trace ignores ${parts.join(' and ')} of machine ${quote(description!.name)}`;
  return [{ code: 'MACH033', message }];
}

/** Hosts that have ranks: work of their ranks relative to the capacity of all cores. Shared cores slow every rank. */
function hosts(
  { target: { platform }, placed: { placement }, machine }: TraceNet,
  states: RankStates,
  run: NetRun,
  time: number,
  energy: EnergyFigures,
): ResourceFigures[] {
  const flops = new Float64Array(platform.hosts.length);
  if (machine.cores === undefined)
    placement.forEach((h, r) => {
      flops[h]! += states.computing[r]! * platform.hosts[h]!.speed;
    });
  else {
    const { hostOf } = machine.cores;
    run.carried('processor').forEach((done, link) => {
      flops[hostOf[link]!]! += done;
    });
  }
  return [...new Set(placement)].map((h) => {
    const capacity = meanFullSpeed(platform.hosts[h]!, time);
    return {
      name: platform.hosts[h]!.name,
      kind: 'host' as const,
      // A host that fails at once has no capacity.
      utilisation: time > 0 && capacity > 0 ? flops[h]! / (capacity * time) : 0,
      amount: { value: flops[h]!, unit: 'flop' },
      capacity: { value: capacity, unit: 'flop/s' },
      ...energy.ofHost(h),
    };
  });
}

/** Writes the activities of the ranks as slices of a Chrome trace, one thread per rank, and messages as arrows. */
function chromeSink(chrome: ChromeTrace, { trace, operations, target, placed, jobs }: TraceNet): RankStateSink {
  const { hosts } = target.platform;
  const rankName = (r: number): string => {
    if (jobs === undefined) return `rank ${r}`;
    const { name, first } = jobOf(jobs, r);
    return `${name}: rank ${r - first}`;
  };
  for (let r = 0; r < trace.ranks; r++) chrome.thread(r, `${rankName(r)} on ${hosts[placed.placement[r]!]!.name}`);
  return {
    slice: (rank, state, operation, _position, start, end) => {
      const name = state === 'computing' ? 'compute' : OP_NAMES[operations.op[operation]!]!;
      chrome.slice(rank, name, state, start, end);
    },
    message: (from, start, to, end, bytes) => chrome.arrow(from, start, to, end, `${bytes} B`),
  };
}

/** Throttle: the returned function returns true on its first call, then at most once per interval (ms). */
export function every(milliseconds: number): () => boolean {
  let next = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now < next) return false;
    next = now + milliseconds;
    return true;
  };
}
