import type { PredictionDocument } from '../../report/prediction.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import { inputFiles } from '../inputs.ts';
import { type Import, loadModel } from '../load-model.ts';
import { moduleFiles } from '../module-files.ts';
import type { PredictOptions } from '../options.ts';
import { checkOutput } from '../output.ts';
import { hostfileOf, machineFileOf } from '../target.ts';
import { predictModel } from './run-model.ts';

/** As `predict`, for the model that a module exports. */
export async function predictModelFile(
  path: string,
  options: PredictOptions,
  load?: Import,
): Promise<PredictionDocument> {
  const files = { model: path, machine: machineFileOf(options), hostfile: hostfileOf(options) };
  for (const output of outputsOf(options)) checkOutput(output, Object.values(files));
  const model = await loadModel(path, load);
  return { ...predictModel(model, options), inputs: { ...inputFiles(files), ...moduleFiles(path) } };
}
