import { isThreadModel } from '../../../models/threads/program/threads.ts';
import { isNet } from '../../inputs/any-model.ts';
import { type Import, loadInput } from '../../inputs/load-model.ts';
import { isModelFile } from '../../inputs/model-endings.ts';
import { leftRunning } from '../../inputs/model-guard.ts';
import { readNetFile } from '../../inputs/net-file.ts';
import { replicator, withModelTies } from '../model/predict-model.ts';
import { type MappedModel, mapModel } from '../model/stages.ts';
import type { PredictOptions } from '../options.ts';
import { checkPredict, withoutThreads } from '../predict.ts';
import { netReplicator } from '../predict-net.ts';
import { threadReplicator } from '../threads/predict-threads.ts';
import { threadModelNet } from '../threads/thread-model-net.ts';
import type { Replicate } from './replications.ts';

/** A model whose replications are run by worker threads. */
export interface ReplicationStudy {
  readonly kind: 'replications';
  readonly file: string;
  readonly options: PredictOptions;
}

/**
 * Returns a function that runs any replication of a model in this thread, which imports the module anew and compiles its net
 * once.
 */
export async function importedReplicator(
  { file, options }: ReplicationStudy,
  load?: Import,
): Promise<(replication: number) => Replicate> {
  const model = isModelFile(file) ? await loadInput(file, load) : readNetFile(file).net;
  const own = withoutThreads(model, options);
  checkPredict(model, own, file);
  if (isNet(model)) return netReplicator(isModelFile(file) ? model : file, own, file);
  const replicate = isThreadModel(model)
    ? threadReplicator(threadModelNet(model, options), options)
    : modelReplicator(mapModel(model, own), own);
  return (replication) => {
    const one = replicate(replication);
    const left = leftRunning(file);
    if (one.document === undefined || left.length === 0) return one;
    return { ...one, document: { ...one.document, warnings: [...one.document.warnings, ...left] } };
  };
}

/** As {@link replicator}; replication 0 warns if ties decide its figures. */
function modelReplicator(built: MappedModel, options: PredictOptions): (replication: number) => Replicate {
  const replicate = replicator(built, options);
  return (k) => {
    const one = replicate(k);
    return k > 0 || one.document === undefined
      ? one
      : { ...one, document: withModelTies(built, options, one.document) };
  };
}
