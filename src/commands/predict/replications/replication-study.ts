import { isThreadModel } from '../../../models/threads/program/threads.ts';
import { type Import, loadAnyModel } from '../../inputs/load-model.ts';
import { leftRunning } from '../../inputs/model-guard.ts';
import { replicator } from '../model/predict-model.ts';
import { mapModel } from '../model/stages.ts';
import type { PredictOptions } from '../options.ts';
import { threadReplicator } from '../threads/predict-threads.ts';
import { threadModelNet } from '../threads/thread-model-net.ts';
import { withoutThreadOptions } from '../threads/thread-options.ts';
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
  const model = await loadAnyModel(file, load);
  const own = withoutThreadOptions(options);
  const replicate = isThreadModel(model)
    ? threadReplicator(threadModelNet(model, options), options)
    : replicator(mapModel(model, own), own);
  return (replication) => {
    const one = replicate(replication);
    const left = leftRunning(file);
    if (one.document === undefined || left.length === 0) return one;
    return { ...one, document: { ...one.document, warnings: [...one.document.warnings, ...left] } };
  };
}
