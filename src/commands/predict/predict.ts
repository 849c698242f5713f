import { fail } from '../../base/problem.ts';
import { isModel, type ProgramModel } from '../../models/program/model.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { type Import, loadAnyModel } from '../inputs/load-model.ts';
import { localModules, moduleFiles } from '../inputs/local-modules.ts';
import { isNetFile } from '../inputs/net-file.ts';
import { hostfileOf, machineFileOf } from '../inputs/target.ts';
import { checkOutputs } from '../output.ts';
import { withLimit } from './limit/find-limit.ts';
import { predictModel } from './model/predict-model.ts';
import type { PredictOptions } from './options.ts';
import { predictNet } from './predict-net.ts';
import type { PredictionDocument } from './prediction.ts';
import { predictThreads } from './threads/predict-threads.ts';
import { assertNoThreadOptions } from './threads/thread-options.ts';
import { predictTrace } from './trace/predict-trace.ts';

/**
 * Predicts the run time of a program: a TI trace (a file, a listing, or `-` for standard input; gzip is detected) on a
 * machine, a program model, a thread model, or a net in PNML or JSON. Builds the net, compiles it, runs it, and reports how
 * the time is spent.
 *
 * @throws InputError for all problems of the inputs; nothing is written then
 */
export function predict(input: string | ProgramModel | ThreadModel, options: PredictOptions = {}): PredictionDocument {
  const document = predictInput(input, options);
  if (options.secondRuns !== true || (typeof input === 'string' && isNetFile(input))) return document;
  return withLimit(document, input, options, (changed) => predictInput(input, changed));
}

function predictInput(input: string | ProgramModel | ThreadModel, options: PredictOptions): PredictionDocument {
  if (isThreadModel(input)) return predictThreads(input, options);
  assertNoThreadOptions(options, isModel(input) ? input.file : input);
  if (isModel(input)) return predictModel(input, options);
  for (const key of ['replications', 'precision', 'confidence'] as const)
    if (options[key] !== undefined)
      fail('APP004', `replications need a model: option ${key} does not apply to this input`, { file: input });
  return isNetFile(input) ? predictNet(input, options) : predictTrace(input, options);
}

/** As `predict`, for the model that a module exports. For a model without threads, `workers` has no effect. */
export async function predictModelFile(
  path: string,
  options: PredictOptions,
  load?: Import,
): Promise<PredictionDocument> {
  const files = { model: path, machine: machineFileOf(options), hostfile: hostfileOf(options) };
  const outputs = outputsOf(options);
  checkOutputs(outputs, Object.values(files));
  const model = await loadAnyModel(path, load);
  if (outputs.length > 0) checkOutputs(outputs, localModules(path));
  const { workers, ...others } = options;
  const own = isThreadModel(model) && workers !== undefined ? { ...others, workers } : others;
  return { ...predict(model, own), inputs: { ...inputFiles(files), ...moduleFiles(path) } };
}
