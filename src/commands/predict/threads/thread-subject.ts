import { ParallelismMeter } from '../../../analysis/parallelism.ts';
import { type SimulatedRun, simulate } from '../../../analysis/simulate.ts';
import { given } from '../../../base/given.ts';
import type { LoggedFirings } from '../../../base/logged-firings.ts';
import { quote } from '../../../base/problem.ts';
import { type CompiledNet, compile } from '../../../engine/compile.ts';
import { COMPUTING_ROWS } from '../../../models/threads/firing-meanings.ts';
import { mostInstantSteps, type ThreadNet } from '../../../models/threads/net/thread-net.ts';
import { ROW } from '../../../models/threads/program/rows.ts';
import { type CarrierSink, ThreadStates } from '../../../models/threads/thread-states.ts';
import type { ChromeTrace } from '../../../trace/chrome.ts';
import { machineFileOf } from '../../inputs/target.ts';
import { HostActivity, poweredHosts } from '../../subjects/host-activity.ts';
import { checkPrediction } from '../check-prediction.ts';
import { ChromeCounters } from '../chrome-counters.ts';
import { DEFAULT_SEED } from '../document.ts';
import type { PredictOptions } from '../options.ts';
import { withPlace } from '../overflow-place.ts';
import type { PredictionDocument } from '../prediction.ts';
import { bothSinks, type Subject } from '../subject.ts';
import { chromeThreads, ThreadRecording } from './record-threads.ts';
import { blockedStrands, threadFault } from './run-threads.ts';
import { threadDocument } from './thread-document.ts';
import { drawsRandomly, type ThreadModelNet } from './thread-model-net.ts';

/** A thread model on one node of a machine. */
export function threadSubject(built: ThreadModelNet, options: PredictOptions): Subject {
  const { model, target, net } = built;
  return {
    name: model.name,
    called: `model ${quote(model.name)}`,
    options,
    files: [model.file, machineFileOf(options)],
    // All workers are on the first node.
    hosts: { target, placement: new Int32Array(net.carriers) },
    draws: drawsRandomly(built),
    exact: ' with this scheduler',
    runs: ({ chrome, recorder } = {}) => {
      const recording = recorder === undefined ? undefined : new ThreadRecording(recorder, built);
      const sink = bothSinks<CarrierSink>(
        ['span', 'call', 'region'],
        chrome === undefined ? undefined : chromeThreads(chrome, built),
        recording,
      );
      let prepared = prepareThreads(built, sink, chrome);
      return (replication) => {
        const own = built.replication(replication);
        if (own.net !== prepared.built.net) prepared = prepareThreads(own, sink, chrome);
        const document = playThreads(prepared, options, replication);
        recording?.finish(document.figures.runTime.value);
        return document;
      };
    },
  };
}

interface Meters {
  readonly states: ThreadStates;
  readonly parallelism: ParallelismMeter;
  /** Undefined if the power of no host is known. */
  readonly hosts: HostActivity | undefined;
}

/** The compiled net of a thread model. */
interface PreparedThreads {
  readonly built: ThreadModelNet;
  readonly compiled: CompiledNet;
  readonly counters?: ChromeCounters;
  /** Returns meters for the next run; the previous ones are disconnected. */
  begin(): Meters;
}

/** Approximate number of starts and ends per row. */
const STEPS_OF_ROW = 3;

/** Compiles the net of a thread model for one run or many. */
function prepareThreads(built: ThreadModelNet, sink?: CarrierSink, chrome?: ChromeTrace): PreparedThreads {
  const { net } = built;
  let read: (log: LoggedFirings, length: number) => void = () => undefined;
  const metered = (): Meters & ReturnType<ThreadStates['log']> => {
    const parallelism = new ParallelismMeter();
    const { platform } = built.target;
    const powered = poweredHosts(platform, Int32Array.of(platform.hostIndex(built.node.name)!));
    const hosts = powered === undefined ? undefined : new HostActivity(powered);
    const active = (time: number, by: number): void => {
      parallelism.change(time, by);
      hosts?.change(time, 0, by);
    };
    const states = new ThreadStates(net, active, sink);
    return { states, parallelism, hosts, ...states.log() };
  };
  const { transitions } = metered();
  const counters = chrome === undefined ? undefined : new ChromeCounters(chrome, net.net);
  const compiled = compile(net.net, {
    log: { transitions, read: (log, length) => read(log, length) },
    ...given({ counts: counters?.counts, coloured: counters?.coloured }, ['counts', 'coloured']),
    steps: STEPS_OF_ROW * net.program.rows.count,
  });
  return {
    ...given({ counters }, ['counters']),
    built,
    compiled,
    begin: () => {
      const { read: own, states, parallelism, hosts } = metered();
      read = own;
      return { states, parallelism, hosts };
    },
  };
}

/**
 * Progress of a run: rows that have computed, over those of the program. Each is executed once at most, so that the share is a lower
 * bound. Undefined for programs that do not compute.
 */
export function shareOfWork(
  { program: { rows } }: ThreadNet,
  transitions: readonly string[],
): ((firings: ArrayLike<number>) => number) | undefined {
  const all = rows.op.reduce((sum, op) => sum + Number(op === ROW.work), 0);
  const computes = transitions.indexOf(COMPUTING_ROWS.ends);
  if (all === 0 || computes < 0) return undefined;
  return (firings) => firings[computes]! / all;
}

/** Runs the net of a thread model once. */
function playThreads(prepared: PreparedThreads, options: PredictOptions, replication: number): PredictionDocument {
  const { built } = prepared;
  const { net } = built;
  const { states, parallelism, hosts } = prepared.begin();
  const shareOf = options.progress === undefined ? undefined : shareOfWork(net, prepared.compiled.transitions);
  options.progress?.({ time: 0, share: shareOf === undefined ? Number.NaN : 0 });
  let run: SimulatedRun;
  try {
    run = simulate(prepared.compiled, {
      seed: options.seed ?? DEFAULT_SEED,
      replication,
      maxInstantSteps: mostInstantSteps(net),
      maxSteps: options.maxSteps ?? 1e10,
      ...(options.until === undefined ? {} : { until: options.until }),
      progress: ({ now, firings }) => options.progress?.({ time: now, share: shareOf?.(firings) ?? Number.NaN }),
      cancelled: () => options.cancelled?.() === true,
    });
  } catch (error) {
    throw withPlace(error, () => longestRow(built));
  }
  const fault = threadFault(net, run.game);
  if (fault !== undefined) throw fault;
  const time = states.ended ?? run.time;
  const deadlock = run.ended === 'quiescent' && states.ended === undefined ? blockedStrands(net, run.game, states) : [];
  prepared.counters?.finish();
  states.finish(time);
  parallelism.change(time, 0);
  hosts?.finish(time);
  const document = threadDocument(built, options, { run, time, states, parallelism, hosts, deadlock });
  checkPrediction(document, () => longestRow(built));
  return document;
}

/** The line of the row with the largest amount. */
function longestRow({ net: { program } }: ThreadModelNet): NonNullable<unknown> & { readonly file?: string } {
  const { rows, sites } = program;
  let longest = 0;
  for (let k = 0; k < rows.count; k++)
    if (rows.seconds[k]! + rows.flops[k]! > rows.seconds[longest]! + rows.flops[longest]!) longest = k;
  return sites[rows.site[longest]!]!.place;
}
