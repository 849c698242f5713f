import type { SpaceDocument } from '../../report/space.ts';
import { inputFiles } from '../inputs.ts';
import { type Import, loadModel } from '../load-model.ts';
import { isModelFile } from '../model-endings.ts';
import { moduleFiles } from '../module-files.ts';
import { machineFileOf } from '../target.ts';
import { explore } from './explore.ts';
import { checkGraph } from './explore-graph.ts';
import type { SpaceOptions } from './explore-options.ts';

/** As {@link explore}, for a file: a net, or a module that exports a model. */
export async function exploreFile(path: string, options: SpaceOptions, load?: Import): Promise<SpaceDocument> {
  if (!isModelFile(path)) return explore(path, options);
  const files = { model: path, machine: machineFileOf(options) };
  checkGraph(options.graph, Object.values(files));
  const document = explore(await loadModel(path, load, 'explore'), options);
  return { ...document, inputs: { ...inputFiles(files), ...moduleFiles(path) } };
}
