import { isThreadModel } from '../../models/threads/program/threads.ts';
import type { PredictionDocument } from '../../report/prediction.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import type { AnyModel } from '../any-model.ts';
import { inputFiles } from '../inputs.ts';
import { type Import, loadAnyModel } from '../load-model.ts';
import { moduleFiles } from '../module-files.ts';
import type { PredictOptions } from '../options.ts';
import { checkOutput } from '../output.ts';
import { hostfileOf, machineFileOf } from '../target.ts';
import { predictThreads } from '../threads/predict-threads.ts';
import { assertNoThreadOptions } from '../threads/thread-options.ts';
import { predictModel } from './run-model.ts';

/** As `predict`, for the model that a module exports. For a model without threads, `workers` has no effect. */
export async function predictModelFile(
  path: string,
  options: PredictOptions,
  load?: Import,
): Promise<PredictionDocument> {
  const files = { model: path, machine: machineFileOf(options), hostfile: hostfileOf(options) };
  for (const output of outputsOf(options)) checkOutput(output, Object.values(files));
  const model = await loadAnyModel(path, load);
  return { ...predictAny(model, path, options), inputs: { ...inputFiles(files), ...moduleFiles(path) } };
}

function predictAny(model: AnyModel, path: string, options: PredictOptions): PredictionDocument {
  if (isThreadModel(model)) return predictThreads(model, options);
  const { workers: _, ...others } = options;
  assertNoThreadOptions(others, path);
  return predictModel(model, others);
}
