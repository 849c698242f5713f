import { isThreadModel } from '../../models/threads/program/threads.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { type Import, loadAnyModel } from '../inputs/load-model.ts';
import { localModules, moduleFiles } from '../inputs/local-modules.ts';
import { hostfileOf, machineFileOf } from '../inputs/target.ts';
import { checkOutputs } from '../output.ts';
import type { PredictOptions } from './options.ts';
import { predict } from './predict.ts';
import type { PredictionDocument } from './prediction.ts';

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
