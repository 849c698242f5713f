import { fail, quote } from '../../base/problem.ts';
import type { ProgramModel } from '../../models/program/model.ts';
import type { ProgramSink } from '../../models/program/program-states.ts';
import type { Recorded } from '../../models/program/recorder.ts';
import type { PredictionDocument } from '../../report/prediction.ts';
import { ChromeTrace } from '../../trace/chrome.ts';
import type { PredictOptions } from '../options.ts';
import { checkOutput } from '../output.ts';
import { hostfileOf, machineFileOf } from '../target.ts';
import { modelSink } from './model-trace.ts';
import { type ModelNet, modelNet, prepareModel, simulateModel } from './predict-model.ts';
import { ModelRecording } from './record-model.ts';
import { type Replicate, ReplicationTally, replicationPlan } from './replications.ts';
import { type RunOutput, runOutput } from './run-output.ts';

/**
 * Predicts the run time of a model on a machine: builds its net, runs it once or in replications, and reports how the time
 * is spent.
 *
 * @throws InputError for problems of model, machine or options, with the line of the model
 */
export function predictModel(
  model: ProgramModel,
  options: PredictOptions,
  change?: (programs: readonly Recorded[]) => readonly Recorded[],
): PredictionDocument {
  return predictBuilt(modelNet(model, options, change), options);
}

/** As {@link predictModel}, for a net that has been built. */
export function predictBuilt(built: ModelNet, options: PredictOptions): PredictionDocument {
  const plan = replicationPlan(options);
  const written = hasOutputs(options) ? simulateWritten(built, options) : undefined;
  if (plan === undefined) return written ?? simulateModel(built, prepareModel(built), options);
  const replicate = replicator(built, options);
  const tally = new ReplicationTally(plan);
  for (let k = 0; !tally.add(replicate(k)); k++);
  return tally.document()!;
}

const hasOutputs = ({ trace, run, record }: PredictOptions): boolean =>
  trace !== undefined || run !== undefined || record !== undefined;

/** Runs replication 0 of a model and writes a Chrome trace and a run record of the activities of all ranks. */
function simulateWritten(built: ModelNet, options: PredictOptions): PredictionDocument {
  const { model, target, placed, program } = built;
  const { trace } = options;
  if (trace !== undefined) checkOutput(trace, [model.file, machineFileOf(options), hostfileOf(options)]);
  let record: RunOutput | undefined;
  let chrome: ChromeTrace | undefined;
  try {
    record = runOutput(options, model.name, model.file, target, placed);
    chrome = trace === undefined ? undefined : new ChromeTrace(trace);
    const recording = record === undefined ? undefined : new ModelRecording(record.recorder, program);
    const sink = sinkOf(chrome === undefined ? undefined : modelSink(chrome, built), recording);
    const document = simulateModel(built, prepareModel(built, sink), options);
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

/** One sink of both. */
function sinkOf(chrome: ProgramSink | undefined, recording: ModelRecording | undefined): ProgramSink | undefined {
  if (chrome === undefined || recording === undefined) return recording ?? chrome;
  return {
    visit: (...args) => recording.visit(...args),
    end: (...args) => recording.end(...args),
    over: () => recording.over(),
    slice: (...args) => {
      chrome.slice(...args);
      recording.slice(...args);
    },
    message: (...args) => {
      chrome.message(...args);
      recording.message(...args);
    },
  };
}

/**
 * Returns a function that runs any replication of a model. Replication k draws the random numbers of (seed, k), independent
 * of earlier runs.
 *
 * @throws InputError APP024 a precision for a model without random draws
 */
export function replicator(built: ModelNet, options: PredictOptions): (replication: number) => Replicate {
  const first = built.program.world.statements[0]?.statement.site.place ?? {};
  if (options.precision !== undefined && !isRandom(built))
    fail('APP024', `model ${quote(built.model.name)} has no random parts on this machine: one run is exact`, first);
  const prepared = prepareModel(built);
  return (replication) => {
    const document = simulateModel(built, prepared, options, replication);
    const ended = document.complete && document.deadlock.length === 0;
    const seconds = document.figures.runTime.value;
    return { seconds, ended, ...(replication === 0 || !ended ? { document } : {}) };
  };
}

/** True if a model on its machine draws random numbers. */
export function isRandom({ program: { world, machine } }: ModelNet): boolean {
  return world.statements.some(({ statement: s }) => {
    if (s.kind === 'compute') return (s.noise ?? machine.noise) !== undefined;
    if (s.kind === 'sleep') return s.noise !== undefined;
    return s.kind === 'chance' || s.kind === 'repeat';
  });
}
