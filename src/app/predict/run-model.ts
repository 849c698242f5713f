import { fail, quote } from '../../base/problem.ts';
import type { ProgramModel } from '../../models/program/model.ts';
import type { Recorded } from '../../models/program/recorder.ts';
import type { PredictionDocument } from '../../report/prediction.ts';
import { ChromeTrace } from '../../trace/chrome.ts';
import type { PredictOptions } from '../options.ts';
import { checkOutput } from '../output.ts';
import { hostfileOf, machineFileOf } from '../target.ts';
import { modelSink } from './model-trace.ts';
import { type ModelNet, modelNet, playModel, prepareModel } from './predict-model.ts';
import { type Replicate, ReplicationTally, replicationPlan } from './replications.ts';

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
  const traced = options.trace === undefined ? undefined : writeTrace(built, options, options.trace);
  if (plan === undefined) return traced ?? playModel(built, prepareModel(built), options);
  const replicate = replicator(built, options);
  const tally = new ReplicationTally(plan);
  for (let k = 0; !tally.add(replicate(k)); k++);
  return tally.document()!;
}

/** Runs replication 0 of a model and writes a Chrome trace of the ranks' activities. */
function writeTrace(built: ModelNet, options: PredictOptions, path: string): PredictionDocument {
  checkOutput(path, [built.model.file, machineFileOf(options), hostfileOf(options)]);
  const chrome = new ChromeTrace(path);
  try {
    const document = playModel(built, prepareModel(built, modelSink(chrome, built)), options);
    chrome.close();
    return document;
  } catch (e) {
    chrome.abort();
    throw e;
  }
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
    const document = playModel(built, prepared, options, replication);
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
