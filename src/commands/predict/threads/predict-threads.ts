import { ParallelismMeter } from '../../../analysis/parallelism.ts';
import { type SimulatedRun, simulate } from '../../../analysis/simulate.ts';
import type { LoggedFirings } from '../../../base/logged-firings.ts';
import { fail, quote } from '../../../base/problem.ts';
import { type CompiledNet, compile } from '../../../engine/compile.ts';
import type { ThreadModel } from '../../../models/threads/program/threads.ts';
import { type CarrierSink, ThreadStates } from '../../../models/threads/thread-states.ts';
import { ChromeTrace } from '../../../trace/chrome.ts';
import { outputsOf } from '../../../trace/run/write-run.ts';
import { machineFileOf } from '../../inputs/target.ts';
import { checkOutputs } from '../../output.ts';
import { checkPrediction } from '../check-prediction.ts';
import { DEFAULT_SEED } from '../document.ts';
import type { PredictOptions } from '../options.ts';
import { withPlace } from '../overflow-place.ts';
import type { PredictionDocument } from '../prediction.ts';
import { type Replicate, ReplicationTally, replicationPlan } from '../replications/replications.ts';
import { type RunOutput, runOutput } from '../run-output.ts';
import { bothSinks, chromeThreads, ThreadRecording } from './record-threads.ts';
import { blockedStrands, threadFault } from './run-threads.ts';
import { threadDocument } from './thread-document.ts';
import { drawsRandomly, type ThreadModelNet, threadModelNet } from './thread-model-net.ts';

/**
 * Predicts the run time of a thread model on one node of a machine: builds its net, runs it once or in replications, and
 * reports how the time of the workers is spent.
 *
 * @throws InputError for problems of model, machine or options, with the line of the model
 */
export function predictThreads(model: ThreadModel, options: PredictOptions): PredictionDocument {
  return predictBuiltThreads(threadModelNet(model, options), options);
}

/** As {@link predictThreads}, for a net that has been built. */
export function predictBuiltThreads(built: ThreadModelNet, options: PredictOptions): PredictionDocument {
  const plan = replicationPlan(options);
  const hasOutputs = options.trace !== undefined || options.run !== undefined || options.record !== undefined;
  const written = hasOutputs ? playWritten(built, options) : undefined;
  if (plan === undefined) return written ?? playThreads(built, prepareThreads(built), options);
  const replicate = threadReplicator(built, options);
  const tally = new ReplicationTally(plan);
  for (let k = 0; !tally.add(replicate(k)); k++);
  return tally.document()!;
}

/** Runs replication 0 and writes a Chrome trace and a run record of the workers. */
function playWritten(built: ThreadModelNet, options: PredictOptions): PredictionDocument {
  const { model, target, net } = built;
  const { trace } = options;
  checkOutputs(outputsOf(options), [model.file, machineFileOf(options)]);
  let record: RunOutput | undefined;
  let chrome: ChromeTrace | undefined;
  try {
    // All workers are on the first node.
    record = runOutput(options, model.name, target, { placement: new Int32Array(net.carriers) });
    chrome = trace === undefined ? undefined : new ChromeTrace(trace);
    const recording = record === undefined ? undefined : new ThreadRecording(record.recorder, built);
    const sink = bothSinks(chrome === undefined ? undefined : chromeThreads(chrome, built), recording);
    const document = playThreads(built, prepareThreads(built, sink), options);
    recording?.finish(document.figures.runTime.value);
    record?.finish(document);
    chrome?.close();
    return document;
  } catch (e) {
    record?.abort();
    chrome?.abort();
    throw e;
  }
}

/**
 * Returns a function that runs any replication of a thread model. Replication k draws the random numbers of (seed, k).
 *
 * @throws InputError APP024 a precision for a model without random draws
 */
export function threadReplicator(built: ThreadModelNet, options: PredictOptions): (replication: number) => Replicate {
  if (options.precision !== undefined && !drawsRandomly(built))
    fail('APP024', `model ${quote(built.model.name)} has no random parts with this scheduler: one run is exact`);
  const prepared = prepareThreads(built);
  return (replication) => {
    const document = playThreads(built, prepared, options, replication);
    const ended = document.complete && document.deadlock.length === 0;
    const seconds = document.figures.runTime.value;
    return { seconds, ended, ...(replication === 0 || !ended ? { document } : {}) };
  };
}

interface Meters {
  readonly states: ThreadStates;
  readonly parallelism: ParallelismMeter;
}

/** The compiled net of a thread model. */
export interface PreparedThreads {
  readonly compiled: CompiledNet;
  /** Returns meters for the next run; the previous ones are disconnected. */
  begin(): Meters;
}

/** Approximate number of starts and ends per row. */
const STEPS_OF_ROW = 3;

/** Compiles the net of a thread model once for many runs. */
export function prepareThreads({ net }: ThreadModelNet, sink?: CarrierSink): PreparedThreads {
  let read: (log: LoggedFirings, length: number) => void = () => undefined;
  const metered = (): Meters & ReturnType<ThreadStates['log']> => {
    const parallelism = new ParallelismMeter();
    const states = new ThreadStates(net, (time, by) => parallelism.change(time, by), sink);
    return { states, parallelism, ...states.log() };
  };
  const { transitions } = metered();
  const compiled = compile(net.net, {
    log: { transitions, read: (log, length) => read(log, length) },
    steps: STEPS_OF_ROW * net.program.rows.count,
  });
  return {
    compiled,
    begin: () => {
      const { states, parallelism, read: own } = metered();
      read = own;
      return { states, parallelism };
    },
  };
}

/** Runs the net of a thread model once. */
export function playThreads(
  built: ThreadModelNet,
  prepared: PreparedThreads,
  options: PredictOptions,
  replication = 0,
): PredictionDocument {
  const { net } = built;
  const { states, parallelism } = prepared.begin();
  options.progress?.({ time: 0, share: Number.NaN });
  let run: SimulatedRun;
  try {
    run = simulate(prepared.compiled, {
      seed: options.seed ?? DEFAULT_SEED,
      replication,
      maxInstantSteps: 1e6 + 20 * net.program.rows.count,
      maxSteps: options.maxSteps ?? 1e10,
      ...(options.until === undefined ? {} : { until: options.until }),
      progress: (game) => options.progress?.({ time: game.now, share: Number.NaN }),
      cancelled: () => options.cancelled?.() === true,
    });
  } catch (error) {
    throw withPlace(error, () => longestRow(built));
  }
  const fault = threadFault(net, run.game);
  if (fault !== undefined) throw fault;
  const time = states.ended ?? run.time;
  const deadlock = run.ended === 'quiescent' && states.ended === undefined ? blockedStrands(net, run.game, states) : [];
  states.finish(time);
  parallelism.change(time, 0);
  const document = threadDocument(built, options, { run, time, states, parallelism, deadlock });
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
