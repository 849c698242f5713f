import { drawsNumbers } from '../../analysis/monitor.ts';
import { ComputingMeter, processRange } from '../../analysis/processes.ts';
import { simulate } from '../../analysis/simulate.ts';
import { given } from '../../base/given.ts';
import { listing, ranges } from '../../base/listing.ts';
import { type Place, type Problem, quote } from '../../base/problem.ts';
import { type CompiledNet, compile, type NetRun } from '../../engine/compile.ts';
import type { TransitionObserver } from '../../engine/observers.ts';
import { ScheduleStates } from '../../models/schedule/schedule-states.ts';
import type { Net } from '../../net/net.ts';
import { explorableNet } from '../exact/explorable.ts';
import type { ReadNet } from '../inputs/input.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { aboutFile } from '../inputs/net-file.ts';
import { energyFigures, HostActivity, poweredHosts } from '../subjects/host-activity.ts';
import { RunTime } from '../subjects/run-time.ts';
import { checkPrediction } from './check-prediction.ts';
import { DEFAULT_SEED, documentHead, linkFigures, mainFigures, profileOf } from './document.ts';
import { EndlessNet, NEVER_STOPS } from './endless-net.ts';
import { NetMeter } from './net-figures.ts';
import type { PredictOptions } from './options.ts';
import type { PredictionDocument, RankFigures, ResourceFigures } from './prediction.ts';
import { type RecordedSchedule, ScheduleRecording } from './record-schedule.ts';
import type { Subject } from './subject.ts';
import { conflictNotes, drawnChoices, tieWarning } from './ties/net-ties.ts';

/** Default step limit. A net need not terminate; after this many steps the result is incomplete. */
const MAX_STEPS = 1e9;
/** Maximum number of marked places named in a warning. */
const MAX_NAMED = 10;

/** A net that is compiled once for many runs. */
interface PreparedNet {
  readonly net: Net;
  /** The file or module that it comes from; undefined for a net that a program has made. */
  readonly file: string | undefined;
  readonly compiled: CompiledNet;
  readonly runTime: RunTime;
  readonly computing: ComputingMeter;
  /** Absent for a net with processes, whose figures are those of its ranks. */
  readonly meter: NetMeter | undefined;
  readonly warnings: readonly string[];
  readonly endless: EndlessNet;
  readonly blocked?: ReadNet['blocked'];
}

/**
 * A net, without knowledge of its subject: run time, figures of places and transitions, utilisation of its links. If the net
 * declares which colours are processes, also their end and computing times.
 *
 * @param read a valid net
 * @param file its file, or the module that exports it
 * @param schedule that of the net, whose runs are written then
 */
export function netSubject(
  { net, warnings, blocked }: ReadNet,
  file: string | undefined,
  options: PredictOptions,
  schedule?: RecordedSchedule,
): Subject {
  const played = options.ties === 'random' ? drawnChoices(net) : net;
  return {
    name: net.name,
    called: `net ${quote(net.name)}`,
    options,
    files: [file],
    draws: drawsNumbers(played),
    exact: '',
    place: file === undefined ? undefined : { file },
    isOpenEnded: true,
    ...given({ hosts: schedule?.hosts }, ['hosts']),
    runs: (writers) => {
      const recording =
        schedule === undefined || writers === undefined ? undefined : new ScheduleRecording(writers, schedule);
      const powered = schedule && poweredHosts(schedule.hosts.target.platform, schedule.hosts.placement);
      let hosts: HostActivity | undefined;
      const states =
        schedule &&
        new ScheduleStates(schedule.hosts.placement.length, schedule.operations, recording, (time, by, rank) =>
          hosts?.change(time, rank, by),
        );
      const prepared = { ...prepareNet(played, file, warnings, blocked?.timed, states?.observers()), blocked };
      return (replication) => {
        states?.begin();
        hosts = powered === undefined ? undefined : new HostActivity(powered);
        const played = playNet(prepared, options, replication);
        const document =
          states === undefined
            ? played
            : { ...played, ranks: withStates(played, states), ...withEnergy(played, schedule!, states, hosts) };
        recording?.finish(document);
        return document;
      };
    },
    explorable: () => explorableNet(net),
    // Ties of a schedule are decided as its simulator decides them.
    ...(blocked === undefined ? { tied: tiedIn(net, file, options) } : {}),
  };
}

/** The ranks of a schedule: they communicate while a CPU spends overhead and none computes, and wait for the rest until they end. */
function withStates(
  { ranks, figures: { runTime } }: Pick<PredictionDocument, 'ranks' | 'figures'>,
  states: ScheduleStates,
): RankFigures[] {
  return ranks.map((one) => {
    const [computing, communicating] = [states.computing[one.rank]!, states.communicating[one.rank]!];
    const waiting = Math.max(0, (one.endTime ?? runTime.value) - computing - communicating);
    return { ...one, computing, communicating, waiting };
  });
}

/** The hosts of a schedule, if the power of some host is known: their cores are busy while they compute. */
function withEnergy(
  { figures, resources }: PredictionDocument,
  { hosts: { target, placement } }: RecordedSchedule,
  { computing }: ScheduleStates,
  activity: HostActivity | undefined,
): Partial<Pick<PredictionDocument, 'figures' | 'resources'>> {
  if (activity === undefined) return {};
  const { platform } = target;
  const time = figures.runTime.value;
  activity.finish(time);
  const energy = energyFigures(platform, activity, time);
  const seconds = new Float64Array(platform.hosts.length);
  placement.forEach((host, rank) => {
    seconds[host]! += computing[rank]!;
  });
  const hosts = [...new Set(placement)].map((h): ResourceFigures => {
    const { name, speed, cores } = platform.hosts[h]!;
    return {
      name,
      kind: 'host',
      utilisation: time > 0 ? seconds[h]! / (cores * time) : 0,
      amount: { value: seconds[h]! * speed, unit: 'flop' },
      capacity: { value: cores * speed, unit: 'flop/s' },
      ...energy.ofHost(h),
    };
  });
  return { figures: { ...figures, ...energy.all }, resources: [...hosts, ...resources] };
}

/** Warnings about ties that decide the figures of a net. */
const tiedIn =
  (net: Net, file: string | undefined, options: PredictOptions): NonNullable<Subject['tied']> =>
  (document) => {
    const played = { ...options, seed: options.seed ?? DEFAULT_SEED };
    const found = [tieWarning, conflictNotes].flatMap((check) => check(net, file ?? net.name, played));
    return found.length === 0 ? document : { ...document, warnings: [...document.warnings, ...found] };
  };

function prepareNet(
  net: Net,
  file: string | undefined,
  warnings: readonly string[],
  timed: readonly string[] = [],
  more: Readonly<Record<string, TransitionObserver>> = {},
): PreparedNet {
  const computing = new ComputingMeter(net);
  const meter = net.processes === undefined ? new NetMeter(net) : undefined;
  const runTime = new RunTime(net);
  const compiled = aboutNet(net, file, () =>
    compile(net, {
      observers: together({ ...computing.observers(), ...meter?.observers }, more),
      counts: { ...meter?.counts, ...runTime.counts },
      ...(timed.length === 0 ? {} : { timed: [net.processes!.ended, ...timed] }),
    }),
  );
  computing.bind((t) => compiled.variables(t));
  return { net, file, compiled, runTime, computing, meter, warnings, endless: new EndlessNet(net) };
}

/** Both observers of each transition. */
function together(
  some: Readonly<Record<string, TransitionObserver>>,
  others: Readonly<Record<string, TransitionObserver>>,
): Record<string, TransitionObserver> {
  const all: Record<string, TransitionObserver> = { ...some };
  for (const [name, { start, end }] of Object.entries(others)) {
    const first = all[name];
    all[name] = {
      start: (...firing) => {
        first?.start?.(...firing);
        start?.(...firing);
      },
      end: (...firing) => {
        first?.end?.(...firing);
        end?.(...firing);
      },
    };
  }
  return all;
}

const placeOf = ({ file }: Pick<PreparedNet, 'file'>): Place | undefined => (file === undefined ? undefined : { file });

/** Runs a function on a net; its problems name the file, or the net that a program has made. */
const aboutNet = <T>(net: Net, file: string | undefined, run: () => T): T => aboutFile(file ?? net.name, run);

/** Runs a net once. */
function playNet(prepared: PreparedNet, options: PredictOptions, replication: number): PredictionDocument {
  const { net, file, compiled, runTime, computing, meter } = prepared;
  const { low, count: processes } = processRange(net);
  for (const one of [runTime, computing, meter]) one?.begin();
  // Runs without a limit of steps or time end early if they are known to continue indefinitely.
  let because: string | undefined;
  const isFree = options.maxSteps === undefined && options.until === undefined;
  const run = aboutNet(net, file, () =>
    simulate(compiled, {
      seed: options.seed ?? DEFAULT_SEED,
      replication,
      maxSteps: options.maxSteps ?? MAX_STEPS,
      ...(options.until === undefined ? {} : { until: options.until }),
      cancelled: () => because !== undefined || options.cancelled?.() === true,
      progress: ({ now, steps }) => {
        if (isFree) because = prepared.endless.whyStop(steps);
        // The share of a run without another end follows from its simulated time.
        const share = options.until === undefined ? Number.NaN : Math.min(1, now / options.until);
        options.progress?.({ time: now, share });
      },
    }),
  );
  const ended = because !== undefined && run.ended === 'cancelled' ? 'steps' : run.ended;
  const ends = new Float64Array(processes).fill(Number.NaN);
  if (net.processes !== undefined)
    for (const t of run.run.tokens(net.processes.ended)) ends[t.values[0]! - low] = t.time;
  const time = runTime.of(run.time, ends);
  computing.finish(time);
  const document: PredictionDocument = {
    ...documentHead(options),
    complete: ended === 'quiescent' || ended === 'time',
    ended,
    marking: markingOf(net, run.run),
    inputs: file === undefined ? {} : inputFiles({ net: file }),
    options: {
      net: net.name,
      ...(meter === undefined ? { ranks: processes } : {}),
      ...given(options as Settings, ['ties', 'until', 'maxSteps', 'replications', 'precision', 'confidence']),
    },
    // Figures of processes would be meaningless for a net without processes.
    figures:
      meter === undefined
        ? mainFigures(time, computing.parallelism, computing.seconds)
        : { runTime: { value: time, unit: 's' } },
    ranks: ranksOf(ends, computing.seconds, time),
    resources: net.places.flatMap((p) =>
      p.service?.kind === 'max-min' ? linkFigures(p.service.links, run.run.carried(p.name), time) : [],
    ),
    ...(meter === undefined
      ? { profile: profileOf(time, computing.parallelism) }
      : { places: meter.places(time), transitions: meter.transitions(time, run.firings) }),
    firings: run.firings,
    deadlock: ended === 'quiescent' ? (prepared.blocked?.of(run.run) ?? []) : [],
    warnings: [
      ...prepared.warnings.map((message): Problem => ({ code: 'APP047', message, ...about(prepared) })),
      ...(ended === 'quiescent' ? unmatched(prepared, run.run) : []),
      ...(ended === 'steps' ? endless(prepared) : []),
      ...(ended === 'quiescent' ? notFinal(prepared, run.run) : []),
    ],
  };
  const lazy = prepared.net.places.some(({ service }) => service?.kind === 'max-min' && service.solver !== undefined);
  checkPrediction(document, () => placeOf(prepared) ?? {}, lazy ? 'lazy' : undefined);
  return document;
}

type Settings = Pick<PredictOptions, 'ties' | 'until' | 'maxSteps' | 'replications' | 'precision' | 'confidence'>;

/** Times of the processes, from the end of each (NaN if it has not ended) and its computing time, in seconds. */
function ranksOf(ends: Float64Array, computing: Float64Array, time: number): RankFigures[] {
  return Array.from(
    ends,
    (end, rank): RankFigures => ({
      rank,
      host: '',
      endTime: Number.isNaN(end) ? null : end,
      computing: computing[rank]!,
      communicating: null,
      waiting: null,
      idle: Number.isNaN(end) ? 0 : time - end,
    }),
  );
}

/** The place of a problem of the whole net. */
function about(prepared: Pick<PreparedNet, 'file'>): { readonly place?: Place } {
  const place = placeOf(prepared);
  return place === undefined ? {} : { place };
}

/** Warnings about messages of a schedule that no receive takes. */
function unmatched({ blocked, file }: PreparedNet, run: NetRun): Problem[] {
  const found = blocked?.unmatched(run) ?? [];
  return found.map(({ message, line }) => ({
    code: 'GOAL007',
    message,
    ...(file === undefined ? {} : { place: line === 0 ? { file } : { file, line } }),
  }));
}

/** A warning if a net that reached a step limit can run forever. */
function endless({ endless: net, ...prepared }: PreparedNet): Problem[] {
  const because = net.neverStops ? NEVER_STOPS : net.infinite;
  if (because === undefined) return [];
  return [{ code: 'COV004', message: `reached the step limit: ${because}`, ...about(prepared) }];
}

/** A warning if a run stops in a marking that the net does not list as final, or before all its processes have ended. */
function notFinal(prepared: PreparedNet, run: NetRun): Problem[] {
  const { net, blocked } = prepared;
  const { finalMarkings = [] } = net;
  // The document of a schedule names the ranks that wait, and their operations.
  if (finalMarkings.length === 0) return blocked === undefined ? notEnded(prepared, run) : [];
  const left = net.places.map(({ name }) => [name, run.tokens(name).length] as const);
  const ended = finalMarkings.some((marking) => {
    const counts = new Map(marking.map(({ place, count }) => [place, count]));
    return left.every(([name, tokens]) => tokens === (counts.get(name) ?? 0));
  });
  if (ended) return [];
  return [{ code: 'APP046', message: `stops in a marking that is not final: ${marked(left)}`, ...about(prepared) }];
}

/** A warning if the processes that a net declares have not all ended. */
function notEnded(prepared: PreparedNet, run: NetRun): Problem[] {
  const { net } = prepared;
  if (net.processes === undefined) return [];
  const { low, count } = processRange(net);
  const ended = new Set(run.tokens(net.processes.ended).map(({ values }) => values[0]! - low));
  if (ended.size === count) return [];
  const waiting = Array.from({ length: count }, (_, k) => k).filter((k) => !ended.has(k));
  const left = net.places
    .filter(({ name }) => name !== net.processes!.ended)
    .map(({ name }) => [name, run.tokens(name).length] as const);
  const message = `deadlock: ${waiting.length} of ${count} processes have not ended, ${ranges(waiting.map((k) => k + low))}; tokens are left in ${marked(left)}`;
  return [{ code: 'APP046', message, ...about(prepared) }];
}

/** The places that hold tokens, with their numbers. */
function marked(left: readonly (readonly [string, number])[]): string {
  const held = left.filter(([, tokens]) => tokens > 0).map(([name, tokens]) => `${quote(name)} ${tokens}`);
  return held.length === 0 ? 'no tokens' : listing(held, { max: MAX_NAMED, what: 'place' });
}

/** Number of tokens left in each non-empty place. */
function markingOf(net: Net, run: NetRun): Record<string, number> {
  const left = net.places.map((p) => [p.name, run.tokens(p.name).length] as const).filter(([, tokens]) => tokens > 0);
  return Object.fromEntries(left.sort(([a], [b]) => (a < b ? -1 : 1)));
}
